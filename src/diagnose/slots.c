/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/slots.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int lp_slots_init(struct lp_slots *slots, size_t series, size_t points)
{
	size_t n = points > LP_PICTURE_POINTS ? LP_PICTURE_POINTS / 2 : points;
	struct lp_slot *slot = NULL;

	if (series == 0 || n <= SIZE_MAX / sizeof(*slot) / series)
		slot = calloc(n * series + 1, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slots = (struct lp_slots){
		.series = series, .n = n, .points = points, .slot = slot
	};
	return 0;
}

void lp_slots_done(struct lp_slots *slots)
{
	free(slots->slot);
	*slots = (struct lp_slots){ 0 };
}

bool lp_slots_shortened(const struct lp_slots *slots)
{
	return slots->n < slots->points;
}

static void put(struct lp_slot *slot, double v)
{
	float f = (float)v;

	if (slot->count == 0 || f < slot->min) {
		slot->min = f;
		slot->max_first = slot->count > 0;
	}
	if (slot->count == 0 || f > slot->max) {
		slot->max = f;
		slot->max_first = false;
	}
	slot->sum += v;
	slot->count++;
}

void lp_slots_put(struct lp_slots *slots, size_t k, const double *row)
{
	struct lp_slot *slot =
		&slots->slot[k * slots->n / slots->points * slots->series];

	for (size_t i = 0; i < slots->series; i++)
		if (isfinite(row[i]))
			put(&slot[i], row[i]);
}

double lp_slots_mean(const struct lp_slots *slots, size_t series, size_t i)
{
	const struct lp_slot *slot = &slots->slot[i * slots->series + series];

	return slot->count ? slot->sum / slot->count : NAN;
}

void lp_slots_values(const struct lp_slots *slots, size_t series, float *y)
{
	bool pairs = lp_slots_shortened(slots);

	for (size_t i = 0; i < slots->n; i++) {
		const struct lp_slot *s =
			&slots->slot[i * slots->series + series];

		*y++ = s->count == 0 ? NAN : s->max_first ? s->max : s->min;
		if (pairs)
			*y++ = s->count < 2   ? NAN
			       : s->max_first ? s->min
					      : s->max;
	}
}
