/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks as Perseus (FAST'23) records them: every 15 s the mean latency and the
 * throughput.
 */
#ifndef LP_EVALUATE_ENTRIES_H
#define LP_EVALUATE_ENTRIES_H

#include "evaluate/episodes.h"

#define LP_ENTRY_NS (15 * (int64_t)1000000000)
/* Windows have 5 minutes (Perseus 3.3, 4.4). */
#define LP_ENTRY_WINDOW 20

/*
 * latency and throughput are [run.points][n] of a group of the run, which has
 * the steps of the entries.
 */
struct lp_disk_entries {
	struct lp_judged_run run;
	size_t n;
	double *latency_ms, *throughput;
};

/* 0 or -ENOMEM. Entries of which more than half is missing are NaN. */
int lp_entries_init(struct lp_disk_entries *entries,
		    const struct lp_judged_run *run,
		    const struct lp_judged_group *group);
void lp_entries_done(struct lp_disk_entries *entries);

/* For each entry whether more than half of the window behind it exceeds the
   limit: the median of the ratios. ratios[points] of one disk, windows[points].
   Fewer than half of the window: NaN. */
void lp_entries_windows(const double *ratios, size_t points, double *windows);

#endif
