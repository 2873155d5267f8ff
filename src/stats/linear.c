/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/linear.h"

static double weight(const double *w, size_t i)
{
	return w ? w[i] : 1;
}

static double mean(const double *v, const double *w, size_t n)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < n; i++) {
		sum += weight(w, i) * (v[i] - v[0]);
		weights += weight(w, i);
	}
	return v[0] + (weights > 0 ? sum / weights : 0);
}

struct lp_line lp_line_fit(const double *x, const double *y, const double *w,
			   size_t n)
{
	double mx = mean(x, w, n), my = mean(y, w, n), xx = 0, xy = 0;
	struct lp_line line = { .slope = 0 };

	for (size_t i = 0; i < n; i++) {
		xx += weight(w, i) * (x[i] - mx) * (x[i] - mx);
		xy += weight(w, i) * (x[i] - mx) * (y[i] - my);
	}
	if (xx > 0)
		line.slope = xy / xx;
	line.intercept = my - line.slope * mx;
	return line;
}

struct lp_line lp_line_fit_from(const double *x, const double *y,
				const double *w, size_t n, double intercept)
{
	struct lp_line line = { .intercept = intercept };
	double xx = 0, xy = 0;

	for (size_t i = 0; i < n; i++) {
		xx += weight(w, i) * x[i] * x[i];
		xy += weight(w, i) * x[i] * (y[i] - intercept);
	}
	if (xx > 0)
		line.slope = xy / xx;
	return line;
}

double lp_line_at(const struct lp_line *line, double x)
{
	return line->intercept + line->slope * x;
}
