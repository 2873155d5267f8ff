/* SPDX-License-Identifier: Apache-2.0 */
#include "table/sweep.h"

#include "table/delta.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static size_t this_thread(void)
{
#ifdef _OPENMP
	return (size_t)omp_get_thread_num();
#else
	return 0;
#endif
}

/* Without OpenMP there is one. */
static size_t most_threads(unsigned wanted)
{
#ifdef _OPENMP
	return wanted > 1 ? wanted : 1;
#else
	(void)wanted;
	return 1;
#endif
}

/* A new boot, or a clock set back: no increase is known across it. */
static void find_tick_breaks(struct lp_sweeper *sweep, struct lp_lane *lane)
{
	const struct lp_slice *slice = &sweep->slice;

	sweep->any_tick_break = slice->any_back;
	memcpy(sweep->tick_breaks, slice->back, slice->n);
	if (lane->next_boot == sweep->boots->count)
		return;
	for (size_t i = 0; i < slice->n; i++)
		while (lane->next_boot < sweep->boots->count &&
		       slice->time_ns[i] >=
			       sweep->boots->time_ns[lane->next_boot]) {
			lane->next_boot++;
			sweep->tick_breaks[i] = 1;
			sweep->any_tick_break = true;
		}
}

/* Number the stretches between breaks; returns the last one's number. */
static uint32_t number_epochs(const uint8_t *breaks, size_t n, uint32_t epoch,
			      uint32_t *numbers)
{
	for (size_t i = 0; i < n; i++) {
		epoch += breaks[i];
		numbers[i] = epoch;
	}
	return epoch;
}

static void place_ticks(struct lp_sweeper *sweep, struct lp_lane *lane)
{
	find_tick_breaks(sweep, lane);
	sweep->ticks_before = lane->ticks;
	sweep->tick_epoch_before = lane->epoch;
	lane->epoch = number_epochs(sweep->tick_breaks, sweep->slice.n,
				    lane->epoch, sweep->tick_epoch);
	lp_slice_place(&sweep->slice, NULL, sweep->tick_epoch, &lane->ticks,
		       &sweep->tick_reps);
}

static const uint8_t *from_sample(const uint8_t *present, size_t sample)
{
	return present ? present + sample : NULL;
}

/* The values of one column in the slice that begins at `sample`. */
static struct lp_cell_input input_of(const struct lp_sweeper *sweep,
				     const struct lp_lane *lane,
				     const struct lp_panel *panel,
				     const struct lp_series *series, size_t c,
				     size_t sample)
{
	int at = series && panel->columns ? sweep->column_map[c] : -1;
	const struct lp_values *v = at < 0 ? NULL : &series->values[at];
	const struct lp_column *column =
		v ? &panel->columns[at] : &lane->shape->columns[c];
	struct lp_cell_input in = { .column = column };

	if (!v || !v->bits)
		return in;
	in.bits = v->bits + sample;
	in.present = from_sample(v->present, sample);
	if (column->kind != LP_WEIGHTED || !column->partner)
		return in;
	at = lp_panel_column(panel, column->partner);
	v = at < 0 ? NULL : &series->values[at];
	if (!v || !v->bits)
		return in;
	in.weight_bits = v->bits + sample;
	in.weight_present = from_sample(v->present, sample);
	in.weight_type = panel->columns[at].type;
	return in;
}

/* One counter that began anew tells of all counters of the component. */
static bool find_track_breaks(const struct lp_sweeper *sweep,
			      struct lp_sweep_desk *desk,
			      const struct lp_track *track)
{
	size_t n = sweep->slice.n;
	bool any = false;

	memcpy(desk->breaks, sweep->tick_breaks, n);
	for (size_t c = 0; c < sweep->n_columns; c++)
		if (desk->inputs[c].bits &&
		    lp_delta_counts(desk->inputs[c].column))
			any |= lp_cell_find_resets(&track->cells[c],
						   &desk->inputs[c], n,
						   desk->breaks);
	return any && memcmp(desk->breaks, sweep->tick_breaks, n) != 0;
}

/* Columns may be sampled at times of their own: the latest counts. */
static void note_present(struct lp_sweep_desk *desk, const struct lp_reps *reps,
			 size_t n_closed)
{
	for (size_t s = 0; s < n_closed; s++) {
		bool has = reps->to[s] != LP_REP_NONE;

		if (has && (!desk->present[s] ||
			    reps->time_ns[s] > desk->sample_ns[s]))
			desk->sample_ns[s] = reps->time_ns[s];
		desk->present[s] |= has;
	}
}

static bool is_alive(const struct lp_cell *cell)
{
	return cell->marks.open.has || cell->marks.before.has;
}

static void follow_columns(const struct lp_sweeper *sweep,
			   struct lp_sweep_desk *desk, struct lp_track *track,
			   const struct lp_cell_frame *frame)
{
	size_t n_closed = sweep->slice.n_closed;

	memset(desk->present, 0, n_closed);
	for (size_t c = 0; c < sweep->n_columns; c++) {
		struct lp_cell *cell = &track->cells[c];
		double *value = desk->values[c][0];
		double *seconds = desk->values[c][1];
		const struct lp_reps *reps;

		desk->spans[c] = (struct lp_span_column){ 0 };
		if (!desk->inputs[c].bits && !is_alive(cell))
			continue;
		reps = lp_cell_follow(cell, &desk->inputs[c], frame,
				      &desk->cell, value);
		note_present(desk, reps, n_closed);
		desk->spans[c].value = value;
		desk->spans[c].seconds = sweep->tick_reps.seconds;
		if (reps == &sweep->tick_reps)
			continue;
		memcpy(seconds, reps->seconds, n_closed * sizeof(*seconds));
		desk->spans[c].seconds = seconds;
	}
}

static void move_spans(struct lp_sweep_desk *desk, size_t n_columns,
		       ptrdiff_t by)
{
	for (size_t c = 0; by && c < n_columns; c++)
		if (desk->spans[c].value) {
			desk->spans[c].value += by;
			desk->spans[c].seconds += by;
		}
}

static int emit(const struct lp_sweeper *sweep, struct lp_sweep_desk *desk,
		const struct lp_lane *lane, struct lp_track *track, size_t from,
		size_t to, struct lp_error *err)
{
	struct lp_span span = {
		.host = sweep->host,
		.class_name = lane->shape->class_name,
		.class = lane->shape->class,
		.columns = lane->shape->columns,
		.n_columns = sweep->n_columns,
		.name = track->name,
		.id = track->id,
		.alias = track->alias,
		.speed_mbit = track->speed_mbit,
		.host_number = sweep->host_number,
		.track = track->number,
		.first = !track->seen,
		.n_points = to - from,
		.point_ns = sweep->slice.point_ns + from,
		.sample_ns = desk->sample_ns + from,
		.present = desk->present + from,
		.values = desk->spans,
	};
	int status;

	track->seen = true;
	move_spans(desk, sweep->n_columns, (ptrdiff_t)from);
	status = sweep->options->sink(sweep->options->user, &span, err);
	move_spans(desk, sweep->n_columns, -(ptrdiff_t)from);
	return status;
}

static bool wanted_point(const struct lp_sweeper *sweep, size_t s)
{
	return sweep->slice.point_ns[s] >= sweep->options->since_ns &&
	       sweep->slice.point_ns[s] <= sweep->options->until_ns;
}

/* The stretches of closed points that are asked for. */
static int emit_wanted(const struct lp_sweeper *sweep,
		       struct lp_sweep_desk *desk, const struct lp_lane *lane,
		       struct lp_track *track, struct lp_error *err)
{
	size_t n = sweep->slice.n_closed, from = 0, to;
	int status = 0;

	/* Points before the component came are nobody's. */
	while (!track->seen && from < n && !desk->present[from])
		from++;
	for (; from < n && status == 0; from = to + 1) {
		if (!wanted_point(sweep, from)) {
			track->seen = true;
			to = from;
			continue;
		}
		for (to = from; to < n && wanted_point(sweep, to);)
			to++;
		status = emit(sweep, desk, lane, track, from, to, err);
	}
	return status;
}

static bool track_is_alive(const struct lp_track *track)
{
	for (size_t c = 0; c < track->n_cells; c++)
		if (is_alive(&track->cells[c]))
			return true;
	return false;
}

static int sweep_track(const struct lp_sweeper *sweep,
		       struct lp_sweep_desk *desk, const struct lp_lane *lane,
		       struct lp_track *track, const struct lp_panel *panel,
		       size_t sample, struct lp_error *err)
{
	struct lp_cell_frame frame = {
		.slice = &sweep->slice,
		.epoch = desk->epoch,
		.epoch_before = track->epoch,
		.tick_marks_before = &sweep->ticks_before,
		.tick_marks = &lane->ticks,
		.tick_epoch_before = sweep->tick_epoch_before,
		.tick_epoch = lane->epoch,
		.tick_reps = &sweep->tick_reps,
	};

	/* At step 0 a component that is away keeps its last sample. */
	if (track->series)
		track->dormant = false;
	else if (!track->dormant)
		track->dormant = !lane->grid.step_ns || !track_is_alive(track);
	if (track->dormant) {
		track->epoch += lane->epoch - sweep->tick_epoch_before;
		return 0;
	}
	if (lp_track_widen(track, sweep->n_columns) < 0)
		return lp_fail_memory(err);
	for (size_t c = 0; c < sweep->n_columns; c++)
		desk->inputs[c] =
			input_of(sweep, lane, panel, track->series, c, sample);
	frame.own_resets = find_track_breaks(sweep, desk, track);
	track->epoch = number_epochs(desk->breaks, sweep->slice.n, track->epoch,
				     desk->epoch);
	follow_columns(sweep, desk, track, &frame);
	return emit_wanted(sweep, desk, lane, track, err);
}

/* A track, and what it takes to sweep it. */
struct turn {
	struct lp_sweeper *sweep;
	struct lp_lane *lane;
	const struct lp_panel *panel;
	size_t sample;
	int status;
	struct lp_error *err;
};

static void take_turn(struct turn *turn, size_t desk, size_t track)
{
	struct lp_error why;
	int status = sweep_track(turn->sweep, &turn->sweep->desks[desk],
				 turn->lane, turn->lane->tracks.items[track],
				 turn->panel, turn->sample, &why);

	if (status == 0)
		return;
#pragma omp critical(lp_sweep)
	if (turn->status == 0) {
		turn->status = status;
		if (turn->err)
			*turn->err = why;
	}
}

/* Threads that wait for each other cost more than a little work. */
#define WORK_FOR_THREADS 8192

static size_t threads_for(const struct turn *turn)
{
	size_t work = turn->sweep->slice.n * turn->lane->tracks.count;

	return work < WORK_FOR_THREADS ? 1 : turn->sweep->n_desks;
}

/*
 * Whoever was met before; those who are new came first, one after another, so
 * that the sink meets all in the same order whatever the threads do.
 */
static void sweep_known(struct turn *turn, const uint8_t *done)
{
	size_t threads = threads_for(turn), n = turn->lane->tracks.count;

	(void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic, 4)                                  \
	num_threads((int)threads) if (threads > 1)
	for (size_t t = 0; t < n; t++)
		if (!done[t])
			take_turn(turn, this_thread(), t);
}

static int sweep_slice(struct lp_sweeper *sweep, struct lp_lane *lane,
		       const struct lp_panel *panel, size_t sample,
		       struct lp_error *err)
{
	struct turn turn = { sweep, lane, panel, sample, 0, err };
	size_t n = lane->tracks.count;
	bool alone = sweep->n_desks == 1;
	lp_auto_free uint8_t *done = alone ? NULL : calloc(n + 1, 1);

	place_ticks(sweep, lane);
	if (!alone && !done)
		return lp_fail_memory(err);
	for (size_t t = 0; t < n && turn.status == 0; t++) {
		if (!alone && lane->tracks.items[t]->seen)
			continue;
		take_turn(&turn, 0, t);
		if (!alone)
			done[t] = 1;
	}
	if (!alone && turn.status == 0)
		sweep_known(&turn, done);
	return turn.status;
}

static int reserve_desk(struct lp_sweep_desk *desk, size_t n)
{
	return lp_grow(&desk->values, &desk->values_capacity, n,
		       sizeof(*desk->values)) < 0 ||
			       lp_grow(&desk->inputs, &desk->inputs_capacity, n,
				       sizeof(*desk->inputs)) < 0 ||
			       lp_grow(&desk->spans, &desk->spans_capacity, n,
				       sizeof(*desk->spans)) < 0
		       ? -ENOMEM
		       : 0;
}

static int reserve(struct lp_sweeper *sweep, size_t n)
{
	sweep->n_columns = n;
	if (!sweep->desks) {
		sweep->n_desks = most_threads(sweep->options->threads);
		sweep->desks = calloc(sweep->n_desks, sizeof(*sweep->desks));
	}
	if (!sweep->desks || lp_grow(&sweep->column_map, &sweep->map_capacity,
				     n, sizeof(int)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < sweep->n_desks; i++)
		if (reserve_desk(&sweep->desks[i], n) < 0)
			return -ENOMEM;
	return 0;
}

/* Which column of the panel is which of the shape. */
static int map_columns(struct lp_sweeper *sweep, struct lp_lane *lane,
		       const struct lp_panel *panel)
{
	struct lp_shape *shape = lane->shape;

	for (size_t c = 0; c < panel->n_columns; c++)
		if (lp_shape_column(shape, &panel->columns[c],
				    sweep->options->columns) < 0)
			return -ENOMEM;
	if (reserve(sweep, shape->n_columns) < 0)
		return -ENOMEM;
	for (size_t c = 0; c < shape->n_columns; c++)
		sweep->column_map[c] = -1;
	for (size_t c = 0; c < panel->n_columns; c++) {
		int at = lp_shape_column(shape, &panel->columns[c], NULL);

		if (shape->wanted[at])
			sweep->column_map[at] = (int)c;
	}
	return 0;
}

static int attach(struct lp_lane *lane, const struct lp_panel *panel)
{
	for (size_t t = 0; t < lane->tracks.count; t++)
		lane->tracks.items[t]->series = NULL;
	for (size_t s = 0; s < panel->n_series; s++) {
		struct lp_track *track =
			lp_tracks_get(&lane->tracks, panel->series[s].name);

		if (!track)
			return -ENOMEM;
		track->series = &panel->series[s];
	}
	return 0;
}

int lp_sweeper_panel(struct lp_sweeper *sweep, struct lp_lane *lane,
		     const struct lp_chunk *chunk, const struct lp_panel *panel,
		     struct lp_error *err)
{
	int r = 0;

	if (map_columns(sweep, lane, panel) < 0 || attach(lane, panel) < 0)
		return lp_fail_memory(err);
	for (size_t i = 0; i < chunk->n_samples && r == 0;
	     i += LP_SLICE_TICKS) {
		size_t n = chunk->n_samples - i;

		lp_slice_lay(&sweep->slice, &lane->grid, chunk->time_ns + i,
			     n < LP_SLICE_TICKS ? n : LP_SLICE_TICKS);
		r = sweep_slice(sweep, lane, panel, i, err);
	}
	return r;
}

int lp_sweeper_finish(struct lp_sweeper *sweep, struct lp_lane *lane,
		      struct lp_error *err)
{
	static const struct lp_panel nothing = { 0 };

	if (map_columns(sweep, lane, &nothing) < 0 ||
	    attach(lane, &nothing) < 0)
		return lp_fail_memory(err);
	lp_slice_close(&sweep->slice, &lane->grid);
	return sweep_slice(sweep, lane, &nothing, 0, err);
}

void lp_sweeper_done(struct lp_sweeper *sweep)
{
	for (size_t i = 0; i < sweep->n_desks; i++) {
		free(sweep->desks[i].values);
		free(sweep->desks[i].inputs);
		free(sweep->desks[i].spans);
	}
	free(sweep->desks);
	free(sweep->column_map);
}
