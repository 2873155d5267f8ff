/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/pdf.h"

#include "detect/shares.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool lp_shares_init(struct lp_shares *shares, const struct lp_curves *curves)
{
	size_t bins = curves->bins, cells = curves->n * bins;

	shares->bins = bins;
	shares->p = reallocarray(NULL, 2 * cells + 1, sizeof(double));
	if (!shares->p)
		return false;
	shares->log_p = shares->p + cells;
	for (size_t k = 0; k < cells; k++) {
		double n = curves->present[k / bins];

		shares->p[k] =
			(curves->counts[k] + 0.5) / (n + (double)bins / 2);
		shares->log_p[k] = log(shares->p[k]);
	}
	return true;
}

void lp_shares_done(struct lp_shares *shares)
{
	free(shares->p);
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
		 struct lp_verdict *verdicts, double *distances)
{
	struct lp_shares shares;

	if (!lp_shares_init(&shares, curves))
		return -ENOMEM;
	lp_judge_pairs(curves, divergence, &shares, thresholds, verdicts,
		       distances);
	lp_shares_done(&shares);
	return 0;
}
