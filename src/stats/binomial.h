/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact intervals of a proportion.
 */
#ifndef LP_STATS_BINOMIAL_H
#define LP_STATS_BINOMIAL_H

#include <stddef.h>

/* The regularised incomplete beta function I_x(a, b); a, b > 0. */
double lp_beta_incomplete(double x, double a, double b);
/* The x with I_x(a, b) = p. */
double lp_beta_quantile(double p, double a, double b);

/*
 * Clopper and Pearson's interval for `hits` of n at the confidence given
 * (0.95): never too narrow. n = 0: from 0 to 1.
 */
void lp_binomial_interval(size_t hits, size_t n, double confidence, double *low,
			  double *high);

#endif
