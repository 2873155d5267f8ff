/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Series made short enough for a picture: time is cut into slots, and of each
 * series a slot keeps the smallest and the largest value, in the order in
 * which they came, and the mean. Peaks stay; the file stays small.
 */
#ifndef LP_REPORT_SLOTS_H
#define LP_REPORT_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Drawn of a series, at most: ten minutes at 1 s are drawn as they are. */
#define LP_SLOT_POINTS 602

/* NaN: nothing was present. */
struct lp_slot {
	float min, max;
	double sum;
	uint32_t count;
	bool max_first;
};

struct lp_slots {
	size_t series, n;
	size_t points;        /* before */
	struct lp_slot *slot; /* [n][series] */
};

/*
 * For so many points of so many series. Up to LP_SLOT_POINTS each point has a
 * slot, above there are half as many, for pairs. 0 or -ENOMEM.
 */
int lp_slots_init(struct lp_slots *slots, size_t series, size_t points);
void lp_slots_done(struct lp_slots *slots);

/* row[series] of point k (below points); in order. NaN: missing. */
void lp_slots_put(struct lp_slots *slots, size_t k, const double *row);

/* Points were put together. */
bool lp_slots_shortened(const struct lp_slots *slots);

/*
 * A series as a line: x[] in points (0 to points - 1), y[] with NaN for gaps.
 * Room for LP_SLOT_POINTS each; returns how many.
 */
size_t lp_slots_line(const struct lp_slots *slots, size_t series, double *x,
		     double *y);

/* The extremes of slot i, or NaN. */
void lp_slots_extremes(const struct lp_slots *slots, size_t series, size_t i,
		       double *min, double *max);
/* The middle of slot i in points, and its mean, or NaN. */
double lp_slots_middle(const struct lp_slots *slots, size_t i);
double lp_slots_mean(const struct lp_slots *slots, size_t series, size_t i);

#endif
