/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text file as one piece of memory, or, of any size, through a window.
 *
 * Read, not mapped: when another process makes a mapped file shorter, or its
 * disk fails, whoever touches the lost pages dies of SIGBUS.
 */
#ifndef LP_BASE_TEXTFILE_H
#define LP_BASE_TEXTFILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; close accepts that, too. */
struct lp_text_file {
	char *text;      /* the window; not terminated */
	size_t n;        /* its bytes */
	uint64_t offset; /* where in the file it begins */
	uint64_t size;   /* of the file, when it was opened */
	size_t capacity;
	int fd;
	bool windowed; /* else text is all of it, and fd is closed */
};

/* What is read whole is written by people or small: settings, thresholds. */
#define LP_TEXT_MOST (16 << 20)

/*
 * All of it, at most LP_TEXT_MOST bytes (-EFBIG), none of them zero (-EINVAL).
 * A pipe is read to its end; "-" is standard input, once; a directory is
 * -EISDIR.
 */
int lp_text_file_open(struct lp_text_file *file, const char *path,
		      struct lp_error *err);
/* The same as one string, which is yours. */
int lp_text_file_copy(const char *path, char **text, struct lp_error *err);
/*
 * A file of any size and any bytes but a zero at the beginning; nothing is
 * in the window yet. A pipe is read to its end into a temporary file.
 */
int lp_text_file_open_window(struct lp_text_file *file, const char *path,
			     struct lp_error *err);
void lp_text_file_close(struct lp_text_file *file);

/*
 * Make the window of a windowed file begin at the offset and hold n bytes, or
 * fewer where the file ends. -ESTALE: the file has become shorter since it was
 * opened; -ENOMEM, or what the system says. Then the window is empty.
 */
int lp_text_file_read(struct lp_text_file *file, uint64_t offset, size_t n);

#endif
