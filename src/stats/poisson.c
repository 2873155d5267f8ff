/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/poisson.h"

#include <math.h>

#define TERMS 10000
#define TINY 1e-300
#define ENOUGH 1e-16

/* P(a, x) by its series (DLMF 8.11.4), which is short for x < a + 1. */
static double series(double a, double x, double front)
{
	double term = 1 / a, sum = term;

	for (int n = 1; n < TERMS && term > sum * ENOUGH; n++) {
		term *= x / (a + n);
		sum += term;
	}
	return front * sum;
}

/* 1 - P(a, x) by its continued fraction (DLMF 8.9.2), by Lentz's method. */
static double fraction(double a, double x, double front)
{
	double b = x + 1 - a, c = 1 / TINY, d = 1 / b, h = d;

	for (int n = 1; n < TERMS; n++) {
		double an = -n * (n - a), step;

		b += 2;
		d = an * d + b;
		c = b + an / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		step = c * d;
		h *= step;
		if (fabs(step - 1) < ENOUGH)
			break;
	}
	return front * h;
}

double lp_gamma_incomplete(double a, double x)
{
	double front;

	if (x <= 0)
		return 0;
	front = exp(a * log(x) - x - lgamma(a));
	return x < a + 1 ? series(a, x, front) : 1 - fraction(a, x, front);
}

/* By halving, as of the beta function: it never fails. */
double lp_chi_square_quantile(double p, double degrees)
{
	double a = degrees / 2, low = 0, high = 1;

	while (lp_gamma_incomplete(a, high) < p)
		high *= 2;
	for (int i = 0; i < 80; i++) {
		double middle = (low + high) / 2;

		if (lp_gamma_incomplete(a, middle) < p)
			low = middle;
		else
			high = middle;
	}
	return low + high;
}

void lp_poisson_interval(size_t events, double confidence, double *low,
			 double *high)
{
	double tail = (1 - confidence) / 2, k = (double)events;

	*low = events == 0 ? 0 : lp_chi_square_quantile(tail, 2 * k) / 2;
	*high = lp_chi_square_quantile(1 - tail, 2 * k + 2) / 2;
}
