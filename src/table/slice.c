/* SPDX-License-Identifier: Apache-2.0 */
#include "table/slice.h"

#include "base/timestamp.h"

#include <math.h>
#include <string.h>

/* The nearest point, in steps; half way belongs to the later one. */
static int64_t nearest(int64_t time_ns, int64_t step_ns, int64_t *distance)
{
	int64_t point = time_ns / step_ns, rest = time_ns % step_ns;

	if (rest < 0) {
		rest += step_ns;
		point--;
	}
	if (rest < step_ns - rest) {
		*distance = rest;
		return point;
	}
	*distance = step_ns - rest;
	return point + 1;
}

/* Saturates, so that absurd times in a file cannot overflow. */
static int64_t point_time(int64_t point, int64_t step_ns)
{
	int64_t time_ns;

	if (__builtin_mul_overflow(point, step_ns, &time_ns))
		return point < 0 ? LP_TIME_MIN : LP_TIME_MAX;
	return time_ns;
}

static void note_back(struct lp_slice *slice, struct lp_grid *grid)
{
	slice->any_back = false;
	for (size_t i = 0; i < slice->n; i++) {
		int64_t t = slice->time_ns[i];

		slice->back[i] = grid->has_last && t < grid->last_ns;
		slice->any_back |= slice->back[i];
		grid->has_last = true;
		grid->last_ns = t;
	}
}

static void begin_slot(struct lp_slice *slice, const struct lp_grid *grid)
{
	size_t s = slice->n_slots++;

	slice->point_ns[s] = point_time(grid->open, grid->step_ns);
	slice->follows[s] = grid->has_before &&
			    (uint64_t)grid->open - (uint64_t)grid->before == 1;
}

static void lay_on_grid(struct lp_slice *slice, struct lp_grid *grid)
{
	slice->n_slots = 0;
	slice->fresh = !grid->has_open;
	if (grid->has_open)
		begin_slot(slice, grid);
	for (size_t i = 0; i < slice->n; i++) {
		int64_t point = nearest(slice->time_ns[i], grid->step_ns,
					&slice->distance[i]);

		if (!grid->has_open || point != grid->open) {
			/* One that was closed ahead is before already. */
			if (grid->has_open) {
				grid->has_before = true;
				grid->before = grid->open;
			}
			grid->has_open = true;
			grid->open = point;
			begin_slot(slice, grid);
		}
		slice->slot[i] = (uint32_t)slice->n_slots - 1;
	}
	slice->n_closed = slice->n_slots ? slice->n_slots - 1 : 0;
}

/* Step 0. */
static void lay_as_recorded(struct lp_slice *slice)
{
	for (size_t i = 0; i < slice->n; i++) {
		slice->slot[i] = (uint32_t)i;
		slice->distance[i] = 0;
		slice->point_ns[i] = slice->time_ns[i];
		slice->follows[i] = true;
	}
	slice->n_slots = slice->n_closed = slice->n;
}

void lp_slice_lay(struct lp_slice *slice, struct lp_grid *grid,
		  const int64_t *time_ns, size_t n)
{
	slice->time_ns = time_ns;
	slice->n = n;
	slice->bridge = grid->step_ns == 0;
	slice->fresh = false;
	note_back(slice, grid);
	if (grid->step_ns)
		lay_on_grid(slice, grid);
	else
		lay_as_recorded(slice);
}

void lp_slice_close(struct lp_slice *slice, struct lp_grid *grid)
{
	lp_slice_lay(slice, grid, NULL, 0);
	slice->n_closed = slice->n_slots;
	if (!grid->has_open)
		return;
	grid->has_before = true;
	grid->before = grid->open;
	grid->has_open = false;
}

/* The seconds between two samples whose increase is known, or NaN. */
static double link_seconds(const struct lp_mark *from, const struct lp_mark *to)
{
	int64_t ns;

	if (!from->has || !to->has || from->epoch != to->epoch ||
	    __builtin_sub_overflow(to->time_ns, from->time_ns, &ns) || ns <= 0)
		return NAN;
	return (double)ns / (double)LP_NS_PER_S;
}

static void close_slot(const struct lp_slice *slice, size_t s,
		       struct lp_marks *marks, struct lp_reps *reps)
{
	reps->from[s] = reps->before;
	reps->to[s] = reps->open;
	reps->time_ns[s] = marks->open.time_ns;
	reps->seconds[s] = slice->follows[s]
				   ? link_seconds(&marks->before, &marks->open)
				   : NAN;
	if (marks->open.has || !slice->bridge) {
		marks->before = marks->open;
		reps->before = reps->open;
	}
	marks->open.has = false;
	reps->open = LP_REP_NONE;
}

void lp_slice_place(const struct lp_slice *slice, const uint8_t *has,
		    const uint32_t *epoch, struct lp_marks *marks,
		    struct lp_reps *reps)
{
	size_t s = 0;

	reps->before = marks->before.has ? LP_REP_BEFORE : LP_REP_NONE;
	reps->open = marks->open.has ? LP_REP_OPEN : LP_REP_NONE;
	memset(reps->taken, 0, slice->n);
	for (size_t i = 0; i < slice->n; i++) {
		struct lp_mark *open = &marks->open;

		for (; s < slice->slot[i]; s++)
			close_slot(slice, s, marks, reps);
		if (has && !has[i])
			continue;
		if (open->has && open->epoch == epoch[i] &&
		    slice->distance[i] > open->distance)
			continue;
		*open = (struct lp_mark){ true, slice->time_ns[i],
					  slice->distance[i], 0, epoch[i] };
		reps->open = (int32_t)i;
		reps->taken[i] = 1;
	}
	for (; s < slice->n_closed; s++)
		close_slot(slice, s, marks, reps);
}
