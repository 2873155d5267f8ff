/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file as one piece of memory: mapped where it can be, read otherwise.
 */
#ifndef LP_BASE_TEXTFILE_H
#define LP_BASE_TEXTFILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise; close accepts that, too. */
struct lp_text_file {
	const char *text; /* not terminated */
	size_t size;
	bool mapped;
};

/* A pipe is read to its end. A directory is -EISDIR. */
int lp_text_file_open(struct lp_text_file *file, const char *path,
		      struct lp_error *err);
void lp_text_file_close(struct lp_text_file *file);

#endif
