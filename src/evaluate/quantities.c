/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/baseline.h"

/*
 * Those that the catalogue does not have: parts of its ratios, so that a window
 * sums first and divides then.
 */
static const struct lp_metric own[LP_QUANTITIES] = {
	[LP_BUSY] = { .name = "busy time",
		      .unit = "s/s",
		      .scale = 0.001,
		      .above = { "io_ms" } },
	[LP_REQUESTS] = { .name = "requests",
			  .unit = "requests/s",
			  .scale = 1,
			  .above = { "rd_ios", "wr_ios" },
			  .instead_above = { "ios" } },
	[LP_WAIT] = { .name = "time of requests",
		      .unit = "s/s",
		      .scale = 0.001,
		      .above = { "rd_ms", "wr_ms" } },
	[LP_SENT] = { .name = "bytes sent",
		      .unit = "B/s",
		      .scale = 1,
		      .above = { "bytes_sent" } },
	[LP_RESENT] = { .name = "bytes sent again",
			.unit = "B/s",
			.scale = 1,
			.above = { "bytes_retrans" } },
};

static bool has_columns(const struct lp_class *class,
			const struct lp_metric *metric)
{
	size_t i = 0;

	for (; i < LP_METRIC_TERMS && metric->above[i]; i++)
		if (lp_class_column(class, metric->above[i]) < 0)
			return false;
	return i > 0;
}

static bool is_it(const struct lp_metric *m, enum lp_quantity quantity)
{
	switch (quantity) {
	case LP_DELAY:
		return m->indicts && m->role == LP_LATENCY;
	case LP_THROUGHPUT:
		return m->total;
	case LP_TAKEN:
		return m->indicts && m->role == LP_LOAD &&
		       m->flow == LP_FLOW_IN;
	case LP_GIVEN:
		return m->indicts && m->role == LP_LOAD &&
		       m->flow == LP_FLOW_OUT;
	default:
		return false;
	}
}

const struct lp_metric *lp_quantity_metric(const struct lp_class *class,
					   enum lp_quantity quantity)
{
	if (has_columns(class, &own[quantity]))
		return &own[quantity];
	for (size_t i = 0; i < class->n_metrics; i++)
		if (is_it(&class->metrics[i], quantity))
			return &class->metrics[i];
	return NULL;
}
