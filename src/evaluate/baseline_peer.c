/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer evaluation as the authors of Perseus tried it before (FAST'23, 3.3): a
 * disk is slow if its latency is more than twice the median of its node's
 * disks in more than half of 5 minutes. Here its node is its peer group.
 */
#include "evaluate/entries.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LIMIT 2.0

static double median_of_row(const double *row, size_t n, double *scratch)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(row[i]))
			scratch[known++] = row[i];
	return known < 3 ? NAN : lp_median(scratch, known);
}

/* An alarm's window is that of 5 minutes, whose vote was the median. */
static int judge_disks(const struct lp_disk_entries *e,
		       const struct lp_judged_group *g, double limit,
		       double *ratios, double *scratch,
		       struct lp_alarms *alarms)
{
	size_t points = e->run.points;
	struct lp_windows w;
	int status = lp_windows_init(&w, &e->run, 1, 1);

	for (size_t p = 0; p < g->n && status == 0; p++) {
		struct lp_indictment who = { .host = g->hosts[p],
					     .component = g->labels[p],
					     .cause = LP_CAUSE_DISK_BUSY };

		for (size_t k = 0; k < points; k++)
			ratios[k] = e->latency_ms[k * g->n + p] /
				    median_of_row(e->latency_ms + k * g->n,
						  g->n, scratch);
		lp_entries_windows(ratios, points, ratios + points);
		status = lp_episodes_add(&e->run, &w, ratios + points, 1, limit,
					 &who, alarms);
	}
	lp_windows_done(&w);
	return status;
}

static int judge_group(const struct lp_judged_run *run,
		       const struct lp_judged_group *g, double limit,
		       struct lp_alarms *alarms)
{
	struct lp_disk_entries e;
	int status = lp_entries_init(&e, run, g);
	double *room = calloc(2 * e.run.points + g->n + 1, sizeof(double));

	if (!room)
		status = -ENOMEM;
	if (status == 0)
		status = judge_disks(&e, g, limit, room,
				     room + 2 * e.run.points, alarms);
	free(room);
	lp_entries_done(&e);
	return status;
}

static int judge(const struct lp_judged_run *run, double limit,
		 struct lp_alarms *alarms)
{
	int status = 0;

	for (size_t i = 0; i < run->n_groups && status == 0; i++)
		if (run->groups[i].values[LP_DELAY])
			status = judge_group(run, &run->groups[i], limit,
					     alarms);
	return status;
}

const struct lp_baseline lp_baseline_peer = {
	.name = "peer",
	.help = "latency twice the median of the disks for half of 5 minutes",
	.limit = LIMIT,
	.window_ns = LP_ENTRY_WINDOW * LP_ENTRY_NS,
	.trainable = true,
	.judge = judge,
};
