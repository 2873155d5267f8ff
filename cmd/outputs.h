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
	struct lp_output_place place;
	bool done;
	struct lp_names names; /* number = file */
	struct lp_outfile *files;
	size_t n, capacity;
};

int lp_outputs_init(struct lp_outputs *outputs, const char *path,
		    struct lp_error *err);
/*
 * The file of that name in the directory (slashes in it become _), or the only
 * one. *is_new (may be NULL): it is empty so far.
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
