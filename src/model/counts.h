/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts: how often each of some texts was seen on a host, or on one of its
 * components, in a span of time. What is counted is an open kind, a name: a
 * "profile" counts stacks of functions. Who does not know the kind passes over
 * it.
 *
 *     texts   0 "read;ext4_read"   1 "write"   2 "fsync"
 *     ids     0                                2          ascending
 *     counts  41                               3
 */
#ifndef LP_MODEL_COUNTS_H
#define LP_MODEL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_counts {
	const char *kind, *host;
	/* Of which component, as in the samples; both NULL: of the host. */
	const char *class_name, *component;
	int64_t from_ns, to_ns; /* both inclusive */
	const char *const *texts;
	size_t n_texts;
	const uint32_t *ids; /* of texts: ascending, each at most once */
	const uint64_t *counts;
	size_t n_counts; /* of ids, and of counts */
};

/* Whether it is as said above, and has a kind. */
bool lp_counts_valid(const struct lp_counts *counts);
/* Whether both say the same; NULL is "". */
bool lp_counts_equal(const struct lp_counts *a, const struct lp_counts *b);

#endif
