/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of the kernel, kept open and read anew from its beginning each time:
 * opening costs more than reading.
 */
#ifndef LP_SOURCE_PROCFILE_H
#define LP_SOURCE_PROCFILE_H

#include "source/reader.h"

struct lp_procfile {
	char *path;
	int fd;       /* -1: not open */
	int netns_fd; /* namespace to open it in; -1: our own */
	char *text;   /* what was read last; not terminated */
	size_t size, capacity;
};

/*
 * Name the file: `path` begins with "proc/" or "sys/" and is looked for under
 * the context's root; proc/net belongs to the context's network namespace.
 * Nothing is opened. 0 or -ENOMEM. Accepts being done twice.
 */
int lp_procfile_init(struct lp_procfile *file,
		     const struct lp_reader_context *context, const char *path);
void lp_procfile_done(struct lp_procfile *file);

/*
 * Read all of it. 0 with text and size set, or -errno: the file is closed
 * then and opened again at the next call.
 */
int lp_procfile_read(struct lp_procfile *file, struct lp_error *err);

/* The next line in [*at, end), without its newline; false: none is left. */
bool lp_next_line(const char **at, const char *end, const char **line,
		  const char **line_end);

/*
 * What a parser says of a line it cannot read: -EINVAL, and the line with its
 * number in err, if err holds no earlier one (*broken counts them).
 */
void lp_bad_line(const struct lp_procfile *file, const char *line,
		 const char *line_end, size_t *broken, struct lp_error *err);

#endif
