/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Points count as if ten times as many were like them. One request is then
 * enough for a time: it scatters more, and what is made of a course allows for
 * that.
 */
#define REPEATED 10

struct lp_course {
	size_t n;
	double cell_s;
	const struct lp_metric *quantity;
	struct lp_blocks *blocks;
	struct lp_sums *sums;        /* [n] */
	double *residuals, *scratch; /* [n], [6 * n] */
};

void lp_course_free(struct lp_course *t)
{
	if (!t)
		return;
	lp_blocks_free(t->blocks);
	free(t->sums);
	free(t->residuals);
	free(t->scratch);
	free(t);
}

struct lp_course *lp_course_new(size_t n, const struct lp_metric *quantity,
				const struct lp_metric *const *metrics,
				size_t n_metrics, double step_s, size_t points)
{
	struct lp_course *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->n = n;
	t->cell_s = step_s * (double)points;
	t->quantity = quantity;
	t->blocks = lp_blocks_new(n, metrics, n_metrics, step_s, points, NULL);
	t->sums = calloc(n + 1, sizeof(*t->sums));
	t->residuals = calloc(n + 1, sizeof(*t->residuals));
	t->scratch = calloc(6 * n + 1, sizeof(*t->scratch));
	if (t->blocks && t->sums && t->residuals && t->scratch)
		return t;
	lp_course_free(t);
	return NULL;
}

/*
 * Of counts the share: whether a point is lossy or not says little where few
 * bytes are sent.
 */
static double share_beyond(struct lp_course *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->residuals[i] = lp_quantity_share(&t->sums[i], 1);
	lp_medians_of_others(t->residuals, t->n, t->scratch, t->scratch + t->n);
	return t->residuals[0] - t->scratch[0];
}

void lp_course_take(struct lp_course *t, const double *const *rows)
{
	lp_blocks_take(t->blocks, rows, 0);
}

double lp_course_end(struct lp_course *t)
{
	lp_blocks_end(t->blocks);
	memcpy(t->sums, lp_blocks_sums(t->blocks, 1), t->n * sizeof(*t->sums));
	if (lp_quantity_of(t->quantity)->counts)
		return share_beyond(t);
	for (size_t i = 0; i < t->n; i++)
		for (size_t s = 0; s < LP_SUMS; s++)
			t->sums[i].v[s] *= REPEATED;
	lp_quantity_residuals(t->quantity, t->sums, t->n, 1,
			      REPEATED * t->cell_s, t->residuals, t->scratch);
	return t->residuals[0];
}
