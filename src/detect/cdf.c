/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/cdf.h"

#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

double lp_cdf_distance(const struct lp_curves *curves, size_t i, size_t j)
{
	const uint16_t *p = curves->counts + i * curves->bins;
	const uint16_t *q = curves->counts + j * curves->bins;
	int64_t m = curves->present[i], n = curves->present[j];
	int64_t sum = 0;

	for (size_t b = 0; b < curves->bins; b++)
		sum += llabs(p[b] * n - q[b] * m);
	return (double)sum / (double)(m * n);
}

struct pairs {
	const struct lp_curves *curves;
	double (*distance)(const void *of, size_t i, size_t j);
	const void *of;
	double *distances; /* of the component at hand */
};

static struct lp_verdict judge(const struct pairs *pairs, size_t i,
			       double threshold)
{
	const struct lp_curves *curves = pairs->curves;
	struct lp_verdict v = { .median_distance = NAN, .critical = NAN };

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
	v.median_distance = lp_median(pairs->distances, v.others);
	/* The (others / 2 + 1)-th largest: over it, more than half are. */
	v.critical = lp_select(pairs->distances, v.others,
			       v.others - v.others / 2 - 1);
	return v;
}

void lp_judge_pairs(const struct lp_curves *curves,
		    double (*distance)(const void *of, size_t i, size_t j),
		    const void *of, const double *thresholds,
		    struct lp_verdict *verdicts, double *distances)
{
	struct pairs pairs = { curves, distance, of, distances };

	for (size_t i = 0; i < curves->n; i++)
		verdicts[i] = judge(&pairs, i, thresholds[i]);
}

static double cdf_distance(const void *curves, size_t i, size_t j)
{
	return lp_cdf_distance(curves, i, j);
}

void lp_cdf_plain(const struct lp_curves *curves, const double *thresholds,
		  struct lp_verdict *verdicts, double *distances)
{
	lp_judge_pairs(curves, cdf_distance, curves, thresholds, verdicts,
		       distances);
}
