/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner part of steps.h: one class of one host, chunk by chunk.
 */
#ifndef LP_TABLE_SWEEP_H
#define LP_TABLE_SWEEP_H

#include "table/steps.h"
#include "table/track.h"

/* The columns of a class, over all hosts. */
struct lp_shape {
	const char *class_name;
	const struct lp_class *class;
	struct lp_column *columns;
	bool *wanted;
	size_t n_columns, columns_capacity, wanted_capacity;
	struct lp_arena arena; /* strings of columns beyond the catalogue */
};

/* A class of a host. */
struct lp_lane {
	struct lp_shape *shape;
	struct lp_grid grid;
	struct lp_marks ticks; /* where the ticks themselves stand */
	uint32_t epoch;        /* boots, and clocks set back */
	size_t next_boot;      /* of the host's list */
	struct lp_tracks tracks;
};

struct lp_boots {
	int64_t *time_ns; /* counters began anew at this time or before */
	size_t count, capacity;
};

struct lp_sweeper {
	const struct lp_steps_options *options;
	const char *host;
	uint32_t host_number;
	const struct lp_boots *boots;

	struct lp_slice slice;
	struct lp_reps tick_reps;
	struct lp_marks ticks_before;
	uint32_t tick_epoch_before;
	uint8_t tick_breaks[LP_SLICE_TICKS], breaks[LP_SLICE_TICKS];
	uint32_t tick_epoch[LP_SLICE_TICKS], epoch[LP_SLICE_TICKS];
	bool any_tick_break;
	size_t n_even; /* so many of epoch[] are all the same */
	struct lp_cell_scratch cell;

	/* By column of the shape. */
	size_t n_columns, values_capacity, inputs_capacity, spans_capacity;
	double (*values)[2][LP_SLICE_SLOTS]; /* value, own seconds */
	struct lp_cell_input *inputs;
	struct lp_span_column *spans;
	int *column_map; /* of the shape to the panel, or -1 */
	size_t map_capacity;
	uint8_t present[LP_SLICE_SLOTS];
	int64_t sample_ns[LP_SLICE_SLOTS]; /* where it is present */
	/* Of what has a value at each tick; the increase of what rests. */
	uint8_t tick_present[LP_SLICE_SLOTS];
	double rest[LP_SLICE_SLOTS];
	bool with_ticks; /* that is all there is of the track in the slice */
};

/*
 * The index of a column in the shape, which is new if need be; or -ENOMEM. A
 * counter and a level of the same name (an imported rate) are two columns.
 */
int lp_shape_column(struct lp_shape *shape, const struct lp_column *column,
		    const char *const *wanted);
void lp_shape_done(struct lp_shape *shape);

/* Take in the lane's panel of a chunk. Host and boots are set. */
int lp_sweeper_panel(struct lp_sweeper *sweep, struct lp_lane *lane,
		     const struct lp_chunk *chunk, const struct lp_panel *panel,
		     struct lp_error *err);
/* Close the lane's open point. */
int lp_sweeper_finish(struct lp_sweeper *sweep, struct lp_lane *lane,
		      struct lp_error *err);
void lp_sweeper_done(struct lp_sweeper *sweep);

#endif
