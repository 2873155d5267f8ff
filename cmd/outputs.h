/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a command writes text: standard output, a file, or a directory of
 * files. Files appear when all is written.
 */
#ifndef LP_CMD_OUTPUTS_H
#define LP_CMD_OUTPUTS_H

#include "base/names.h"
#include "base/outfile.h"

#include <stdbool.h>

/* An output file that a command line asks for. */
struct lp_output {
	const char *option; /* "--html" */
	const char *path;   /* NULL: not asked for */
	const struct lp_outkind *kind;
};

/*
 * Whether the command may write them: none replaces an input, a recording or
 * any file that is not of its kind, and no two are one file. Every command
 * asks before its work; what fails is a wrong command line. Inputs end with
 * NULL.
 */
int lp_outputs_check(const struct lp_output *outputs, size_t n,
		     char *const *inputs, struct lp_error *err);

/*
 * The same for an archive at path: a recording is replaced only where the user
 * said so. -EEXIST: it may not be.
 */
int lp_output_check_archive(const char *path, bool replace, char *const *inputs,
			    struct lp_error *err);

/* What a path for output names. */
struct lp_output_place {
	bool is_directory;
	bool made; /* by us */
};

/* A path that ends in / is a directory, which is made. */
int lp_output_place(const char *path, struct lp_output_place *place,
		    struct lp_error *err);

struct lp_outputs {
	const char *path; /* NULL: standard output */
	const struct lp_outkind *kind;
	char *const *inputs; /* ended by NULL */
	struct lp_output_place place;
	bool done;
	struct lp_names names; /* number = file */
	struct lp_outfile *files;
	size_t n, capacity;
};

/* NULL and "-" are standard output. Kind and inputs as in a check. */
int lp_outputs_init(struct lp_outputs *outputs, const char *path,
		    const struct lp_outkind *kind, char *const *inputs,
		    struct lp_error *err);
/*
 * The file of that name in the directory (slashes in it become _), or the only
 * one. *is_new (may be NULL): it is empty so far. -EEXIST: it may not be
 * replaced.
 */
int lp_outputs_get(struct lp_outputs *outputs, const char *name, FILE **out,
		   bool *is_new, struct lp_error *err);
/* Whether it is no use to go on: a full disk, a closed pipe. */
bool lp_outputs_failed(const struct lp_outputs *outputs);
/* Put all files in place. */
int lp_outputs_commit(struct lp_outputs *outputs, struct lp_error *err);
/* Leave what was there; after a commit only frees. */
void lp_outputs_abandon(struct lp_outputs *outputs);

/*
 * A name as part of a file's name: slashes and control characters become _.
 * -EEXIST: one of the others would have the same file.
 */
int lp_safe_name(char *text, size_t size, const char *name,
		 const struct lp_names *others, struct lp_error *err);

#endif
