/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule of thumb: the mean time of requests is above the median of all
 * disks by 5 MAD, for more than half of a window, in 3 of 5 windows.
 */
#include "evaluate/episodes.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LENGTH 60 /* points, as those of cdf (thesis 3.3) */
#define SHIFT 30
#define VOTES 3
#define LIMIT 5
#define FLOOR_MS 1.0 /* where all disks answer alike */
#define LEAST 3      /* disks */

/* (x - median) / MAD of all of them at each point; scratch[2 n]. */
static void score_points(const struct lp_judged_group *g, size_t points,
			 double *scratch, double *scores)
{
	for (size_t k = 0; k < points; k++) {
		const double *row = g->values[LP_DELAY] + k * g->n;
		double *known = scratch, *copy = scratch + g->n;
		double median, mad;
		size_t n = 0;

		for (size_t i = 0; i < g->n; i++)
			if (!isnan(row[i]))
				known[n++] = row[i];
		for (size_t i = 0; i < n; i++)
			copy[i] = known[i];
		median = n < LEAST ? NAN : lp_median(known, n);
		mad = lp_mad(copy, n);
		for (size_t i = 0; i < g->n; i++)
			scores[k * g->n + i] =
				(row[i] - median) / fmax(mad, FLOOR_MS);
	}
}

/* The median of what there is; NaN: less than half of the window. */
static double middle_of(const struct lp_judged_group *g, const double *scores,
			size_t peer, const struct lp_windows *w, size_t i)
{
	size_t end = w->ends[i] + 1, n = 0;
	double known[LENGTH];

	for (size_t k = end - w->length; k < end; k++)
		if (!isnan(scores[k * g->n + peer]))
			known[n++] = scores[k * g->n + peer];
	return 2 * n < w->length ? NAN : lp_median(known, n);
}

static int judge_group(const struct lp_judged_run *run,
		       const struct lp_judged_group *g,
		       const struct lp_windows *w, double limit,
		       struct lp_alarms *alarms)
{
	double *scores = calloc(run->points * g->n + 1, sizeof(double));
	double *more = calloc(2 * g->n + w->n + 1, sizeof(double));
	int status = scores && more ? 0 : -ENOMEM;

	if (status == 0)
		score_points(g, run->points, more, scores);
	for (size_t p = 0; p < g->n && status == 0; p++) {
		struct lp_indictment who = { .host = g->hosts[p],
					     .component = g->labels[p],
					     .cause = LP_CAUSE_DISK_BUSY };

		for (size_t i = 0; i < w->n; i++)
			more[i] = middle_of(g, scores, p, w, i);
		status = lp_episodes_add(run, w, more, VOTES, limit, &who,
					 alarms);
	}
	free(scores);
	free(more);
	return status;
}

static int judge(const struct lp_judged_run *run, double limit,
		 struct lp_alarms *alarms)
{
	struct lp_windows w;
	int status = lp_windows_init(&w, run, LENGTH, SHIFT);

	for (size_t i = 0; i < run->n_groups && status == 0; i++)
		if (run->groups[i].values[LP_DELAY])
			status = judge_group(run, &run->groups[i], &w, limit,
					     alarms);
	lp_windows_done(&w);
	return status;
}

const struct lp_baseline lp_baseline_mad = {
	.name = "mad",
	.help = "time of requests above the median of all disks by 5 MAD",
	.limit = LIMIT,
	.window_ns = LENGTH * 1000000000LL,
	.trainable = true,
	.judge = judge,
};
