/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/single.h"

#include "diagnose/unit.h"
#include "stats/smooth.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Rows of the matrix from `from` on, NaN outside of it. */
static void fetch(const struct lp_unit *u,
		  const struct lp_diagnose_input *input, int64_t from,
		  size_t n_rows, double *rows)
{
	int64_t first,
		points = (int64_t)lp_matrix_points(input->matrix, &first);
	int64_t to = from + (int64_t)n_rows;
	int64_t begin = from < 0 ? 0 : from, end = to > points ? points : to;
	size_t n = u->group->n;

	for (size_t i = 0; i < n_rows * n; i++)
		rows[i] = NAN;
	if (begin < end)
		lp_peer_rows(u->group, input->matrix, u->metric_index,
			     lp_active_points(u, input->step_ns), (size_t)begin,
			     (size_t)(end - begin),
			     rows + (size_t)(begin - from) * n);
}

int lp_unit_window(const struct lp_unit *u,
		   const struct lp_diagnose_input *input, int64_t end_ns,
		   double *x)
{
	size_t n = u->group->n, w = u->params.window;
	size_t n_rows = w + u->params.smooth - 1;
	lp_auto_free double *rows =
		reallocarray(NULL, (n_rows + 1) * n + 1, sizeof(*rows));
	struct lp_smooth *smooth = lp_smooth_new(n, u->params.smooth);
	int64_t first = 0;

	lp_matrix_points(input->matrix, &first);
	if (rows && smooth)
		fetch(u, input,
		      (end_ns - first) / input->step_ns - (int64_t)n_rows + 1,
		      n_rows, rows);
	for (size_t r = 0; rows && smooth && r < n_rows; r++) {
		double *out = rows + n_rows * n;

		lp_smooth_push(smooth, rows + r * n, out);
		for (size_t i = 0; r + w >= n_rows && i < n; i++)
			x[i * w + r + w - n_rows] = out[i];
	}
	lp_smooth_free(smooth);
	return rows && smooth ? 0 : -ENOMEM;
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
	int status = x ? lp_unit_window(u, input, end_ns, x) : -ENOMEM;

	if (status == 0)
		status = lp_detector_explain(u->detector, &judge, peer, &arena,
					     verdict);
	lp_arena_done(&arena);
	return status;
}
