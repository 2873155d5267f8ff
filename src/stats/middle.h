/* SPDX-License-Identifier: Apache-2.0 */
/* Medians of all numbers but one, for each of them, by one selection. */
#ifndef LP_STATS_MIDDLE_H
#define LP_STATS_MIDDLE_H

#include <stddef.h>

/*
 * What the median without one number can be made of: of an odd count the
 * middle one and its neighbours, of an even count the two in the middle.
 */
struct lp_middle {
	size_t n;
	double low, at, high;
};

/* Of x[n], which is reordered. NaN is not allowed. */
void lp_middle_of(double *x, size_t n, struct lp_middle *middle);

/* The median of all but one that equals v, which is among them. NaN: n < 2. */
double lp_median_without(const struct lp_middle *middle, double v);

#endif
