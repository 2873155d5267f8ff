/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a disk did anything. Medians do not tell: one that works in bursts
 * has a median of 0 and may have done the most of all. A single request does.
 */
#ifndef LP_DIAGNOSE_WORK_H
#define LP_DIAGNOSE_WORK_H

#include "diagnose/diagnose.h"

enum lp_work {
	LP_WORK_UNKNOWN, /* nothing was recorded */
	LP_WORK_NONE,
	LP_WORK_SOME,
};

/* The metrics that tell, by their index in the matrix. */
#define LP_WORK_METRICS 16
struct lp_work_by {
	size_t metrics[LP_WORK_METRICS];
	size_t n;
};

struct lp_work_by lp_work_by(const struct lp_diagnose_input *input);

/*
 * What a peer did at point k of the matrix, by anything that counts requests,
 * sectors or bytes; latency stands for requests where it is all there is.
 */
enum lp_work lp_work_at(const struct lp_work_by *by,
			const struct lp_diagnose_input *input,
			const struct lp_peer *peer, size_t k);

/*
 * How many points from k on, at most n, it did nothing for sure: lp_work_at
 * would be LP_WORK_NONE at each of them.
 */
size_t lp_work_rest(const struct lp_work_by *by,
		    const struct lp_diagnose_input *input,
		    const struct lp_peer *peer, size_t k, size_t n);

/*
 * The same over the points that lie in (since, until]; seen (may be NULL) is
 * the number of points of which something is known.
 */
enum lp_work lp_work_during(const struct lp_diagnose_input *input,
			    const struct lp_peer *peer, int64_t since_ns,
			    int64_t until_ns, size_t *seen);

#endif
