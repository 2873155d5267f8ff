/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles as paths, "PROGRAM;IMAGE;FUNCTION" and, of the kernel's functions,
 * with their callers: what flame graphs and other viewers take.
 */
#ifndef LP_BEHAVIOR_FOLDED_H
#define LP_BEHAVIOR_FOLDED_H

#include "behavior/collection.h"

/* Stacks of the kernel by host, without times. Zero-initialise. */
struct lp_stacks {
	struct lp_names names; /* "HOST\tPROGRAM;[kernel];OUTER;...;INNER" */
	uint64_t *counts;
	size_t capacity;
};

/* Add counts of stacks that overlap [since, until]. 0, -ENOMEM, -EINVAL. */
int lp_stacks_add(struct lp_stacks *stacks, const struct lp_counts *counts,
		  int64_t since_ns, int64_t until_ns);
void lp_stacks_done(struct lp_stacks *stacks);

/* Zero-initialise. */
struct lp_folded {
	struct lp_names paths;
	double *seconds; /* of CPU */
	size_t capacity;
};

/*
 * Add what a host did (NULL: all). What a function of the kernel used is
 * divided among its callers as its stacks are, which may be of a longer time.
 * 0 or -ENOMEM.
 */
int lp_folded_add(struct lp_folded *folded,
		  const struct lp_collection *collection,
		  const struct lp_stacks *stacks, const char *host);
void lp_folded_done(struct lp_folded *folded);

#endif
