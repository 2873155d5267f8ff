/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The span during which a series is raised: from which value on, up to which,
 * and between which values each of both may be.
 *
 *          raised:   ····●●●●●●●●●·····
 *                        since    until
 */
#ifndef LP_STATS_RAISED_H
#define LP_STATS_RAISED_H

#include <stdbool.h>
#include <stddef.h>

/* Where a span begins or ends: the first value of the new level. */
struct lp_raised_edge {
	size_t at, low, high;
	bool seen; /* false: it is no worse to say that there is no such edge:
		      at is then 0 of a begin, n of an end */
};

struct lp_raised {
	struct lp_raised_edge since, until;
};

/* What is known before. */
struct lp_raised_model {
	double base, effect; /* it rises from about base by about effect */
	size_t least;        /* values that a span has, above 0 */
	size_t latest;       /* it begins at this value or before */
};

/*
 * The most likely span of values[n], NaN where missing: two levels, each with a
 * scatter of its own, that lie on different sides of base + effect / 2. Edges
 * of which the logarithm of the likelihood is not lower by more than 8 are
 * within the bounds. n^2 steps. 0 or -ENOMEM.
 */
int lp_raised_find(const double *values, size_t n,
		   const struct lp_raised_model *model, struct lp_raised *span);

#endif
