/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cell: one column of one component, followed from slice to slice.
 */
#ifndef LP_TABLE_CELL_H
#define LP_TABLE_CELL_H

#include "model/chunk.h"
#include "table/slice.h"

/* A (weighted) mean in the making. */
struct lp_level {
	double sum, weight;
	double only; /* the value, while there is one: exact */
	size_t count;
};

/* Zero-initialise. */
struct lp_cell {
	struct lp_marks marks;
	uint64_t last, offset; /* counters: raw; what wraps added to it */
	uint32_t last_epoch;
	bool has_last, saturated;
	struct lp_level open, rest; /* levels: up to the mark, and behind it */
};

/* The values of one column in a slice; bits NULL: none. */
struct lp_cell_input {
	const struct lp_column *column;
	const uint64_t *bits;
	const uint8_t *present; /* NULL: all */
	/* of an LP_WEIGHTED column, or bits NULL: the weight is 1 */
	const uint64_t *weight_bits;
	const uint8_t *weight_present;
	enum lp_type weight_type;
	bool plain, still; /* set by lp_cell_find_resets: counts up at every
			      tick; does not even do that */
};

/* Memory for one cell's work in one slice. */
struct lp_cell_scratch {
	struct lp_reps reps;
	uint64_t sum[LP_SLICE_TICKS];
	uint8_t has[LP_SLICE_TICKS];
	double number[LP_SLICE_TICKS], weight[LP_SLICE_TICKS];
};

/* What all cells of a track share in a slice. */
struct lp_cell_frame {
	const struct lp_slice *slice;
	const uint32_t *epoch; /* [ticks] of the track */
	uint32_t epoch_before; /* of the track, before the slice */
	/*
	 * Where the host's ticks themselves went: cells that had a value at
	 * each of them share the result.
	 */
	const struct lp_marks *tick_marks_before, *tick_marks;
	uint32_t tick_epoch_before, tick_epoch;
	const struct lp_reps *tick_reps;
	bool own_resets; /* the track was reset where the ticks were not */
};

/*
 * Set breaks[tick] = 1 where this counter shows that it began anew. To be
 * called for all counters of a track before one is followed.
 */
bool lp_cell_find_resets(const struct lp_cell *cell,
			 struct lp_cell_input *input, size_t n,
			 uint8_t *breaks);

/*
 * Follow a counter that stood still through the slice, if that is all there is
 * to say of it: it stands where the ticks do, and its increase is 0 wherever
 * one can be known. False: nothing was done, follow it in full.
 */
bool lp_cell_rest(struct lp_cell *cell, const struct lp_cell_input *input,
		  const struct lp_cell_frame *frame);

/*
 * Follow the column through the slice: value[slot] for the closed slots is
 * the increase of a counter or the mean of a level, NaN where it is missing.
 * Returns where the samples went: frame->tick_reps or scratch->reps.
 */
const struct lp_reps *lp_cell_follow(struct lp_cell *cell,
				     const struct lp_cell_input *input,
				     const struct lp_cell_frame *frame,
				     struct lp_cell_scratch *scratch,
				     double *value);

#endif
