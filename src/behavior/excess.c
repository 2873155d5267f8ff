/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/excess.h"

#include "stats/quantile.h"

#include <math.h>
#include <string.h>

/* Makes the MAD of normal values their standard deviation. */
#define MAD_SIGMA 1.4826

double lp_excess(const struct lp_vectors *v, size_t a, size_t b)
{
	const double *p = v->value + a * v->n_functions;
	const double *q = v->value + b * v->n_functions;
	const double *vp = v->variance + a * v->n_functions;
	const double *vq = v->variance + b * v->n_functions;
	double sum = 0;

	for (size_t f = 0; f < v->n_functions; f++) {
		double sigma = v->sigma ? v->sigma[f] : 0;
		double beyond = fabs(p[f] - q[f]) -
				LP_EXCESS_SIGMAS * sqrt(vp[f] + vq[f] + 1 +
							2 * sigma * sigma);

		if (beyond > 0)
			sum += beyond;
	}
	return sum;
}

double lp_manhattan(const struct lp_vectors *v, size_t a, size_t b)
{
	const double *p = v->value + a * v->n_functions;
	const double *q = v->value + b * v->n_functions;
	double sum = 0;

	for (size_t f = 0; f < v->n_functions; f++)
		sum += fabs(p[f] - q[f]);
	return sum;
}

void lp_median_distances(const struct lp_vectors *v, lp_distance *distance,
			 double *scratch, double *median)
{
	for (size_t a = 0; a < v->n_hosts; a++) {
		size_t n = 0;

		for (size_t b = 0; b < v->n_hosts; b++)
			if (b != a)
				scratch[n++] = distance(v, a, b);
		median[a] = n ? lp_median(scratch, n) : NAN;
	}
}

double lp_spread(const double *values, size_t n, double *scratch)
{
	memcpy(scratch, values, n * sizeof(*values));
	return MAD_SIGMA * lp_mad(scratch, n);
}
