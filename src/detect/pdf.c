/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/pdf.h"

#include "detect/shares.h"

#include <errno.h>
#include <math.h>

double lp_pdf_maximum(size_t samples, size_t bins)
{
	double n = (double)samples;

	/* (n + 1/2) / (n + B/2) in one bin and 1/2 / (n + B/2) in another. */
	return n / (n + (double)bins / 2) * log(2 * n + 1);
}

static void fill_shares(const struct lp_shares *shares,
			const struct lp_curves *curves, size_t i)
{
	double n = curves->present[i] + (double)shares->bins / 2;
	const void *row = lp_curves_row(curves, i);
	size_t first = i * shares->bins;

	for (size_t b = 0; b < shares->bins; b++) {
		shares->p[first + b] = (curves->rows->at(row, b) + 0.5) / n;
		shares->log_p[first + b] = log(shares->p[first + b]);
	}
}

int lp_shares_make(struct lp_shares *shares, const struct lp_curves *curves,
		   struct lp_arena *arena)
{
	size_t cells = curves->n * curves->bins.count;

	shares->bins = curves->bins.count;
	shares->p = lp_arena_alloc_raw(arena, cells * sizeof(double));
	shares->log_p = lp_arena_alloc_raw(arena, cells * sizeof(double));
	if (!shares->p || !shares->log_p)
		return -ENOMEM;
	for (size_t i = 0; i < curves->n; i++)
		fill_shares(shares, curves, i);
	return 0;
}

double lp_shares_divergence(const struct lp_shares *shares, size_t i, size_t j)
{
	const double *p = shares->p + i * shares->bins;
	const double *q = shares->p + j * shares->bins;
	const double *log_p = shares->log_p + i * shares->bins;
	const double *log_q = shares->log_p + j * shares->bins;
	double sum = 0;

	for (size_t b = 0; b < shares->bins; b++)
		sum += (p[b] - q[b]) * (log_p[b] - log_q[b]);
	return sum / 2;
}

static double divergence(const void *shares, size_t i, size_t j)
{
	return lp_shares_divergence(shares, i, j);
}

int lp_pdf_plain(const struct lp_curves *curves, const double *thresholds,
		 struct lp_verdict *verdicts, struct lp_arena *arena)
{
	struct lp_shares shares;

	if (lp_shares_make(&shares, curves, arena) < 0)
		return -ENOMEM;
	return lp_judge_pairs(curves, divergence, &shares, thresholds, verdicts,
			      arena);
}

int lp_pdf_explain(const struct lp_curves *curves, size_t i, double threshold,
		   struct lp_verdict *verdict, struct lp_arena *arena)
{
	struct lp_shares shares;

	if (lp_shares_make(&shares, curves, arena) < 0)
		return -ENOMEM;
	return lp_judge_pairs_of(curves, divergence, &shares, i, threshold,
				 verdict, arena);
}
