/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/quantile.h"

#include <math.h>

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

static double median_of_three(double a, double b, double c)
{
	if (a > b)
		swap(&a, &b);
	if (b > c)
		b = c;
	return a > b ? a : b;
}

/* Quickselect with three parts, so that ties (idle devices) cost nothing. */
double lp_select(double *x, size_t n, size_t k)
{
	size_t lo = 0, hi = n;

	while (hi - lo > 1) {
		double pivot = median_of_three(x[lo], x[lo + (hi - lo) / 2],
					       x[hi - 1]);
		size_t below = lo, at = lo, above = hi;

		while (at < above) {
			if (x[at] < pivot)
				swap(&x[below++], &x[at++]);
			else if (x[at] > pivot)
				swap(&x[at], &x[--above]);
			else
				at++;
		}
		if (k < below)
			hi = below;
		else if (k >= above)
			lo = above;
		else
			break;
	}
	return x[k];
}

static double between(double a, double b, double h)
{
	/* As R: equal neighbours, infinite ones too, give themselves. */
	return h > 0 && a != b ? (1 - h) * a + h * b : a;
}

double lp_quantile(double *x, size_t n, double p)
{
	double index, low, next;
	size_t k;

	if (n == 0)
		return NAN;
	index = (double)(n - 1) * p;
	k = (size_t)index;
	low = lp_select(x, n, k);
	if (k + 1 == n)
		return low;
	next = x[k + 1];
	for (size_t i = k + 2; i < n; i++)
		if (x[i] < next)
			next = x[i];
	return between(low, next, index - (double)k);
}

double lp_quantile_sorted(const double *x, size_t n, double p)
{
	double index;
	size_t k;

	if (n == 0)
		return NAN;
	index = (double)(n - 1) * p;
	k = (size_t)index;
	return k + 1 == n ? x[k] : between(x[k], x[k + 1], index - (double)k);
}

double lp_median(double *x, size_t n)
{
	return lp_quantile(x, n, 0.5);
}

double lp_iqr(double *x, size_t n)
{
	double third = lp_quantile(x, n, 0.75);

	return third - lp_quantile(x, n, 0.25);
}

double lp_mad(double *x, size_t n)
{
	double middle = lp_median(x, n);

	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - middle);
	return lp_median(x, n);
}
