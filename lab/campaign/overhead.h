/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What recording costs the file system's users (FAST'10, table 6): the same
 * workload, as fast as it goes, with and without the recorders, in turn.
 */
#ifndef LAB_CAMPAIGN_OVERHEAD_H
#define LAB_CAMPAIGN_OVERHEAD_H

#include "campaign/trial.h"

#define LAB_MOST_PAIRS 100

/* One workload's pairs. */
struct lab_overhead {
	size_t pairs;
	double without[LAB_MOST_PAIRS], with[LAB_MOST_PAIRS]; /* bytes/s */
	double cpu_without, cpu_with; /* means: share of the CPUs in use */
};

/*
 * Measure `pairs` times two spans of so many seconds; dir is for the logs.
 * What comes first alternates, so that a drift cancels out.
 */
int lab_overhead_measure(const struct lab_bench *bench,
			 const struct lab_workload *workload,
			 unsigned processes, size_t pairs, double seconds,
			 const char *dir, struct lab_overhead *overhead,
			 struct lp_error *err);

/*
 * The increase of the time that the same work takes, in percent: its mean
 * over the pairs, and the standard error of that mean (NaN of one pair).
 */
void lab_overhead_increase(const struct lab_overhead *overhead, double *mean,
			   double *error);

#endif
