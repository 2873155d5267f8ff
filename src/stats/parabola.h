/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parabola by least squares, and where a further point may lie: what R's
 * predict(lm(y ~ x + I(x^2)), interval = "prediction") gives.
 */
#ifndef LP_STATS_PARABOLA_H
#define LP_STATS_PARABOLA_H

#include <stdbool.h>
#include <stddef.h>

#define LP_PARABOLA_TERMS 3

struct lp_parabola {
	double mean, spread; /* of x, by which it is scaled */
	double coefficient[LP_PARABOLA_TERMS];
	double inverse[LP_PARABOLA_TERMS][LP_PARABOLA_TERMS]; /* of X'X */
	double sigma; /* of what is left */
	double t;     /* the quantile that was asked for */
};

/*
 * Over n points. confidence: of the bound, one-sided, 0.999. False: fewer than
 * four points, or fewer than three different x.
 */
bool lp_parabola_fit(struct lp_parabola *parabola, const double *x,
		     const double *y, size_t n, double confidence);

double lp_parabola_at(const struct lp_parabola *parabola, double x);
/* With this confidence a further point at x is below. */
double lp_parabola_bound(const struct lp_parabola *parabola, double x);

/* The quantile of Student's t; p above one half. */
double lp_student_quantile(double p, double degrees);

#endif
