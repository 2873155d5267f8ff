/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profiles of some hosts over a span of time as one matrix, in samples at
 * the lowest rate of them, and as if no slot was missing.
 */
#ifndef LP_BEHAVIOR_SPAN_H
#define LP_BEHAVIOR_SPAN_H

#include "behavior/collection.h"

struct lp_span_host {
	size_t host;  /* of the collection */
	size_t slots; /* that count */
	uint64_t rate;
	size_t daemon;
	double total; /* samples as they were counted */
};

/* Zero-initialise; it can be filled again and again. */
struct lp_profile_span {
	struct lp_span_host *hosts;
	size_t n_hosts, hosts_capacity;
	uint32_t *functions; /* of the columns */
	size_t n_functions, functions_capacity;
	double *value, *variance; /* [host][column] */
	size_t value_capacity, variance_capacity;
	double rate;      /* of the values */
	uint32_t *column; /* of each function, + 1 */
	size_t column_capacity;
};

/* Which hosts, and which functions. */
typedef bool lp_span_takes_host(void *user, const struct lp_span_host *host);
typedef bool lp_span_takes_function(void *user, uint32_t function);

/*
 * Slots that begin in [begin, end). A host of which fewer than `least` slots
 * count is left out, as are those that are not taken. 0 or -ENOMEM.
 */
int lp_span_fill(struct lp_profile_span *span,
		 const struct lp_collection *collection, int64_t begin_ns,
		 int64_t end_ns, size_t least, lp_span_takes_host *takes_host,
		 lp_span_takes_function *takes_function, void *user);
void lp_span_done(struct lp_profile_span *span);

#endif
