/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/single.h"

#include "diagnose/unit.h"
#include "stats/smooth.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The points of a window, with those before it that are averaged. */
struct stretch {
	size_t n_rows;
	size_t first, n; /* those that the matrix has: from row `first` on */
	size_t k;        /* of the first of them in the matrix */
};

static struct stretch stretch_of(const struct lp_unit *u,
				 const struct lp_diagnose_input *input,
				 int64_t end_ns)
{
	int64_t begin_ns = 0;
	int64_t points = (int64_t)lp_matrix_points(input->matrix, &begin_ns);
	int64_t rows = (int64_t)(u->params.window + u->params.smooth) - 1;
	int64_t to = (end_ns - begin_ns) / input->step_ns + 1;
	int64_t from = to - rows;
	int64_t first = from < 0 ? 0 : from, last = to > points ? points : to;

	if (first >= last)
		return (struct stretch){ .n_rows = (size_t)rows };
	return (struct stretch){
		.n_rows = (size_t)rows,
		.first = (size_t)(first - from),
		.n = (size_t)(last - first),
		.k = (size_t)first,
	};
}

/* Rows of pools, which are made of many components; NULL: no memory. */
static double *pool_rows(const struct lp_unit *u,
			 const struct lp_diagnose_input *input,
			 const struct stretch *s)
{
	double *rows =
		reallocarray(NULL, s->n * u->group->n + 1, sizeof(*rows));

	if (rows && s->n)
		lp_peer_rows(u->group, input->matrix, u->metric_index,
			     lp_active_points(u, input->step_ns), s->k, s->n,
			     rows);
	return rows;
}

/*
 * Those of one peer; rows NULL: it is a component of the matrix. Returns
 * whether all are 0, if that is plain to see.
 */
static bool fetch(const struct lp_unit *u,
		  const struct lp_diagnose_input *input,
		  const struct stretch *s, const double *rows, size_t peer,
		  double *values)
{
	for (size_t r = 0; r < s->first; r++)
		values[r] = NAN;
	for (size_t r = s->first + s->n; r < s->n_rows; r++)
		values[r] = NAN;
	for (size_t r = 0; rows && r < s->n; r++)
		values[s->first + r] = rows[r * u->group->n + peer];
	return !rows && s->n &&
	       lp_matrix_series(input->matrix, u->metric_index,
				u->group->components[peer], s->k, s->n,
				values + s->first) &&
	       s->n == s->n_rows;
}

int lp_unit_window(const struct lp_unit *u,
		   const struct lp_diagnose_input *input, int64_t end_ns,
		   double *x)
{
	size_t w = u->params.window;
	struct stretch s = stretch_of(u, input, end_ns);
	bool pools = u->group->sockets != LP_SOCKETS_NONE;
	lp_auto_free double *rows = pools ? pool_rows(u, input, &s) : NULL;
	lp_auto_free double *values =
		reallocarray(NULL, s.n_rows + 1, sizeof(*values));

	if (!values || (pools && !rows))
		return -ENOMEM;
	for (size_t i = 0; i < u->group->n; i++) {
		if (fetch(u, input, &s, rows, i, values))
			memset(x + i * w, 0, w * sizeof(*x));
		else
			lp_smooth_series(values, u->params.smooth, x + i * w,
					 w);
	}
	return 0;
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
