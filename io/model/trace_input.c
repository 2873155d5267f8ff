/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace from a file or a pipe. Its first bytes say what it is; one of ours is
 * then read as a whole, text line by line, and anything else is refused before
 * more of it is read: /dev/zero has no end.
 */
#include "io/model/trace_build.h"
#include "io/model/trace_format.h"

#include "base/memory.h"
#include "base/stdin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Enough for the header of ours and the first lines of Darshan's. */
#define PIECE ((size_t)64 * 1024)

struct input {
	const char *path;
	int fd;
	struct lp_buffer bytes;
	struct lp_error *err;
	bool ended;
};

/* Have up to n bytes in the buffer, or all there are. */
static int fill(struct input *in, uint64_t n)
{
	while (in->bytes.size < n && !in->ended) {
		uint64_t want = n - in->bytes.size;
		size_t room = want < PIECE ? (size_t)want : PIECE;
		uint8_t *at = lp_buffer_extend(&in->bytes, room);
		ssize_t got;

		if (!at)
			return lp_fail_memory(in->err);
		do
			got = read(in->fd, at, room);
		while (got < 0 && errno == EINTR);
		in->bytes.size -= room - (size_t)(got > 0 ? got : 0);
		if (got < 0)
			return lp_fail_errno(in->err, errno, "cannot read %s",
					     in->path);
		in->ended = got == 0;
	}
	return 0;
}

/* Of a trace that is being written only this much is in use. */
static uint64_t used_bytes(const struct lp_buffer *bytes)
{
	struct lp_io_header header;

	if (bytes->size < sizeof(header))
		return UINT64_MAX;
	memcpy(&header, bytes->data, sizeof(header));
	return header.finished ? UINT64_MAX : header.claimed;
}

static int read_native(struct input *in, struct lp_io_trace **trace)
{
	uint64_t used = used_bytes(&in->bytes);
	int status = fill(in, used);
	size_t n = in->bytes.size < used ? in->bytes.size : (size_t)used;

	return status < 0 ? status
			  : lp_io_trace_parse(in->path, in->bytes.data, n,
					      trace, in->err);
}

/* All whole lines of the buffer; what is left of it moves to its begin. */
static int take_lines(struct input *in, struct lp_io_dxt *dxt)
{
	const char *text = (const char *)in->bytes.data;
	size_t at = 0, n = in->bytes.size;
	int status = 0;

	while (at < n && status == 0) {
		const char *stop = memchr(text + at, '\n', n - at);
		size_t length = stop ? (size_t)(stop - text) - at : n - at;

		if (!stop && !in->ended && length < LP_IO_LINE_MOST)
			break;
		status = lp_io_dxt_line(dxt, text + at, length, in->err);
		at += length + 1;
	}
	at = at < n ? at : n;
	memmove(in->bytes.data, in->bytes.data + at, n - at);
	in->bytes.size = n - at;
	return status;
}

static int read_text(struct input *in, struct lp_io_trace **trace)
{
	struct lp_io_dxt *dxt = lp_io_dxt_new(in->path);
	int status = dxt ? 0 : lp_fail_memory(in->err);

	while (status == 0) {
		status = take_lines(in, dxt);
		if (status < 0 || in->ended)
			break;
		status = fill(in, in->bytes.size + PIECE);
	}
	/* The last piece may have come with the end. */
	if (status == 0)
		status = take_lines(in, dxt);
	if (status == 0)
		status = lp_io_dxt_finish(dxt, trace, in->err);
	lp_io_dxt_free(dxt);
	return status;
}

static int read_input(struct input *in, struct lp_io_trace **trace)
{
	const char *text;
	size_t n;
	int status = fill(in, PIECE);

	if (status < 0)
		return status;
	text = (const char *)in->bytes.data;
	n = in->bytes.size;
	if (n >= LP_IO_MAGIC_BYTES &&
	    memcmp(text, LP_IO_MAGIC, LP_IO_MAGIC_BYTES) == 0)
		return read_native(in, trace);
	if (lp_io_dxt_sniff(text, n))
		return read_text(in, trace);
	return lp_io_trace_parse(in->path, in->bytes.data, n, trace, in->err);
}

static int open_input(struct input *in)
{
	bool standard = lp_is_stdin(in->path);
	struct stat st;

	in->fd = standard ? lp_stdin_take(in->err)
			  : open(in->path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0 && standard)
		return in->fd;
	if (in->fd < 0)
		return lp_fail_errno(in->err, errno, "cannot open %s",
				     in->path);
	if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode))
		return lp_fail(in->err, EISDIR, "%s is a directory", in->path);
	return 0;
}

int lp_io_trace_read(const char *path, struct lp_io_trace **trace,
		     struct lp_error *err)
{
	struct input in = { .path = path, .fd = -1, .err = err };
	int status = open_input(&in);

	if (status == 0)
		status = read_input(&in, trace);
	lp_cleanup_close(&in.fd);
	lp_buffer_done(&in.bytes);
	return status;
}
