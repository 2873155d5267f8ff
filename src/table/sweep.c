/* SPDX-License-Identifier: Apache-2.0 */
#include "table/sweep.h"

#include "table/delta.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	for (size_t s = 0; s < sweep->slice.n_closed; s++) {
		sweep->tick_present[s] = sweep->tick_reps.to[s] != LP_REP_NONE;
		sweep->rest[s] = isnan(sweep->tick_reps.seconds[s]) ? NAN : 0;
	}
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

/* The same for a track; most have no breaks, and neither had the last. */
static void number_track(struct lp_sweeper *sweep, struct lp_track *track,
			 bool any)
{
	size_t n = sweep->slice.n;

	if (!any && n <= sweep->n_even && n && sweep->epoch[0] == track->epoch)
		return;
	track->epoch =
		number_epochs(sweep->breaks, n, track->epoch, sweep->epoch);
	sweep->n_even = any ? 0 : n;
}

/* One counter that began anew tells of all counters of the component. */
static bool find_track_breaks(struct lp_sweeper *sweep,
			      const struct lp_track *track)
{
	size_t n = sweep->slice.n;
	bool any = false;

	memcpy(sweep->breaks, sweep->tick_breaks, n);
	for (size_t c = 0; c < sweep->n_columns; c++)
		if (sweep->inputs[c].bits &&
		    lp_delta_counts(sweep->inputs[c].column))
			any |= lp_cell_find_resets(&track->cells[c],
						   &sweep->inputs[c], n,
						   sweep->breaks);
	return any && memcmp(sweep->breaks, sweep->tick_breaks, n) != 0;
}

/* Columns may be sampled at times of their own: the latest counts. */
static void note_present(struct lp_sweeper *sweep, const struct lp_reps *reps)
{
	for (size_t s = 0; s < sweep->slice.n_closed; s++) {
		bool has = reps->to[s] != LP_REP_NONE;

		if (has && (!sweep->present[s] ||
			    reps->time_ns[s] > sweep->sample_ns[s]))
			sweep->sample_ns[s] = reps->time_ns[s];
		sweep->present[s] |= has;
	}
}

static bool is_alive(const struct lp_cell *cell)
{
	return cell->marks.open.has || cell->marks.before.has;
}

static void follow_columns(struct lp_sweeper *sweep, struct lp_track *track,
			   const struct lp_cell_frame *frame)
{
	size_t n_closed = sweep->slice.n_closed;

	bool ticks = false, others = false;

	memset(sweep->present, 0, n_closed);
	for (size_t c = 0; c < sweep->n_columns; c++) {
		struct lp_cell *cell = &track->cells[c];
		double *value = sweep->values[c][0];
		double *seconds = sweep->values[c][1];
		const struct lp_reps *reps;

		sweep->spans[c] = (struct lp_span_column){ 0 };
		if (!sweep->inputs[c].bits && !is_alive(cell))
			continue;
		sweep->spans[c].seconds = sweep->tick_reps.seconds;
		if (lp_cell_rest(cell, &sweep->inputs[c], frame)) {
			sweep->spans[c].value = sweep->rest;
			sweep->spans[c].still = true;
			ticks = true;
			continue;
		}
		reps = lp_cell_follow(cell, &sweep->inputs[c], frame,
				      &sweep->cell, value);
		sweep->spans[c].value = value;
		if (reps == &sweep->tick_reps) {
			ticks = true;
			continue;
		}
		note_present(sweep, reps);
		others = true;
		memcpy(seconds, reps->seconds, n_closed * sizeof(*seconds));
		sweep->spans[c].seconds = seconds;
	}
	sweep->with_ticks = ticks && !others;
	if (ticks && others)
		note_present(sweep, &sweep->tick_reps);
}

static const uint8_t *presence(const struct lp_sweeper *sweep)
{
	return sweep->with_ticks ? sweep->tick_present : sweep->present;
}

static const int64_t *sample_times(const struct lp_sweeper *sweep)
{
	return sweep->with_ticks ? sweep->tick_reps.time_ns : sweep->sample_ns;
}

static int emit(struct lp_sweeper *sweep, const struct lp_lane *lane,
		struct lp_track *track, size_t from, size_t to,
		struct lp_error *err)
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
		.number = &track->known_as,
		.first = !track->seen,
		.n_points = to - from,
		.point_ns = sweep->slice.point_ns + from,
		.sample_ns = sample_times(sweep) + from,
		.present = presence(sweep) + from,
		.values = sweep->spans,
	};
	int status;

	for (size_t c = 0; from && c < sweep->n_columns; c++)
		if (sweep->spans[c].value) {
			sweep->spans[c].value += from;
			sweep->spans[c].seconds += from;
		}
	track->seen = true;
	status = sweep->options->sink(sweep->options->user, &span, err);
	for (size_t c = 0; from && c < sweep->n_columns; c++)
		if (sweep->spans[c].value) {
			sweep->spans[c].value -= from;
			sweep->spans[c].seconds -= from;
		}
	return status;
}

static bool wanted_point(const struct lp_sweeper *sweep, size_t s)
{
	return sweep->slice.point_ns[s] >= sweep->options->since_ns &&
	       sweep->slice.point_ns[s] <= sweep->options->until_ns;
}

/* The stretches of closed points that are asked for. */
static int emit_wanted(struct lp_sweeper *sweep, const struct lp_lane *lane,
		       struct lp_track *track, struct lp_error *err)
{
	size_t n = sweep->slice.n_closed, from = 0, to;
	int status = 0;

	/* Points before the component came are nobody's. */
	while (!track->seen && from < n && !presence(sweep)[from])
		from++;
	for (; from < n && status == 0; from = to + 1) {
		if (!wanted_point(sweep, from)) {
			track->seen = true;
			to = from;
			continue;
		}
		for (to = from; to < n && wanted_point(sweep, to);)
			to++;
		status = emit(sweep, lane, track, from, to, err);
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

static int sweep_track(struct lp_sweeper *sweep, struct lp_lane *lane,
		       struct lp_track *track, const struct lp_panel *panel,
		       size_t sample, struct lp_error *err)
{
	struct lp_cell_frame frame = {
		.slice = &sweep->slice,
		.epoch = sweep->epoch,
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
		sweep->inputs[c] =
			input_of(sweep, lane, panel, track->series, c, sample);
	frame.own_resets = find_track_breaks(sweep, track);
	number_track(sweep, track, frame.own_resets || sweep->any_tick_break);
	follow_columns(sweep, track, &frame);
	return emit_wanted(sweep, lane, track, err);
}

static int sweep_slice(struct lp_sweeper *sweep, struct lp_lane *lane,
		       const struct lp_panel *panel, size_t sample,
		       struct lp_error *err)
{
	int status = 0;

	place_ticks(sweep, lane);
	for (size_t t = 0; t < lane->tracks.count && status == 0; t++)
		status = sweep_track(sweep, lane, lane->tracks.items[t], panel,
				     sample, err);
	return status;
}

static int reserve(struct lp_sweeper *sweep, size_t n)
{
	sweep->n_columns = n;
	if (lp_grow(&sweep->values, &sweep->values_capacity, n,
		    sizeof(*sweep->values)) < 0 ||
	    lp_grow(&sweep->inputs, &sweep->inputs_capacity, n,
		    sizeof(*sweep->inputs)) < 0 ||
	    lp_grow(&sweep->spans, &sweep->spans_capacity, n,
		    sizeof(*sweep->spans)) < 0 ||
	    lp_grow(&sweep->column_map, &sweep->map_capacity, n, sizeof(int)) <
		    0)
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
	int status = 0;

	if (map_columns(sweep, lane, panel) < 0 || attach(lane, panel) < 0)
		return lp_fail_memory(err);
	for (size_t i = 0; i < chunk->n_samples && status == 0;
	     i += LP_SLICE_TICKS) {
		size_t n = chunk->n_samples - i;

		lp_slice_lay(&sweep->slice, &lane->grid, chunk->time_ns + i,
			     n < LP_SLICE_TICKS ? n : LP_SLICE_TICKS);
		status = sweep_slice(sweep, lane, panel, i, err);
	}
	return status;
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
	free(sweep->values);
	free(sweep->inputs);
	free(sweep->spans);
	free(sweep->column_map);
}
