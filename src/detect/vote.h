/* SPDX-License-Identifier: Apache-2.0 */
/*
 * k of the last 2k - 1 windows (of those so far): what filters sporadic
 * asymmetries (FAST'10 10.1, thesis 3.3).
 */
#ifndef LP_DETECT_VOTE_H
#define LP_DETECT_VOTE_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise. The last 64 windows, the newest in bit 0. */
struct lp_vote {
	uint64_t flags;
};

#define LP_VOTE_K_MAX 32

/*
 * Add a window and say whether the component is now in the anomalous state; k
 * from 1 to LP_VOTE_K_MAX.
 */
static inline bool lp_vote_add(struct lp_vote *vote, bool flag, unsigned k)
{
	uint64_t last = (UINT64_C(1) << (2 * k - 1)) - 1;

	vote->flags = vote->flags << 1 | flag;
	return (unsigned)__builtin_popcountll(vote->flags & last) >= k;
}

#endif
