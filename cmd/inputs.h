/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a command is to read, as one stream.
 */
#ifndef LP_CMD_INPUTS_H
#define LP_CMD_INPUTS_H

#include "base/names.h"
#include "source/source.h"

struct lp_inputs {
	const char *format; /* NULL: each by its first bytes */
	struct lp_source_options options;
	struct lp_query query;
	char **paths;
	size_t n, capacity;
	struct lp_names recordings; /* of the paths, without their parts */
};

/* "All of it": then set what differs. */
void lp_inputs_init(struct lp_inputs *inputs);
void lp_inputs_done(struct lp_inputs *inputs);

/*
 * Add a file, unless it is part of a recording that was added (of PCP, whose
 * recordings are several files); of a directory all files that limpid
 * recognises, in the order of their names. -EINVAL: a directory without any.
 */
int lp_inputs_add(struct lp_inputs *inputs, const char *path,
		  struct lp_error *err);

/* All of them, merged by time. The inputs must stay. */
int lp_inputs_open(struct lp_inputs *inputs, struct lp_stream **stream,
		   struct lp_error *err);
/* One of them alone. */
int lp_inputs_open_one(const struct lp_inputs *inputs, size_t input,
		       struct lp_stream **stream, struct lp_error *err);

#endif
