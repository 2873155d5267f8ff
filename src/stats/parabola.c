/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/parabola.h"

#include "stats/binomial.h"

#include <math.h>

#define TERMS LP_PARABOLA_TERMS
#define SINGULAR 1e-10

/* P(T > t) is half of I_x(v/2, 1/2) with x = v / (v + t²). */
double lp_student_quantile(double p, double degrees)
{
	double x = lp_beta_quantile(2 * (1 - p), degrees / 2, 0.5);

	return sqrt(degrees * (1 - x) / x);
}

static void terms_of(const struct lp_parabola *c, double x, double terms[TERMS])
{
	double v = (x - c->mean) / c->spread;

	terms[0] = 1;
	terms[1] = v;
	terms[2] = v * v;
}

static void scale(struct lp_parabola *c, const double *x, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	c->mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - c->mean) * (x[i] - c->mean);
	c->spread = sqrt(squares / (double)n);
}

/* By cofactors; false: there is none. */
static bool invert(double m[TERMS][TERMS], double inverse[TERMS][TERMS])
{
	double size = m[0][0] * m[1][1] * m[2][2], determinant = 0;

	for (int i = 0; i < TERMS; i++)
		for (int k = 0; k < TERMS; k++) {
			int a = (i + 1) % TERMS, b = (i + 2) % TERMS;
			int c = (k + 1) % TERMS, d = (k + 2) % TERMS;

			inverse[k][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
		}
	for (int k = 0; k < TERMS; k++)
		determinant += m[0][k] * inverse[k][0];
	for (int i = 0; i < TERMS; i++)
		for (int k = 0; k < TERMS; k++)
			inverse[i][k] /= determinant;
	return fabs(determinant) > SINGULAR * fabs(size);
}

double lp_parabola_at(const struct lp_parabola *c, double x)
{
	double terms[TERMS], y = 0;

	terms_of(c, x, terms);
	for (int i = 0; i < TERMS; i++)
		y += terms[i] * c->coefficient[i];
	return y;
}

bool lp_parabola_fit(struct lp_parabola *c, const double *x, const double *y,
		     size_t n, double confidence)
{
	double square[TERMS][TERMS] = { { 0 } }, right[TERMS] = { 0 };
	double terms[TERMS], left = 0;

	*c = (struct lp_parabola){ 0 };
	if (n <= TERMS)
		return false;
	scale(c, x, n);
	if (!(c->spread > 0))
		return false;
	for (size_t p = 0; p < n; p++) {
		terms_of(c, x[p], terms);
		for (int i = 0; i < TERMS; i++) {
			right[i] += terms[i] * y[p];
			for (int k = 0; k < TERMS; k++)
				square[i][k] += terms[i] * terms[k];
		}
	}
	if (!invert(square, c->inverse))
		return false;
	for (int i = 0; i < TERMS; i++)
		for (int k = 0; k < TERMS; k++)
			c->coefficient[i] += c->inverse[i][k] * right[k];
	for (size_t p = 0; p < n; p++)
		left += pow(y[p] - lp_parabola_at(c, x[p]), 2);
	c->sigma = sqrt(left / (double)(n - TERMS));
	c->t = lp_student_quantile(confidence, (double)(n - TERMS));
	return true;
}

double lp_parabola_bound(const struct lp_parabola *c, double x)
{
	double terms[TERMS], leverage = 0;

	terms_of(c, x, terms);
	for (int i = 0; i < TERMS; i++)
		for (int k = 0; k < TERMS; k++)
			leverage += terms[i] * c->inverse[i][k] * terms[k];
	return lp_parabola_at(c, x) + c->t * c->sigma * sqrt(1 + leverage);
}
