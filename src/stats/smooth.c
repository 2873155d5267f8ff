/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/smooth.h"

#include <math.h>
#include <stdlib.h>

struct lp_smooth {
	size_t n, width, next;
	double *ring;   /* [width][n] */
	double *counts; /* [n] */
};

struct lp_smooth *lp_smooth_new(size_t n, size_t width)
{
	struct lp_smooth *smooth = calloc(1, sizeof(*smooth));

	if (!smooth)
		return NULL;
	smooth->n = n;
	smooth->width = width;
	smooth->ring = reallocarray(NULL, n * width + 1, sizeof(double));
	smooth->counts = reallocarray(NULL, n + 1, sizeof(double));
	if (!smooth->ring || !smooth->counts) {
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
	free(smooth->counts);
	free(smooth);
}

/* Row by row, so that the inner loop runs over neighbours in memory. */
static void add_row(const double *row, size_t n, double *sums, double *counts)
{
	for (size_t i = 0; i < n; i++) {
		double there = row[i] == row[i] ? 1 : 0;

		sums[i] += there != 0 ? row[i] : 0;
		counts[i] += there;
	}
}

void lp_smooth_push(struct lp_smooth *smooth, const double *row, double *means)
{
	size_t n = smooth->n;
	double *slot = smooth->ring + smooth->next * n;

	for (size_t i = 0; i < n; i++) {
		slot[i] = row[i];
		means[i] = smooth->counts[i] = 0;
	}
	smooth->next = (smooth->next + 1) % smooth->width;
	/* Oldest first, so that the result does not depend on the ring. */
	for (size_t k = 0; k < smooth->width; k++)
		add_row(smooth->ring + (smooth->next + k) % smooth->width * n,
			n, means, smooth->counts);
	for (size_t i = 0; i < n; i++)
		means[i] = 2 * smooth->counts[i] < (double)smooth->width
				   ? NAN
				   : means[i] / smooth->counts[i];
}
