/* SPDX-License-Identifier: Apache-2.0 */
#include "table/input.h"

#include "archive/parallel.h"
#include "base/memory.h"
#include "base/stdin.h"
#include "base/tempfile.h"
#include "base/unpack.h"
#include "table/foreign.h"
#include "table/held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARCHIVE_FORMAT "limpid"
#define HEAD_BYTES 4096
#define PIECE ((size_t)1 << 16)

struct head {
	uint8_t bytes[HEAD_BYTES]; /* unpacked */
	size_t n;
	bool regular;
	const struct lp_packing *packing; /* NULL: as it is */
};

/* ---- the first bytes ---- */

/* As many bytes as there are, up to n. */
static ssize_t read_some(int fd, uint8_t *bytes, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = read(fd, bytes + done, n - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* Of a packed file: what is in it. What cannot be unpacked has no head. */
static int unpack_head(struct head *head, int fd, const char *path,
		       struct lp_error *err)
{
	struct lp_unpacker *unpacker;
	ssize_t n;
	int status;

	head->packing = lp_packing_of(head->bytes, head->n);
	if (!head->packing)
		return 0;
	head->n = 0;
	if (!lp_packing_is_built(head->packing))
		return 0;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return lp_fail_errno(err, errno, "%s: cannot read", path);
	status = lp_unpack_open(head->packing, fd, path, &unpacker, err);
	if (status < 0)
		return status;
	n = lp_unpack_read(unpacker, head->bytes, HEAD_BYTES, err);
	lp_unpack_close(unpacker);
	head->n = n > 0 ? (size_t)n : 0;
	return n < 0 ? (int)n : 0;
}

/*
 * What a file begins with. A pipe would lose these bytes, and the name of a
 * PCP archive need not be that of a file: both have an empty head.
 */
static int read_head(const char *path, struct head *head, struct lp_error *err)
{
	lp_auto_close int fd = -1;
	struct stat st;
	ssize_t n;

	*head = (struct head){ .n = 0 };
	if (stat(path, &st) < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	if (!S_ISREG(st.st_mode))
		return 0;
	head->regular = true;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	n = read_some(fd, head->bytes, HEAD_BYTES);
	if (n < 0)
		return lp_fail_errno(err, (int)-n, "%s: cannot read", path);
	head->n = (size_t)n;
	return unpack_head(head, fd, path, err);
}

/* ---- which format ---- */

static void list_formats(char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, ARCHIVE_FORMAT);

	for (size_t i = 0; lp_sources[i] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, ", %s",
					 lp_sources[i]->name);
}

int lp_input_check_format(const char *format, struct lp_error *err)
{
	char formats[128];

	if (!format || strcmp(format, ARCHIVE_FORMAT) == 0 ||
	    lp_source_find(format))
		return 0;
	list_formats(formats, sizeof(formats));
	return lp_fail(err, EINVAL, "unknown format '%s'; there are %s", format,
		       formats);
}

static bool looks_like_text(const struct head *head)
{
	return !memchr(head->bytes, '\0', head->n);
}

/* Only a text may be CSV although nobody sees it. */
static int not_recognised(const char *path, const struct head *head,
			  struct lp_error *err)
{
	const char *advice = lp_foreign_advice(head->bytes, head->n);

	if (advice)
		return lp_fail(err, EINVAL, "%s: %s", path, advice);
	if (head->n == 0)
		return lp_fail(err, EINVAL, "%s: the file is empty", path);
	return lp_fail(err, EINVAL, "%s: not a file that limpid recognises%s",
		       path,
		       looks_like_text(head)
			       ? "; if it is CSV with other column names, use "
				 "-f csv and --map"
			       : "");
}

/* What opens the file: an archive (*source is NULL) or a source. */
static int choose(const char *path, const struct head *head, const char *format,
		  const struct lp_source **source, struct lp_error *err)
{
	*source = format ? lp_source_find(format) : NULL;
	if (format || lp_archive_recognise(head->bytes, head->n))
		return 0;
	*source = lp_source_guess(path, head->bytes, head->n);
	return *source ? 0 : not_recognised(path, head, err);
}

/* ---- opening ---- */

static int open_archive(const char *path, const char *content,
			const struct lp_query *query, struct lp_stream **stream,
			struct lp_error *err)
{
	int fd;

	if (!content)
		return lp_archive_open_parallel(path, query, stream, err);
	fd = open(content, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	return lp_archive_open_parallel_fd(fd, path, query, stream, err);
}

static int open_converted(const struct lp_source *source, const char *path,
			  const struct lp_source_options *options,
			  const struct lp_query *query,
			  struct lp_stream **stream, struct lp_error *err)
{
	char lost[LP_LOST_TEXT] = "";
	struct lp_stream *inner;
	int fd, status;

	if (options->content)
		return lp_fail(err, EINVAL,
			       "%s: a recording in the format %s is several "
			       "files and cannot come through a pipe",
			       path, source->name);
	fd = memfd_create("limpid", MFD_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno,
				     "cannot create a file in memory");
	status = source->convert(path, options, query, fd, lost, err);
	if (status < 0)
		close(fd);
	else
		status = lp_archive_open_fd(fd, path, query, &inner, err);
	if (status < 0 || !lost[0]) {
		if (status == 0)
			*stream = inner;
		return status;
	}
	return lp_held_open(inner, -1, lost, stream, err);
}

static int open_plain(const struct lp_source *source, const char *path,
		      const struct lp_source_options *options,
		      const struct lp_query *query, struct lp_stream **stream,
		      struct lp_error *err)
{
	if (!source)
		return open_archive(path, options->content, query, stream, err);
	if (source->open)
		return source->open(path, options, query, stream, err);
	return open_converted(source, path, options, query, stream, err);
}

/*
 * All of a packed file. A cut one as far as it goes: *lost says so. Of a
 * damaged one nobody knows which bytes are wrong.
 */
static int unpack(struct lp_unpacker *unpacker, struct lp_temp_file *temp,
		  const char *path, char lost[LP_LOST_TEXT],
		  struct lp_error *err)
{
	uint8_t bytes[PIECE];
	ssize_t n;

	while ((n = lp_unpack_read(unpacker, bytes, PIECE, err)) > 0) {
		int status =
			lp_temp_file_write(temp, bytes, (size_t)n, path, err);

		if (status < 0)
			return status;
	}
	if (n == -ENODATA && temp->size > 0) {
		snprintf(lost, LP_LOST_TEXT,
			 "the compressed file is cut off after %llu bytes of "
			 "its content",
			 (unsigned long long)temp->size);
		return 0;
	}
	return (int)n;
}

/* The descriptor of a file with the unpacked bytes, or -errno. */
static int unpack_file(const struct lp_packing *packing, const char *path,
		       const char *content, char lost[LP_LOST_TEXT],
		       struct lp_error *err)
{
	lp_auto_close int fd = open(content, O_RDONLY | O_CLOEXEC);
	struct lp_unpacker *unpacker;
	struct lp_temp_file temp;
	int status;

	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	status = lp_unpack_open(packing, fd, path, &unpacker, err);
	if (status < 0)
		return status;
	status = lp_temp_file_open(&temp, err);
	if (status == 0) {
		status = unpack(unpacker, &temp, path, lost, err);
		if (status < 0)
			close(temp.fd);
	}
	lp_unpack_close(unpacker);
	return status < 0 ? status : temp.fd;
}

static int open_packed(const struct lp_source *source, const char *path,
		       const struct lp_packing *packing,
		       const struct lp_source_options *options,
		       const struct lp_query *query, struct lp_stream **stream,
		       struct lp_error *err)
{
	struct lp_source_options unpacked = *options;
	char lost[LP_LOST_TEXT] = "", content[LP_TEMP_PATH];
	struct lp_stream *inner;
	int status, fd = unpack_file(packing, path,
				     options->content ? options->content : path,
				     lost, err);

	if (fd < 0)
		return fd;
	unpacked.content = lp_temp_path(fd, content);
	status = open_plain(source, path, &unpacked, query, &inner, err);
	if (status < 0) {
		close(fd);
		return status;
	}
	return lp_held_open(inner, fd, lost, stream, err);
}

/* libpcp finds and unpacks the parts of its archives itself. */
static bool unpacks_itself(const struct lp_source *source)
{
	return source && source->convert;
}

static int look(const char *path, const char *format,
		const struct lp_source_options *options, struct head *head,
		const struct lp_source **source, struct lp_error *err)
{
	struct lp_error why;
	int status = lp_input_check_format(format, err), seen;

	if (status < 0)
		return status;
	seen = read_head(options->content ? options->content : path, head,
			 &why);
	/* The name of a PCP archive need not be that of a file. */
	if (seen < 0 && format)
		*source = lp_source_find(format);
	else if (seen < 0 || (head->packing && head->n == 0 &&
			      !lp_packing_is_built(head->packing)))
		*source = lp_source_guess(path, head->bytes, 0);
	else
		status = choose(path, head, format, source, err);
	if (status == 0 && seen < 0 && !unpacks_itself(*source))
		return lp_fail(err, -seen, "%s", why.text);
	return status;
}

const struct lp_source *lp_input_source(const char *path, const char *format,
					const struct lp_source_options *options)
{
	const struct lp_source *source = NULL;
	struct lp_error err;
	struct head head;

	return look(path, format, options, &head, &source, &err) < 0 ? NULL
								     : source;
}

int lp_input_open(const char *path, const char *format,
		  const struct lp_source_options *options,
		  const struct lp_query *query, struct lp_stream **stream,
		  struct lp_error *err)
{
	const struct lp_source *source = NULL;
	struct head head;
	int status = look(path, format, options, &head, &source, err);

	if (status < 0)
		return status;
	if (head.packing && !unpacks_itself(source))
		return open_packed(source, path, head.packing, options, query,
				   stream, err);
	return open_plain(source, path, options, query, stream, err);
}

/* ---- what can be read only once ---- */

/* Whether it is worth reading on. */
static int check_beginning(const char *path, const struct head *head,
			   const char *format, struct lp_error *err)
{
	const struct lp_source *source;
	int status;

	if (lp_packing_of(head->bytes, head->n))
		return 0; /* it is looked into when it is opened */
	status = choose(path, head, format, &source, err);
	if (status < 0)
		return status;
	if (unpacks_itself(source))
		return lp_fail(err, EINVAL,
			       "%s: a recording in the format %s is several "
			       "files and cannot come through a pipe",
			       path, source->name);
	if (!format || head->n == 0 || looks_like_text(head) ||
	    (source ? source->recognise(path, head->bytes, head->n)
		    : lp_archive_recognise(head->bytes, head->n)))
		return 0;
	return lp_fail(err, EINVAL, "%s: is not %s", path,
		       source == &lp_source_csv ? "text" : "in that format");
}

static int spool(int from, const char *path, const char *format,
		 struct lp_temp_file *temp, struct lp_error *err)
{
	struct head head = { .regular = true };
	uint8_t bytes[PIECE];
	ssize_t n = read_some(from, head.bytes, HEAD_BYTES);
	int status;

	if (n >= 0) {
		head.n = (size_t)n;
		status = check_beginning(path, &head, format, err);
		if (status == 0)
			status = lp_temp_file_write(temp, head.bytes, head.n,
						    path, err);
		if (status < 0)
			return status;
	}
	while (n > 0 && (n = read_some(from, bytes, PIECE)) > 0) {
		status = lp_temp_file_write(temp, bytes, (size_t)n, path, err);
		if (status < 0)
			return status;
	}
	return n < 0 ? lp_fail_errno(err, (int)-n, "%s: cannot read", path) : 0;
}

int lp_input_spool(const char *path, const char *format, int *fd,
		   struct lp_error *err)
{
	bool is_stdin = strcmp(path, LP_INPUT_STDIN) == 0;
	lp_auto_close int from = is_stdin ? lp_stdin_take(err)
					  : open(path, O_RDONLY | O_CLOEXEC);
	struct lp_temp_file temp;
	int status;

	if (from < 0 && is_stdin)
		return from;
	if (from < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	status = lp_temp_file_open(&temp, err);
	if (status < 0)
		return status;
	status = spool(from, is_stdin ? "standard input" : path, format, &temp,
		       err);
	if (status < 0)
		close(temp.fd);
	else
		*fd = temp.fd;
	return status;
}

/* ---- files of a directory ---- */

int lp_input_recognise(const char *path, const char *format,
		       struct lp_error *err)
{
	const struct lp_source *source;
	struct head head;
	int status = read_head(path, &head, err);

	if (status < 0 || !head.regular)
		return status;
	if (lp_archive_recognise(head.bytes, head.n))
		return !format || strcmp(format, ARCHIVE_FORMAT) == 0;
	source = lp_source_guess(path, head.bytes, head.n);
	if (source)
		return !format || strcmp(format, source->name) == 0;
	if (head.packing && !lp_packing_is_built(head.packing))
		return lp_fail(err, ENOTSUP,
			       "%s: is compressed with %s; this limpid was "
			       "built without it; unpack it first",
			       path, lp_packing_name(head.packing));
	return 0;
}

size_t lp_input_stem(const char *path)
{
	const struct lp_source *source = NULL;
	struct head head;
	struct lp_error err;

	if (read_head(path, &head, &err) == 0)
		source = lp_source_guess(path, head.bytes, head.n);
	return source && source->stem ? source->stem(path) : strlen(path);
}
