/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Series made short enough for a picture: time is cut into slots, and of each
 * series a slot keeps the smallest and the largest value, in the order in
 * which they came, and the mean. Peaks stay; the file stays small.
 */
#ifndef LP_DIAGNOSE_SLOTS_H
#define LP_DIAGNOSE_SLOTS_H

#include "model/picture.h"

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
 * For so many points of so many series. Up to LP_PICTURE_POINTS each point has
 * a slot, above there are half as many, for pairs. 0 or -ENOMEM.
 */
int lp_slots_init(struct lp_slots *slots, size_t series, size_t points);
void lp_slots_done(struct lp_slots *slots);

/* row[series] of point k (below points); in order. NaN: missing. */
void lp_slots_put(struct lp_slots *slots, size_t k, const double *row);

/* Points were put together. */
bool lp_slots_shortened(const struct lp_slots *slots);

/* The values of a series, as a line of a picture has them. */
void lp_slots_values(const struct lp_slots *slots, size_t series, float *y);
/* The mean of slot i, or NaN. */
double lp_slots_mean(const struct lp_slots *slots, size_t series, size_t i);

#endif
