/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same flags with fewer distances. A histogram of seven bins has few
 * values in practice: equal ones are gathered, a distance is computed once for
 * each distinct partner and counts for all of them, and counting stops as soon
 * as more than half, or not, is certain.
 */
#include "detect/pdf.h"

#include "detect/shares.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gathered {
	const struct lp_curves *curves;
	uint32_t *order; /* components with a histogram, equal ones together */
	uint32_t n;
	uint32_t *first; /* [group] index in order; one more at the end */
	uint32_t n_groups;
	uint32_t *group; /* by component */
};

static int compare_rows(const void *a, const void *b, void *argument)
{
	const struct lp_curves *curves = argument;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (curves->present[i] != curves->present[j])
		return curves->present[i] < curves->present[j] ? -1 : 1;
	return memcmp(lp_curves_row(curves, i), lp_curves_row(curves, j),
		      curves->length * curves->rows->size);
}

static void gather(struct gathered *g)
{
	for (uint32_t i = 0; i < g->curves->n; i++)
		if (g->curves->present[i])
			g->order[g->n++] = i;
	qsort_r(g->order, g->n, sizeof(*g->order), compare_rows,
		(void *)(uintptr_t)g->curves);
	for (uint32_t k = 0; k < g->n; k++) {
		if (k == 0 || compare_rows(&g->order[k - 1], &g->order[k],
					   (void *)(uintptr_t)g->curves) != 0)
			g->first[g->n_groups++] = k;
		g->group[g->order[k]] = g->n_groups - 1;
	}
	g->first[g->n_groups] = g->n;
}

static bool flag_one(const struct gathered *g, const struct lp_shares *shares,
		     uint32_t i, double threshold)
{
	uint32_t others = g->n - 1, over = 0, not_over = 0;

	for (uint32_t k = 0; k < g->n_groups; k++) {
		uint32_t weight = g->first[k + 1] - g->first[k];
		uint32_t j = g->order[g->first[k]];

		weight -= k == g->group[i];
		if (lp_shares_divergence(shares, i, j) > threshold)
			over += weight;
		else
			not_over += weight;
		if (2 * over > others || 2 * not_over >= others)
			break;
	}
	return 2 * over > others;
}

static void flag_all(const struct gathered *g, const struct lp_shares *shares,
		     const double *thresholds, struct lp_verdict *verdicts)
{
	for (uint32_t i = 0; i < g->curves->n; i++) {
		verdicts[i] = lp_verdict_none();
		if (!g->curves->present[i])
			continue;
		verdicts[i].others = g->n - 1;
		verdicts[i].flag =
			g->n > 2 && flag_one(g, shares, i, thresholds[i]);
	}
}

int lp_pdf_fast(const struct lp_curves *curves, const double *thresholds,
		struct lp_verdict *verdicts, struct lp_arena *arena)
{
	size_t n = curves->n;
	uint32_t *memory =
		lp_arena_alloc_raw(arena, (3 * n + 1) * sizeof(*memory));
	struct gathered g = { .curves = curves };
	struct lp_shares shares;

	if (!memory || lp_shares_make(&shares, curves, arena) < 0)
		return -ENOMEM;
	g.order = memory;
	g.group = memory + n;
	g.first = memory + 2 * n;
	gather(&g);
	flag_all(&g, &shares, thresholds, verdicts);
	return 0;
}
