/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears, or replaces another, only when it is whole.
 */
#ifndef LP_BASE_OUTFILE_H
#define LP_BASE_OUTFILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct lp_outfile {
	FILE *out;
	char *path, *temp; /* temp NULL: it has no name yet, or needs none */
	int direct;        /* no regular file: /dev/stdout, a pipe */
};

int lp_outfile_open(struct lp_outfile *file, const char *path,
		    struct lp_error *err);
/* Flush, sync, put in place, close; whatever happens. */
int lp_outfile_commit(struct lp_outfile *file, struct lp_error *err);
/* Close and leave what was there. Accepts a zeroed one and a committed one. */
void lp_outfile_abandon(struct lp_outfile *file);

/* Whether both names lead to one file that is there. */
bool lp_is_same_file(const char *a, const char *b);

#endif
