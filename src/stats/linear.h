/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A straight line by least squares: what R's lm(y ~ x) finds.
 */
#ifndef LP_STATS_LINEAR_H
#define LP_STATS_LINEAR_H

#include <stddef.h>

struct lp_line {
	double intercept, slope;
};

/*
 * Least squares over n points; weights w (lm's weights) or NULL. All x equal:
 * the slope is 0 and the intercept the mean. n is at least 1.
 */
struct lp_line lp_line_fit(const double *x, const double *y, const double *w,
			   size_t n);
/* The same with the intercept given: lm(I(y - intercept) ~ 0 + x). */
struct lp_line lp_line_fit_from(const double *x, const double *y,
				const double *w, size_t n, double intercept);

double lp_line_at(const struct lp_line *line, double x);

#endif
