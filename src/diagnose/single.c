/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/single.h"

#include "detect/cdf.h"
#include "detect/shares.h"
#include "diagnose/unit.h"
#include "stats/quantile.h"
#include "stats/smooth.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int lp_unit_window(const struct lp_unit *u,
		   const struct lp_diagnose_input *input, int64_t end_ns,
		   double *x)
{
	size_t n = u->group->n, w = u->params.window, active;
	lp_auto_free double *row = calloc(2 * n + 1, sizeof(*row));
	struct lp_smooth *smooth = lp_smooth_new(n, u->params.smooth);
	int64_t first, span = (int64_t)(w + u->params.smooth - 1);
	int64_t points = (int64_t)lp_matrix_points(input->matrix, &first);
	int64_t last = (end_ns - first) / input->step_ns;

	active = lp_active_points(u, input->step_ns);
	for (int64_t k = last - span + 1; row && smooth && k <= last; k++) {
		if (k < 0 || k >= points)
			for (size_t i = 0; i < n; i++)
				row[i] = NAN;
		else
			lp_peer_row(u->group, input->matrix, u->metric_index,
				    active, (size_t)k, row);
		lp_smooth_push(smooth, row, row + n);
		if (last - k < (int64_t)w)
			for (size_t i = 0; i < n; i++)
				x[i * w + w - 1 - (size_t)(last - k)] =
					row[n + i];
	}
	lp_smooth_free(smooth);
	return row && smooth ? 0 : -ENOMEM;
}

/* ---- cdf and pdf: this one's pairs only ---- */

static void conclude(double *distances, double threshold, struct lp_verdict *v)
{
	for (uint32_t j = 0; j < v->others; j++)
		v->over += distances[j] > threshold;
	if (v->others < 2)
		return;
	v->flag = 2 * v->over > v->others;
	v->median_distance = lp_median(distances, v->others);
	v->critical =
		lp_select(distances, v->others, v->others - v->others / 2 - 1);
}

static int compare(const struct lp_curves *c, bool cumulative, size_t peer,
		   double threshold, struct lp_arena *arena,
		   struct lp_verdict *v)
{
	double *distances = lp_arena_alloc_raw(arena, c->n * sizeof(double));
	struct lp_shares shares;

	if (!distances || (!cumulative && lp_shares_make(&shares, c, arena)))
		return -ENOMEM;
	for (size_t j = 0; c->present[peer] && j < c->n; j++)
		if (j != peer && c->present[j])
			distances[v->others++] =
				cumulative ? lp_cdf_distance(c, peer, j)
					   : lp_shares_divergence(&shares, peer,
								  j);
	conclude(distances, threshold, v);
	return 0;
}

static int judge_curves(const struct lp_unit *u, const struct lp_window *window,
			size_t peer, struct lp_arena *arena,
			struct lp_verdict *v)
{
	bool cumulative = u->detector == &lp_detector_cdf;
	double *samples = lp_arena_alloc_raw(arena, window->n * window->w *
							    sizeof(*samples));
	struct lp_curves curves;
	struct lp_bins bins;

	if (!samples)
		return -ENOMEM;
	bins = cumulative ? lp_bins_freedman(window, lp_metric_floor(u->metric),
					     samples)
			  : lp_bins_sturges(window);
	if (bins.count == 0)
		return 0;
	if (lp_curves_make(&curves, window, &bins, cumulative, arena) < 0)
		return -ENOMEM;
	return compare(&curves, cumulative, peer, u->thresholds[peer], arena,
		       v);
}

/* The other methods are cheap for all at once. */
static int judge_all(const struct lp_unit *u, const struct lp_window *window,
		     size_t peer, struct lp_arena *arena, struct lp_verdict *v)
{
	struct lp_verdict *all =
		lp_arena_alloc(arena, window->n * sizeof(*all));
	struct lp_judge_input input = {
		.window = *window,
		.thresholds = u->thresholds,
		.floor = lp_metric_floor(u->metric),
		.exact = true,
	};
	int status = all ? u->detector->judge(&input, arena, all) : -ENOMEM;

	if (status == 0)
		*v = all[peer];
	return status;
}

int lp_judge_single(const struct lp_unit *u,
		    const struct lp_diagnose_input *input, size_t peer,
		    int64_t end_ns, struct lp_verdict *verdict)
{
	size_t n = u->group->n, w = u->params.window;
	struct lp_arena arena = { 0 };
	double *x = lp_arena_alloc_raw(&arena, n * w * sizeof(*x));
	struct lp_window window = { x, n, w };
	struct lp_verdict v = { .median_distance = NAN, .critical = NAN };
	int status = x ? lp_unit_window(u, input, end_ns, x) : -ENOMEM;

	if (status == 0)
		status = u->detector == &lp_detector_cdf ||
					 u->detector == &lp_detector_pdf
				 ? judge_curves(u, &window, peer, &arena, &v)
				 : judge_all(u, &window, peer, &arena, &v);
	if (status == 0)
		*verdict = v;
	lp_arena_done(&arena);
	return status;
}
