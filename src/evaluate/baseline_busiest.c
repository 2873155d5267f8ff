/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one does with iostat: name the disk that was busiest. It always names
 * one.
 */
#include "evaluate/baseline.h"

#include <math.h>

/* The mean over the run; NaN: nothing was recorded. */
static double mean_busy(const struct lp_judged_group *g, size_t points,
			size_t peer)
{
	double sum = 0;
	size_t n = 0;

	for (size_t k = 0; k < points; k++) {
		double v = g->values[LP_BUSY][k * g->n + peer];

		n += isnan(v) ? 0 : 1;
		sum += isnan(v) ? 0 : v;
	}
	return n ? sum / (double)n : NAN;
}

static int judge(const struct lp_judged_run *run, double limit,
		 struct lp_alarms *alarms)
{
	int64_t last_ns =
		run->first_ns + (int64_t)(run->points - 1) * run->step_ns;
	struct lp_indictment worst = { .cause = LP_CAUSE_DISK_BUSY,
				       .since_ns = run->first_ns,
				       .until_ns = last_ns,
				       .lasting = true,
				       .known_ns = last_ns,
				       .score = limit };

	for (size_t i = 0; i < run->n_groups; i++) {
		const struct lp_judged_group *g = &run->groups[i];

		for (size_t p = 0; g->values[LP_BUSY] && p < g->n; p++) {
			double busy = mean_busy(g, run->points, p);

			if (!(busy > worst.score))
				continue;
			worst.score = busy;
			worst.host = g->hosts[p];
			worst.component = g->labels[p];
		}
	}
	return worst.host ? lp_alarms_add(alarms, &worst) : 0;
}

const struct lp_baseline lp_baseline_busiest = {
	.name = "busiest",
	.help = "the disk that was busiest; it always names one",
	.judge = judge,
};
