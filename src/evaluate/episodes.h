/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows over a run, and votes of windows: what most baselines have in common.
 */
#ifndef LP_EVALUATE_EPISODES_H
#define LP_EVALUATE_EPISODES_H

#include "evaluate/baseline.h"

/*
 * Windows of `length` points that end at multiples of `shift` steps since the
 * epoch, as those of the detectors do. ends[i]: the last point of window i.
 */
struct lp_windows {
	size_t length, n;
	size_t *ends;
};

/* 0 or -ENOMEM. */
int lp_windows_init(struct lp_windows *windows, const struct lp_judged_run *run,
		    size_t length, size_t shift);
void lp_windows_done(struct lp_windows *windows);

int64_t lp_window_begin_ns(const struct lp_windows *windows,
			   const struct lp_judged_run *run, size_t i);
int64_t lp_window_end_ns(const struct lp_windows *windows,
			 const struct lp_judged_run *run, size_t i);

/*
 * The sum of a quantity of one peer in a window. NaN: nobody has it, or more
 * than half of the points are missing. *seen, if not NULL: the points that are
 * there.
 */
double lp_window_sum(const struct lp_judged_group *group,
		     enum lp_quantity quantity, size_t peer,
		     const struct lp_windows *windows, size_t i, size_t *seen);

/* The median of the others that have a value; NaN: fewer than two. */
double lp_median_of_others(const double *x, size_t n, size_t peer,
			   double *scratch);
/* 1.4826 times the MAD of the others: the sigma of a normal distribution. */
double lp_spread_of_others(const double *x, size_t n, size_t peer,
			   double *scratch);

/*
 * Add an alarm for each time in which k of the last 2k - 1 scores (one a
 * window, NaN: none) exceed the limit. `who` says who and why.
 */
int lp_episodes_add(const struct lp_judged_run *run,
		    const struct lp_windows *windows, const double *scores,
		    unsigned k, double limit, const struct lp_indictment *who,
		    struct lp_alarms *alarms);

#endif
