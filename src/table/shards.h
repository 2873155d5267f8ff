/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs apart by host. Merged by time, all of them are open at once and hold
 * what they decoded; a table does not need that. Whoever reads them twice notes
 * in the first pass which hosts each holds, and takes in the second the inputs
 * of one host (or of several that share an input) after the other.
 */
#ifndef LP_TABLE_SHARDS_H
#define LP_TABLE_SHARDS_H

#include "base/names.h"
#include "table/merge.h"

/* Zero-initialise. */
struct lp_shards {
	lp_merge_open_fn *open; /* of an input */
	void *context;
	size_t n; /* inputs */
	struct lp_names hosts;
	size_t *input_of; /* by host: the first input that holds it */
	size_t input_of_capacity;
	size_t *parent;  /* by input: another of its shard; itself: the root */
	size_t *members; /* of the shard that is open */
	bool failed;     /* a host could not be noted: all are one shard */
};

/* The inputs 0 to n - 1, merged by time; hosts are noted. The context stays. */
int lp_shards_survey(struct lp_shards *shards, lp_merge_open_fn *open,
		     void *context, size_t n, struct lp_stream **stream,
		     struct lp_error *err);

/*
 * The shard whose first input is *at or one behind it, merged by time. 1: it
 * is open, and *at is where to go on; 0: there is none. After the survey, one
 * at a time.
 */
int lp_shards_next(struct lp_shards *shards, size_t *at,
		   struct lp_stream **stream, struct lp_error *err);
void lp_shards_done(struct lp_shards *shards);

#endif
