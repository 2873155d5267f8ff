/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantiles, everywhere R's type 7 (its default): with h = (n - 1) p, the
 * value between the floor(h)-th and the next smallest, linearly. Inputs hold
 * no NaN; all functions that take them writable spoil their input, and all give
 * NaN for n = 0.
 */
#ifndef LP_STATS_QUANTILE_H
#define LP_STATS_QUANTILE_H

#include <stddef.h>

double lp_quantile(double *x, size_t n, double p);
double lp_median(double *x, size_t n);
/* The same, quicker for few numbers; n > 0. */
double lp_median_few(double *x, size_t n);
/* The third less the first quartile. */
double lp_iqr(double *x, size_t n);
/*
 * The same of numbers that stay as they are and of which none is below low or
 * above high. `scratch` has n places, others than x.
 */
double lp_iqr_of(const double *x, size_t n, double low, double high,
		 double *scratch);
/* The median of |x - median(x)|, not scaled. */
double lp_mad(double *x, size_t n);

/* The same as lp_quantile for input that is sorted already. */
double lp_quantile_sorted(const double *x, size_t n, double p);

/* The k-th smallest (from 0), which then stands at x[k]; k < n. Reorders. */
double lp_select(double *x, size_t n, size_t k);

/*
 * Those of several ranks, which ascend and are below n: values[k]. At most 4,
 * and fewer than n numbers may be left in x.
 */
void lp_select_ranks(double *x, size_t n, const size_t *rank, size_t k,
		     double *values);

#endif
