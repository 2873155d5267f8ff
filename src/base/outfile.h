/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears, or replaces another, only when it is whole.
 */
#ifndef LP_BASE_OUTFILE_H
#define LP_BASE_OUTFILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* What a kind of output looks like, so that it replaces no other file. */
struct lp_outkind {
	const char *name; /* "an HTML page by limpid" */
	/* Its files begin with one of these; ended by NULL. */
	const char *const *beginnings;
	/* And hold this in their first LP_OUTKIND_HEAD bytes, or NULL. */
	const char *holds;
	/*
	 * Not even those of its kind are replaced, for this reason: "may be a
	 * recording; ..."; NULL: they are.
	 */
	const char *keep;
};

#define LP_OUTKIND_HEAD 4096

/*
 * Whether the user's file at path may be replaced: there is none, it is empty,
 * it is no regular file (a pipe, a terminal), or it is of this kind. -EEXIST:
 * it holds something else; -EISDIR, or what hinders looking.
 */
int lp_outfile_check(const char *path, const struct lp_outkind *kind,
		     struct lp_error *err);

struct lp_outfile {
	FILE *out;
	char *path, *temp; /* temp NULL: it has no name yet, or needs none */
	int direct;        /* no regular file: /dev/stdout, a pipe */
};

/*
 * An output that a user asked for: checked as above, and "-" is standard
 * output.
 */
int lp_outfile_create(struct lp_outfile *file, const char *path,
		      const struct lp_outkind *kind, struct lp_error *err);
/* A file in a place of our own: whatever is there is replaced. */
int lp_outfile_open(struct lp_outfile *file, const char *path,
		    struct lp_error *err);
/* Flush, sync, put in place, close; whatever happens. */
int lp_outfile_commit(struct lp_outfile *file, struct lp_error *err);
/* Close and leave what was there. Accepts a zeroed one and a committed one. */
void lp_outfile_abandon(struct lp_outfile *file);

/* Whether a path for output means standard output: "-", "/dev/stdout". */
bool lp_is_stdout(const char *path);
/* Whether both names lead to one file that is there. */
bool lp_is_same_file(const char *a, const char *b);

#endif
