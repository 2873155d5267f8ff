/* SPDX-License-Identifier: Apache-2.0 */
#include "table/input.h"

#include "archive/parallel.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARCHIVE_FORMAT "limpid"
#define HEAD_BYTES 4096

struct head {
	uint8_t bytes[HEAD_BYTES];
	size_t n;
	bool regular;
};

/*
 * What a file begins with. A pipe would lose these bytes, and the name of a
 * PCP archive need not be that of a file: both have an empty head.
 */
static int read_head(const char *path, struct head *head)
{
	lp_auto_close int fd = -1;
	struct stat st;
	ssize_t n;

	head->n = 0;
	head->regular = false;
	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	head->regular = true;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, head->bytes, sizeof(head->bytes));
	if (n < 0)
		return -errno;
	head->n = (size_t)n;
	return 0;
}

static void list_formats(char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, ARCHIVE_FORMAT);

	for (size_t i = 0; lp_sources[i] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, ", %s",
					 lp_sources[i]->name);
}

static int not_recognised(const char *path, const struct head *head,
			  struct lp_error *err)
{
	char formats[128];

	list_formats(formats, sizeof(formats));
	if (!head->regular)
		return lp_fail(err, EINVAL,
			       "%s: no regular file, so its format cannot be "
			       "told from its first bytes; say -f FORMAT (%s)",
			       path, formats);
	return lp_fail(err, EINVAL,
		       "%s: %s; if you know its format, say -f FORMAT (%s)",
		       path,
		       head->n ? "not a file that limpid recognises"
			       : "the file is empty",
		       formats);
}

static int open_source(const struct lp_source *source, const char *path,
		       const struct lp_source_options *options,
		       const struct lp_query *query, struct lp_stream **stream,
		       struct lp_error *err)
{
	int fd, r;

	if (source->open)
		return source->open(path, options, query, stream, err);
	r = source->convert(path, options, query, &fd, err);
	if (r < 0)
		return r;
	return lp_archive_open_fd(fd, path, query, stream, err);
}

static int open_guessed(const char *path,
			const struct lp_source_options *options,
			const struct lp_query *query, struct lp_stream **stream,
			struct lp_error *err)
{
	const struct lp_source *source;
	struct head head;
	int r = read_head(path, &head);

	if (r == 0 && lp_archive_recognise(head.bytes, head.n))
		return lp_archive_open_parallel(path, query, stream, err);
	source = lp_source_guess(path, head.bytes, head.n);
	if (source)
		return open_source(source, path, options, query, stream, err);
	if (r < 0)
		return lp_fail_errno(err, -r, "cannot open %s", path);
	return not_recognised(path, &head, err);
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

int lp_input_open(const char *path, const char *format,
		  const struct lp_source_options *options,
		  const struct lp_query *query, struct lp_stream **stream,
		  struct lp_error *err)
{
	int r = lp_input_check_format(format, err);

	if (r < 0)
		return r;
	if (!format)
		return open_guessed(path, options, query, stream, err);
	if (strcmp(format, ARCHIVE_FORMAT) == 0)
		return lp_archive_open_parallel(path, query, stream, err);
	return open_source(lp_source_find(format), path, options, query, stream,
			   err);
}

bool lp_input_recognised(const char *path)
{
	struct head head;

	return read_head(path, &head) == 0 && head.regular &&
	       (lp_archive_recognise(head.bytes, head.n) ||
		lp_source_guess(path, head.bytes, head.n));
}

size_t lp_input_stem(const char *path)
{
	const struct lp_source *source = NULL;
	struct head head;

	if (read_head(path, &head) == 0)
		source = lp_source_guess(path, head.bytes, head.n);
	return source && source->stem ? source->stem(path) : strlen(path);
}
