/* SPDX-License-Identifier: Apache-2.0 */
#include "table/cell.h"

#include "table/delta.h"

#include <math.h>
#include <string.h>

static bool has_value(const struct lp_cell_input *in, size_t i)
{
	return in->bits && (!in->present || in->present[i]);
}

/* Counters are whole numbers, whatever type a source gave them. */
static uint64_t raw_value(const struct lp_cell_input *in, size_t i)
{
	double v;

	if (in->column->type != LP_F64)
		return in->bits[i];
	v = lp_bits_double(in->bits[i]);
	return v > 0 && v < 0x1p64 ? (uint64_t)v : 0;
}

/* The usual case: there at every tick, and plainly counting up. */
static bool is_plain(const struct lp_cell *cell, struct lp_cell_input *in,
		     size_t n)
{
	return n && in->bits && !in->present && in->column->type == LP_U64 &&
	       in->column->kind != LP_SATURATING &&
	       lp_delta_plain(cell->has_last ? cell->last : in->bits[0],
			      in->bits, n, &in->still);
}

bool lp_cell_find_resets(const struct lp_cell *cell, struct lp_cell_input *in,
			 size_t n, uint8_t *breaks)
{
	bool has_last = cell->has_last, saturated = cell->saturated;
	uint64_t last = cell->last;
	bool any = false;

	in->plain = is_plain(cell, in, n);
	if (!in->bits || in->plain)
		return false;
	for (size_t i = 0; i < n; i++) {
		enum lp_delta delta = LP_DELTA_UP;
		uint64_t v;

		if (!has_value(in, i))
			continue;
		v = raw_value(in, i);
		if (lp_delta_saturated(in->column, v)) {
			saturated = true;
			continue;
		}
		if (has_last)
			delta = lp_delta_classify(in->column, last, v);
		if (delta == LP_DELTA_DIP)
			continue;
		/* It was full and is not any more: somebody cleared it. */
		if (delta == LP_DELTA_RESET || saturated) {
			breaks[i] = 1;
			any = true;
		}
		saturated = false;
		has_last = true;
		last = v;
	}
	return any;
}

/* One value of a counter: whether it can be used, and its sum. */
static bool count_value(struct lp_cell *cell, const struct lp_column *column,
			uint64_t v, uint32_t epoch, uint64_t *sum)
{
	enum lp_delta delta = LP_DELTA_UP;

	if (lp_delta_saturated(column, v)) {
		cell->saturated = true;
		return false;
	}
	if (cell->has_last && cell->last_epoch == epoch)
		delta = lp_delta_classify(column, cell->last, v);
	if (delta == LP_DELTA_DIP)
		return false;
	cell->offset += lp_delta_carry(column, delta);
	cell->saturated = false;
	cell->has_last = true;
	cell->last = v;
	cell->last_epoch = epoch;
	*sum = v + cell->offset;
	return true;
}

static void count_values(struct lp_cell *cell, const struct lp_cell_input *in,
			 const struct lp_cell_frame *frame,
			 struct lp_cell_scratch *scratch)
{
	for (size_t i = 0; i < frame->slice->n; i++)
		scratch->has[i] =
			has_value(in, i) &&
			count_value(cell, in->column, raw_value(in, i),
				    frame->epoch[i], &scratch->sum[i]);
}

static bool same_mark(const struct lp_mark *a, uint32_t epoch_a,
		      const struct lp_mark *b, uint32_t epoch_b)
{
	if (!a->has || !b->has)
		return a->has == b->has;
	return a->time_ns == b->time_ns &&
	       epoch_a - a->epoch == epoch_b - b->epoch;
}

static bool goes_with_ticks(const struct lp_cell *cell,
			    const struct lp_cell_frame *f)
{
	const struct lp_marks *m = &cell->marks, *t = f->tick_marks_before;

	return !f->own_resets &&
	       same_mark(&m->open, f->epoch_before, &t->open,
			 f->tick_epoch_before) &&
	       same_mark(&m->before, f->epoch_before, &t->before,
			 f->tick_epoch_before);
}

static void move_mark(struct lp_mark *mark, const struct lp_mark *to,
		      uint32_t shift)
{
	*mark = *to;
	mark->epoch += shift;
}

/*
 * Find the samples that stand for the slots and move the marks on. The sums
 * of marks that are ticks of this slice are for the caller to fill in.
 */
static const struct lp_reps *place(struct lp_cell *cell, const uint8_t *has,
				   const struct lp_cell_frame *f,
				   struct lp_cell_scratch *scratch)
{
	const struct lp_marks before = cell->marks;
	uint32_t shift = f->epoch_before - f->tick_epoch_before;

	if (has || !goes_with_ticks(cell, f)) {
		lp_slice_place(f->slice, has, f->epoch, &cell->marks,
			       &scratch->reps);
		return &scratch->reps;
	}
	move_mark(&cell->marks.before, &f->tick_marks->before, shift);
	move_mark(&cell->marks.open, &f->tick_marks->open, shift);
	if (f->tick_reps->before == LP_REP_BEFORE)
		cell->marks.before.sum = before.before.sum;
	if (f->tick_reps->before == LP_REP_OPEN)
		cell->marks.before.sum = before.open.sum;
	if (f->tick_reps->open == LP_REP_OPEN)
		cell->marks.open.sum = before.open.sum;
	return f->tick_reps;
}

bool lp_cell_rest(struct lp_cell *cell, const struct lp_cell_input *in,
		  const struct lp_cell_frame *f)
{
	struct lp_marks *m = &cell->marks;
	uint64_t sum;

	if (!in->plain || !in->still || !goes_with_ticks(cell, f))
		return false;
	sum = in->bits[0] + cell->offset;
	/* It may have moved between the last mark and this slice. */
	if ((m->open.has && m->open.sum != sum) ||
	    (m->before.has && m->before.sum != sum))
		return false;
	place(cell, NULL, f, NULL);
	m->open.sum = m->before.sum = sum;
	cell->last = in->bits[0];
	cell->last_epoch = f->epoch[f->slice->n - 1];
	cell->has_last = true;
	return true;
}

/* Sums of a slice: by tick, and the two that were carried into it. */
struct sums {
	const uint64_t *tick;
	uint64_t offset, open, before;
};

static inline uint64_t sum_at(const struct sums *sums, int32_t rep)
{
	if (rep >= 0)
		return sums->tick[rep] + sums->offset;
	return rep == LP_REP_OPEN ? sums->open : sums->before;
}

/* CPUs convert signed numbers at once, unsigned ones in several steps. */
static inline double to_double(uint64_t v)
{
	int64_t small = (int64_t)v;

	return small >= 0 ? (double)small : (double)v;
}

static void put_increases(const struct sums *sums, const struct lp_reps *reps,
			  size_t n_closed, double *value)
{
	for (size_t s = 0; s < n_closed; s++)
		value[s] = isnan(reps->seconds[s])
				   ? NAN
				   : to_double(sum_at(sums, reps->to[s]) -
					       sum_at(sums, reps->from[s]));
}

static const struct lp_reps *follow_counter(struct lp_cell *cell,
					    const struct lp_cell_input *in,
					    const struct lp_cell_frame *f,
					    struct lp_cell_scratch *scratch,
					    double *value)
{
	struct sums sums = { .open = cell->marks.open.sum,
			     .before = cell->marks.before.sum };
	const uint8_t *has = scratch->has;
	size_t n = f->slice->n;
	const struct lp_reps *reps;

	if (in->plain) {
		has = NULL;
		sums.tick = in->bits;
		sums.offset = cell->offset;
		cell->last = in->bits[n - 1];
		cell->last_epoch = f->epoch[n - 1];
		cell->has_last = true;
	} else {
		count_values(cell, in, f, scratch);
		sums.tick = scratch->sum;
		if (in->bits && memchr(has, 0, n) == NULL)
			has = NULL;
	}
	reps = place(cell, has, f, scratch);
	put_increases(&sums, reps, f->slice->n_closed, value);
	if (reps->before >= 0)
		cell->marks.before.sum = sum_at(&sums, reps->before);
	if (reps->open >= 0)
		cell->marks.open.sum = sum_at(&sums, reps->open);
	return reps;
}

static void level_add(struct lp_level *level, double v, double weight)
{
	level->sum += v * weight;
	level->weight += weight;
	level->only = v;
	level->count++;
}

static void level_join(struct lp_level *level, const struct lp_level *other)
{
	level->sum += other->sum;
	level->weight += other->weight;
	level->only = other->only;
	level->count += other->count;
}

static double level_mean(const struct lp_level *level)
{
	if (level->count == 0 || !(level->weight > 0))
		return NAN;
	return level->count == 1 ? level->only : level->sum / level->weight;
}

static double number_of(const uint64_t *bits, const uint8_t *present,
			enum lp_type type, size_t i)
{
	struct lp_values values = { (uint64_t *)bits, (uint8_t *)present };

	return lp_values_number(&values, type, i);
}

/* False: none is missing. */
static bool level_values(const struct lp_cell_input *in, size_t n,
			 struct lp_cell_scratch *scratch)
{
	bool holes = false;

	for (size_t i = 0; i < n; i++) {
		double v =
			number_of(in->bits, in->present, in->column->type, i);
		double w = in->weight_bits ? number_of(in->weight_bits,
						       in->weight_present,
						       in->weight_type, i)
					   : 1;

		scratch->number[i] = v;
		scratch->weight[i] = w;
		scratch->has[i] = !isnan(v) && !isnan(w);
		holes |= !scratch->has[i];
	}
	return holes;
}

/*
 * Slots are closed up to this one: what is behind the mark goes into the next,
 * if that follows. If it is not there yet, begin_levels will see.
 */
static void close_levels(struct lp_cell *cell, const struct lp_slice *slice,
			 size_t *slot, size_t upto, double *value)
{
	for (; *slot < upto; ++*slot) {
		bool none = cell->open.count == 0;

		value[*slot] = level_mean(&cell->open);
		cell->open = (struct lp_level){ 0 };
		if (none ||
		    (*slot + 1 < slice->n_slots && !slice->follows[*slot + 1]))
			cell->rest = (struct lp_level){ 0 };
	}
}

/* What was left behind the mark of a slot that was closed ahead. */
static void begin_levels(struct lp_cell *cell, const struct lp_slice *slice)
{
	if (slice->fresh && slice->n_slots && !slice->follows[0])
		cell->rest = (struct lp_level){ 0 };
}

/*
 * The mean covers what the increase of a counter covers: the samples behind
 * the one that stands for the point before, up to the one of this point.
 */
static const struct lp_reps *follow_level(struct lp_cell *cell,
					  const struct lp_cell_input *in,
					  const struct lp_cell_frame *f,
					  struct lp_cell_scratch *scratch,
					  double *value)
{
	const struct lp_slice *slice = f->slice;
	bool holes = level_values(in, slice->n, scratch) || !in->bits;
	uint32_t epoch = cell->marks.open.epoch;
	const struct lp_reps *reps =
		place(cell, holes ? scratch->has : NULL, f, scratch);
	size_t s = 0;

	begin_levels(cell, slice);
	for (size_t i = 0; i < slice->n; i++) {
		close_levels(cell, slice, &s, slice->slot[i], value);
		if (!scratch->has[i])
			continue;
		/* Set back within the point: what was before is replaced. */
		if (cell->open.count && f->epoch[i] != epoch)
			cell->open = cell->rest = (struct lp_level){ 0 };
		level_add(&cell->rest, scratch->number[i], scratch->weight[i]);
		if (!reps->taken[i])
			continue;
		level_join(&cell->open, &cell->rest);
		cell->rest = (struct lp_level){ 0 };
		epoch = f->epoch[i];
	}
	close_levels(cell, slice, &s, slice->n_closed, value);
	return reps;
}

const struct lp_reps *lp_cell_follow(struct lp_cell *cell,
				     const struct lp_cell_input *in,
				     const struct lp_cell_frame *frame,
				     struct lp_cell_scratch *scratch,
				     double *value)
{
	if (lp_delta_counts(in->column))
		return follow_counter(cell, in, frame, scratch, value);
	return follow_level(cell, in, frame, scratch, value);
}
