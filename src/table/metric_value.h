/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue's metrics, computed from increases and levels.
 */
#ifndef LP_TABLE_METRIC_VALUE_H
#define LP_TABLE_METRIC_VALUE_H

#include "table/steps.h"

struct lp_metric_terms {
	int column[LP_METRIC_TERMS]; /* -1: there is no such column */
	bool optional[LP_METRIC_TERMS];
	size_t n;
};

/* A metric with its columns looked up once. */
struct lp_metric_plan {
	const struct lp_metric *metric;
	size_t n_columns; /* that were known then */
	bool per_second;
	struct lp_metric_terms above, instead_above, below, instead_below;
	int direct; /* a level of the metric's own name, or -1 */
};

/*
 * Make the plan for the columns of a span; needed again if they grew, and for
 * the spans of another lp_steps, whose columns may stand in another order.
 */
void lp_metric_plan(struct lp_metric_plan *plan, const struct lp_metric *metric,
		    const struct lp_column *columns, size_t n_columns);

/*
 * value[point], NaN where it is missing; a ratio with nothing below is 0, as
 * in sysstat (no request: await 0). False: the component has none of the
 * columns, and value is untouched. The plan must be of the span's columns.
 */
bool lp_metric_evaluate(const struct lp_metric_plan *plan,
			const struct lp_span *span, double *value);

/*
 * The values of a metric all of whose counters stood still, 0 or NaN, without
 * computing them: lp_metric_evaluate would give the same. NULL: compute them.
 */
const double *lp_metric_rest(const struct lp_metric_plan *plan,
			     const struct lp_span *span);

#endif
