/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/entries.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The mean time of requests; where they were not counted, of what there is. */
static double latency_of(const struct lp_judged_group *g, size_t peer,
			 const struct lp_windows *w, size_t i)
{
	double wait = lp_window_sum(g, LP_WAIT, peer, w, i, NULL);
	double requests = lp_window_sum(g, LP_REQUESTS, peer, w, i, NULL);
	size_t seen;
	double sum;

	if (!isnan(wait) && !isnan(requests))
		return requests > 0 ? 1000 * wait / requests : NAN;
	sum = lp_window_sum(g, LP_DELAY, peer, w, i, &seen);
	return sum / (double)seen;
}

static double throughput_of(const struct lp_judged_group *g, size_t peer,
			    const struct lp_windows *w, size_t i)
{
	size_t seen;
	double sum = lp_window_sum(g, LP_THROUGHPUT, peer, w, i, &seen);

	return sum / (double)seen;
}

static void fill(struct lp_disk_entries *e, const struct lp_judged_group *g,
		 const struct lp_windows *w)
{
	for (size_t i = 0; i < w->n; i++)
		for (size_t p = 0; p < g->n; p++) {
			e->latency_ms[i * g->n + p] = latency_of(g, p, w, i);
			e->throughput[i * g->n + p] = throughput_of(g, p, w, i);
		}
}

int lp_entries_init(struct lp_disk_entries *e, const struct lp_judged_run *run,
		    const struct lp_judged_group *group)
{
	size_t length = run->step_ns < LP_ENTRY_NS
				? (size_t)(LP_ENTRY_NS / run->step_ns)
				: 1;
	struct lp_windows w;
	int status = lp_windows_init(&w, run, length, length);

	*e = (struct lp_disk_entries){ .run = *run, .n = group->n };
	if (status == 0) {
		e->latency_ms = calloc(w.n * group->n + 1, sizeof(double));
		e->throughput = calloc(w.n * group->n + 1, sizeof(double));
	}
	e->run.points = w.n;
	e->run.first_ns = w.n ? lp_window_end_ns(&w, run, 0) : run->first_ns;
	e->run.step_ns = run->step_ns * (int64_t)length;
	if (!e->latency_ms || !e->throughput)
		status = -ENOMEM;
	else
		fill(e, group, &w);
	lp_windows_done(&w);
	return status;
}

void lp_entries_done(struct lp_disk_entries *e)
{
	free(e->latency_ms);
	free(e->throughput);
	*e = (struct lp_disk_entries){ 0 };
}

void lp_entries_windows(const double *ratios, size_t points, double *windows)
{
	for (size_t i = 0; i < points; i++) {
		size_t first =
			i + 1 > LP_ENTRY_WINDOW ? i + 1 - LP_ENTRY_WINDOW : 0;
		double known[LP_ENTRY_WINDOW];
		size_t n = 0;

		for (size_t k = first; k <= i; k++)
			if (!isnan(ratios[k]))
				known[n++] = ratios[k];
		windows[i] =
			2 * n < LP_ENTRY_WINDOW ? NAN : lp_median(known, n);
	}
}
