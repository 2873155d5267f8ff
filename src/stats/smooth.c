/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/smooth.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 8

struct lp_smooth {
	size_t n, width, next;
	double *ring;        /* [width][n] */
	const double **rows; /* [width]: the oldest first */
};

struct lp_smooth *lp_smooth_new(size_t n, size_t width)
{
	struct lp_smooth *smooth = calloc(1, sizeof(*smooth));

	if (!smooth)
		return NULL;
	smooth->n = n;
	smooth->width = width;
	smooth->ring = reallocarray(NULL, n * width + 1, sizeof(double));
	smooth->rows = reallocarray(NULL, width + 1, sizeof(*smooth->rows));
	if (!smooth->ring || !smooth->rows) {
		lp_smooth_free(smooth);
		return NULL;
	}
	for (size_t i = 0; i < n * width; i++)
		smooth->ring[i] = NAN;
	return smooth;
}

void lp_smooth_free(struct lp_smooth *smooth)
{
	if (!smooth)
		return;
	free(smooth->ring);
	free(smooth->rows);
	free(smooth);
}

/* One series, of which something is missing. */
static double mean_of_present(const struct lp_smooth *smooth, size_t i)
{
	size_t present = 0;
	double sum = 0, mean;

	for (size_t k = 0; k < smooth->width; k++) {
		double v = smooth->rows[k][i];

		if (fabs(v) <= DBL_MAX) {
			sum += v;
			present++;
		}
	}
	mean = sum / (double)present;
	return 2 * present < smooth->width || !(fabs(mean) <= DBL_MAX) ? NAN
								       : mean;
}

/* A few series at once, so that their sums stay in registers. */
static void sum_block(const struct lp_smooth *smooth, size_t first,
		      double *means)
{
	double sums[BLOCK] = { 0 };

	for (size_t k = 0; k < smooth->width; k++) {
		const double *row = smooth->rows[k] + first;

		for (size_t b = 0; b < BLOCK; b++)
			sums[b] += row[b];
	}
	for (size_t b = 0; b < BLOCK; b++)
		means[first + b] = sums[b] / (double)smooth->width;
}

void lp_smooth_push(struct lp_smooth *smooth, const double *row, double *means)
{
	size_t n = smooth->n, whole = n - n % BLOCK;

	memcpy(smooth->ring + smooth->next * n, row, n * sizeof(*row));
	smooth->next = (smooth->next + 1) % smooth->width;
	/* Oldest first, so that the result does not depend on the ring. */
	for (size_t k = 0; k < smooth->width; k++)
		smooth->rows[k] =
			smooth->ring + (smooth->next + k) % smooth->width * n;
	for (size_t i = 0; i < whole; i += BLOCK)
		sum_block(smooth, i, means);
	/* A sum that is a number had all its samples; 0 + v is v + 0. */
	for (size_t i = 0; i < n; i++)
		if (i >= whole || !(fabs(means[i]) <= DBL_MAX))
			means[i] = mean_of_present(smooth, i);
}

/* One mean, of which something is missing. */
static double mean_of_series(const double *x, size_t width)
{
	size_t present = 0;
	double sum = 0, mean;

	for (size_t k = 0; k < width; k++)
		if (fabs(x[k]) <= DBL_MAX) {
			sum += x[k];
			present++;
		}
	mean = sum / (double)present;
	return 2 * present < width || !(fabs(mean) <= DBL_MAX) ? NAN : mean;
}

void lp_smooth_series(const double *x, size_t width, double *means, size_t n)
{
	size_t whole = n - n % BLOCK;

	for (size_t i = 0; i < whole; i += BLOCK) {
		double sums[BLOCK] = { 0 };

		for (size_t k = 0; k < width; k++)
			for (size_t b = 0; b < BLOCK; b++)
				sums[b] += x[i + k + b];
		for (size_t b = 0; b < BLOCK; b++)
			means[i + b] = sums[b] / (double)width;
	}
	for (size_t i = 0; i < n; i++)
		if (i >= whole || !(fabs(means[i]) <= DBL_MAX))
			means[i] = mean_of_series(x + i, width);
}
