/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An archive is a tenth of the text or less that other formats are read as,
 * and is read ten times as fast. So everybody who reads a foreign recording
 * again reads this one.
 *
 * Small ones are bytes in memory, without a descriptor: there may be thousands.
 */
#include "table/kept.h"

#include "archive/archive.h"
#include "base/memory.h"
#include "base/tempfile.h"
#include "table/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files without a name ---- */

static int open_memory(struct lp_error *err)
{
	int fd = memfd_create("limpid", MFD_CLOEXEC);

	return fd < 0 ? lp_fail_errno(err, errno,
				      "cannot create a file in memory")
		      : fd;
}

static int open_file(bool in_memory, struct lp_error *err)
{
	struct lp_temp_file temp;
	int status;

	if (in_memory)
		return open_memory(err);
	status = lp_temp_file_open(&temp, err);
	return status < 0 ? status : temp.fd;
}

/* 0 or -errno. */
static int transfer(int fd, uint8_t *bytes, size_t n, bool out)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got =
			out ? pwrite(fd, bytes + done, n - done, (off_t)done)
			    : pread(fd, bytes + done, n - done, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		done += (size_t)got;
	}
	return 0;
}

/* Take over the file, or what is in it. */
static int settle(struct lp_kept *kept, int fd, bool in_memory,
		  struct lp_error *err)
{
	lp_auto_close int memory = in_memory ? fd : -1;
	struct stat st;
	int status;

	if (!in_memory) {
		kept->fd = fd;
		kept->filed = true;
		return 0;
	}
	if (fstat(memory, &st) < 0)
		return lp_fail_errno(err, errno,
				     "cannot create a file in memory");
	kept->bytes = malloc((size_t)st.st_size + 1);
	if (!kept->bytes)
		return lp_fail_memory(err);
	kept->size = (size_t)st.st_size;
	status = transfer(memory, kept->bytes, kept->size, false);
	return status < 0 ? lp_fail_errno(err, -status,
					  "cannot create a file in memory")
			  : 0;
}

/* ---- keeping ---- */

static bool all_times(const struct lp_query *query)
{
	return query->since_ns == LP_TIME_MIN && query->until_ns == LP_TIME_MAX;
}

bool lp_kept_suits(const char *path, const char *format,
		   const struct lp_source_options *options,
		   const struct lp_query *query)
{
	const struct lp_source *source = lp_input_source(path, format, options);

	return source &&
	       (source->remote || !source->by_time || all_times(query));
}

static int put(struct lp_archive_writer *writer, const struct lp_item *item,
	       struct lp_error *err)
{
	if (item->kind == LP_ITEM_CHUNK && item->chunk->n_samples == 0)
		return 0;
	return lp_archive_put_item(writer, item, err);
}

/* The recording's own end is noted; below 0: it could not be written. */
static int copy(struct lp_kept *kept, struct lp_stream *stream,
		struct lp_archive_writer *writer,
		const struct lp_kept_order *order, struct lp_error *err)
{
	struct lp_item item;
	const char *lost;
	int status;

	while ((kept->code = lp_stream_next(stream, &item, &kept->why)) > 0) {
		status = put(writer, &item, err);
		if (status < 0)
			return status;
		if (order->progress)
			order->progress(order->context,
					lp_stream_progress(stream));
	}
	lost = lp_stream_lost(stream);
	kept->lost = lost ? strdup(lost) : NULL;
	return lost && !kept->lost ? lp_fail_memory(err) : 0;
}

static int copy_all(struct lp_kept *kept, const struct lp_kept_order *order,
		    int fd, struct lp_error *err)
{
	struct lp_archive_writer *writer;
	struct lp_stream *stream;
	struct lp_query query;
	int status, writing = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (writing < 0)
		return lp_fail_errno(err, errno,
				     "cannot create a temporary file");
	status = lp_archive_create_fd(writing, order->path, &writer, err);
	if (status < 0)
		return status;
	lp_query_init(&query);
	query.tolerant = order->tolerant;
	kept->code = lp_input_open(order->path, order->format, order->options,
				   &query, &stream, &kept->why);
	kept->opened = kept->code == 0;
	if (kept->opened) {
		status = copy(kept, stream, writer, order, err);
		lp_stream_close(stream);
	}
	if (status < 0 || !kept->opened) {
		lp_archive_abandon(writer);
		return status;
	}
	return lp_archive_finish(writer, err);
}

/* A helper writes the archive itself. */
static int convert(struct lp_kept *kept, const struct lp_source *source,
		   const struct lp_kept_order *order, int fd,
		   struct lp_error *err)
{
	char lost[LP_LOST_TEXT] = "";
	struct lp_query query;

	lp_query_init(&query);
	query.tolerant = order->tolerant;
	if (source->remote) {
		query.since_ns = order->since_ns;
		query.until_ns = order->until_ns;
	}
	kept->code = source->convert(order->path, order->options, &query, fd,
				     lost, &kept->why);
	kept->opened = kept->code == 0;
	kept->lost = kept->opened && lost[0] ? strdup(lost) : NULL;
	return kept->opened && lost[0] && !kept->lost ? lp_fail_memory(err) : 0;
}

int lp_kept_make(struct lp_kept *kept, const struct lp_kept_order *order,
		 struct lp_error *err)
{
	const struct lp_source *source =
		lp_input_source(order->path, order->format, order->options);
	int fd = open_file(order->in_memory, err), status;

	assert(!kept->made);
	if (fd < 0)
		return fd;
	status = source && source->convert && !order->options->content
			 ? convert(kept, source, order, fd, err)
			 : copy_all(kept, order, fd, err);
	if (status == 0 && kept->code == -ENOMEM)
		status = lp_fail_memory(err);
	if (status == 0 && kept->opened)
		status = settle(kept, fd, order->in_memory, err);
	else
		close(fd);
	if (status < 0)
		lp_kept_done(kept);
	kept->made = status == 0;
	return status;
}

void lp_kept_done(struct lp_kept *kept)
{
	if (kept->filed)
		close(kept->fd);
	free(kept->bytes);
	free(kept->lost);
	*kept = (struct lp_kept){ 0 };
}

/* ---- its streams ---- */

struct kept_stream {
	struct lp_stream stream;
	struct lp_stream *inner;
	const struct lp_kept *kept;
	bool ended;
};

static int kept_next(struct lp_stream *stream, struct lp_item *item,
		     struct lp_error *err)
{
	struct kept_stream *s = (struct kept_stream *)stream;
	int status = s->ended ? 0 : lp_stream_next(s->inner, item, err);

	if (status != 0 || s->ended)
		return status;
	s->ended = true;
	return s->kept->code < 0
		       ? lp_fail(err, -s->kept->code, "%s", s->kept->why.text)
		       : 0;
}

static void kept_close(struct lp_stream *stream)
{
	lp_stream_close(((struct kept_stream *)stream)->inner);
	free(stream);
}

static double kept_progress(const struct lp_stream *stream)
{
	return lp_stream_progress(((const struct kept_stream *)stream)->inner);
}

static const char *kept_lost(const struct lp_stream *stream)
{
	const struct kept_stream *s = (const struct kept_stream *)stream;

	return s->kept->lost ? s->kept->lost : lp_stream_lost(s->inner);
}

/* A descriptor of its own for each stream, which closes it. */
static int open_bytes(const struct lp_kept *kept, struct lp_error *err)
{
	int fd, status;

	if (kept->filed) {
		fd = fcntl(kept->fd, F_DUPFD_CLOEXEC, 0);
		return fd < 0 ? lp_fail_errno(err, errno,
					      "cannot create a temporary file")
			      : fd;
	}
	fd = open_memory(err);
	if (fd < 0)
		return fd;
	status = transfer(fd, kept->bytes, kept->size, true);
	if (status == 0)
		return fd;
	close(fd);
	return lp_fail_errno(err, -status, "cannot create a file in memory");
}

int lp_kept_open(const struct lp_kept *kept, const char *path,
		 const struct lp_query *query, struct lp_stream **stream,
		 struct lp_error *err)
{
	static const struct lp_stream_ops ops = {
		.next = kept_next,
		.close = kept_close,
		.progress = kept_progress,
		.lost = kept_lost,
	};
	struct kept_stream *s;
	int status, fd;

	assert(kept->made);
	if (!kept->opened)
		return lp_fail(err, -kept->code, "%s", kept->why.text);
	fd = open_bytes(kept, err);
	if (fd < 0)
		return fd;
	s = calloc(1, sizeof(*s));
	if (!s) {
		close(fd);
		return lp_fail_memory(err);
	}
	*s = (struct kept_stream){ .stream.ops = &ops, .kept = kept };
	status = lp_archive_open_fd(fd, path, query, &s->inner, err);
	if (status < 0) {
		free(s);
		return status;
	}
	*stream = &s->stream;
	return 0;
}
