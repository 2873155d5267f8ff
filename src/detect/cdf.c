/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/cdf.h"

#include "stats/quantile.h"

#include <assert.h>
#include <errno.h>
#include <math.h>

double lp_cdf_distance(const struct lp_curves *curves, size_t i, size_t j)
{
	const void *p = lp_curves_row(curves, i), *q = lp_curves_row(curves, j);
	uint32_t m = curves->present[i], n = curves->present[j];
	const struct lp_rows *rows = curves->rows;

	/* Whole numbers below 2^53, so this is sum |p/m - q/n|, rounded once.
	 */
	if (m == n)
		return (double)rows->l1(p, q, curves->length) / m;
	return (double)rows->l1_scaled(p, n, q, m, curves->length) /
	       ((double)m * n);
}

struct pairs {
	const struct lp_curves *curves;
	double (*distance)(const void *of, size_t i, size_t j);
	const void *of;
	double *distances; /* of the component at hand */
};

static double least(const double *x, size_t n)
{
	double v = x[0];

	for (size_t k = 1; k < n; k++)
		v = x[k] < v ? x[k] : v;
	return v;
}

static struct lp_verdict judge(const struct pairs *pairs, size_t i,
			       double threshold)
{
	const struct lp_curves *curves = pairs->curves;
	struct lp_verdict v = lp_verdict_none();
	size_t half;

	if (!curves->present[i])
		return v;
	for (size_t j = 0; j < curves->n; j++) {
		double d;

		if (j == i || !curves->present[j])
			continue;
		d = pairs->distance(pairs->of, i, j);
		pairs->distances[v.others++] = d;
		v.over += d > threshold;
	}
	v.flag = v.others >= 2 && 2 * v.over > v.others;
	if (v.others < 2)
		return v;
	half = (v.others - 1) / 2;
	/* The (others / 2 + 1)-th largest, which is the lower median. */
	v.critical = lp_select(pairs->distances, v.others, half);
	v.median_distance =
		v.others % 2 ? v.critical
			     : (v.critical + least(pairs->distances + half + 1,
						   v.others - half - 1)) /
				       2;
	return v;
}

int lp_judge_pairs(const struct lp_curves *curves,
		   double (*distance)(const void *of, size_t i, size_t j),
		   const void *of, const double *thresholds,
		   struct lp_verdict *verdicts, struct lp_arena *arena)
{
	struct pairs pairs = { curves, distance, of, NULL };

	pairs.distances = lp_arena_alloc_raw(arena, curves->n * sizeof(double));
	if (!pairs.distances)
		return -ENOMEM;
	for (size_t i = 0; i < curves->n; i++)
		verdicts[i] = judge(&pairs, i, thresholds[i]);
	return 0;
}

int lp_judge_pairs_of(const struct lp_curves *curves,
		      double (*distance)(const void *of, size_t i, size_t j),
		      const void *of, size_t i, double threshold,
		      struct lp_verdict *verdict, struct lp_arena *arena)
{
	struct pairs pairs = { curves, distance, of, NULL };

	assert(i < curves->n);
	pairs.distances = lp_arena_alloc_raw(arena, curves->n * sizeof(double));
	if (!pairs.distances)
		return -ENOMEM;
	*verdict = judge(&pairs, i, threshold);
	return 0;
}

static double cdf_distance(const void *curves, size_t i, size_t j)
{
	return lp_cdf_distance(curves, i, j);
}

int lp_cdf_plain(const struct lp_curves *curves, const double *thresholds,
		 struct lp_verdict *verdicts, struct lp_arena *arena)
{
	return lp_judge_pairs(curves, cdf_distance, curves, thresholds,
			      verdicts, arena);
}

int lp_cdf_explain(const struct lp_curves *curves, size_t i, double threshold,
		   struct lp_verdict *verdict, struct lp_arena *arena)
{
	return lp_judge_pairs_of(curves, cdf_distance, curves, i, threshold,
				 verdict, arena);
}
