/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/single.h"

#include "diagnose/unit.h"
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
			lp_peer_rows(u->group, input->matrix, u->metric_index,
				     active, (size_t)k, 1, row);
		lp_smooth_push(smooth, row, row + n);
		if (last - k < (int64_t)w)
			for (size_t i = 0; i < n; i++)
				x[i * w + w - 1 - (size_t)(last - k)] =
					row[n + i];
	}
	lp_smooth_free(smooth);
	return row && smooth ? 0 : -ENOMEM;
}

int lp_judge_single(const struct lp_unit *u,
		    const struct lp_diagnose_input *input, size_t peer,
		    int64_t end_ns, struct lp_verdict *verdict)
{
	size_t n = u->group->n, w = u->params.window;
	struct lp_arena arena = { 0 };
	double *x = lp_arena_alloc_raw(&arena, n * w * sizeof(*x));
	struct lp_judge_input judge = {
		.window = { x, n, w },
		.thresholds = u->thresholds,
		.floor = u->metric->floor,
		.exact = true,
	};
	int r = x ? lp_unit_window(u, input, end_ns, x) : -ENOMEM;

	if (r == 0)
		r = lp_detector_explain(u->detector, &judge, peer, &arena,
					verdict);
	lp_arena_done(&arena);
	return r;
}
