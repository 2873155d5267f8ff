/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/binomial.h"

#include <math.h>

#define TERMS 500
#define TINY 1e-300

static double away_from_0(double v)
{
	return fabs(v) < TINY ? TINY : v;
}

/* The d-th pair of terms of the continued fraction (DLMF 8.17.22). */
static void pair(double x, double a, double b, double m, double *even,
		 double *odd)
{
	*even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
	*odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

/* By Lentz's method; converges fast for x < (a + 1) / (a + b + 2). */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / away_from_0(1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m <= TERMS; m++) {
		double term[2], step = 1;

		pair(x, a, b, m, &term[0], &term[1]);
		for (int i = 0; i < 2; i++) {
			d = 1 / away_from_0(1 + term[i] * d);
			c = away_from_0(1 + term[i] / c);
			step = d * c;
			h *= step;
		}
		if (fabs(step - 1) < 1e-16)
			break;
	}
	return h;
}

double lp_beta_incomplete(double x, double a, double b)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(x, a, b) / a;
	return 1 - front * fraction(1 - x, b, a) / b;
}

/* By halving: 60 times is more than a double can tell, and never fails. */
double lp_beta_quantile(double p, double a, double b)
{
	double low = 0, high = 1;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (lp_beta_incomplete(middle, a, b) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

void lp_binomial_interval(size_t hits, size_t n, double confidence, double *low,
			  double *high)
{
	double tail = (1 - confidence) / 2, x = (double)hits;
	double misses = (double)(n - hits);

	*low = hits == 0 ? 0 : lp_beta_quantile(tail, x, misses + 1);
	*high = hits == n ? 1 : lp_beta_quantile(1 - tail, x + 1, misses);
}
