/* SPDX-License-Identifier: Apache-2.0 */
#include "report/slots.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int lp_slots_init(struct lp_slots *slots, size_t series, size_t points)
{
	size_t n = points > LP_SLOT_POINTS ? LP_SLOT_POINTS / 2 : points;
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

/* Where slot i begins, in points. */
static double begin_of(const struct lp_slots *slots, size_t i)
{
	return (double)i * (double)slots->points / (double)slots->n;
}

double lp_slots_middle(const struct lp_slots *slots, size_t i)
{
	return (begin_of(slots, i) + begin_of(slots, i + 1) - 1) / 2;
}

double lp_slots_mean(const struct lp_slots *slots, size_t series, size_t i)
{
	const struct lp_slot *slot = &slots->slot[i * slots->series + series];

	return slot->count ? slot->sum / slot->count : NAN;
}

void lp_slots_extremes(const struct lp_slots *slots, size_t series, size_t i,
		       double *min, double *max)
{
	const struct lp_slot *slot = &slots->slot[i * slots->series + series];

	*min = slot->count ? slot->min : NAN;
	*max = slot->count ? slot->max : NAN;
}

size_t lp_slots_line(const struct lp_slots *slots, size_t series, double *x,
		     double *y)
{
	double quarter = (begin_of(slots, 1) - 1) / 4;
	size_t count = 0;

	for (size_t i = 0; i < slots->n; i++) {
		const struct lp_slot *s =
			&slots->slot[i * slots->series + series];
		double at = lp_slots_middle(slots, i);

		x[count] = at - (lp_slots_shortened(slots) ? quarter : 0);
		y[count++] = s->count == 0  ? NAN
			     : s->max_first ? s->max
					    : s->min;
		if (!lp_slots_shortened(slots) || s->count < 2)
			continue;
		x[count] = at + quarter;
		y[count++] = s->max_first ? s->min : s->max;
	}
	return count;
}
