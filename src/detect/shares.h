/* SPDX-License-Identifier: Apache-2.0 */
/* What both versions of pdf compute distances from. */
#ifndef LP_DETECT_SHARES_H
#define LP_DETECT_SHARES_H

#include "detect/curve.h"

/* Shares and their logarithms, [n * bins] each. */
struct lp_shares {
	size_t bins;
	double *p, *log_p;
};

/* In memory of the arena. 0 or -ENOMEM. */
int lp_shares_make(struct lp_shares *shares, const struct lp_curves *curves,
		   struct lp_arena *arena);
/* The symmetric divergence of two components. */
double lp_shares_divergence(const struct lp_shares *shares, size_t i, size_t j);

#endif
