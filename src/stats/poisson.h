/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact intervals of a rate: how often something that was counted happens.
 */
#ifndef LP_STATS_POISSON_H
#define LP_STATS_POISSON_H

#include <stddef.h>

/* The regularised incomplete gamma function P(a, x); a > 0, x >= 0. */
double lp_gamma_incomplete(double a, double x);
/* The x that a chi-square variable of so many degrees exceeds with 1 - p. */
double lp_chi_square_quantile(double p, double degrees);

/*
 * Garwood's interval for the mean of which `events` were seen, at the
 * confidence given (0.95): half the quantiles of chi-square with 2 events and
 * 2 events + 2 degrees of freedom. Never too narrow. 0 events: from 0.
 */
void lp_poisson_interval(size_t events, double confidence, double *low,
			 double *high);

#endif
