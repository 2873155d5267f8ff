/* SPDX-License-Identifier: Apache-2.0 */
#include "live/chunk_part.h"

#include <errno.h>

static int part_of_series(const struct lp_panel *panel,
			  struct lp_series *series, size_t from,
			  struct lp_arena *arena)
{
	size_t n = panel->n_columns;
	struct lp_values *values =
		lp_arena_alloc_raw(arena, n * sizeof(*values));

	if (!values)
		return -ENOMEM;
	for (size_t c = 0; c < n; c++) {
		values[c] = series->values[c];
		if (values[c].bits)
			values[c].bits += from;
		if (values[c].present)
			values[c].present += from;
	}
	series->values = values;
	return 0;
}

static int part_of_panel(struct lp_panel *panel, size_t from,
			 struct lp_arena *arena)
{
	const struct lp_series *whole = panel->series;
	size_t n = panel->n_series;
	int status = 0;

	panel->series = lp_arena_alloc_raw(arena, n * sizeof(*panel->series));
	if (!panel->series)
		return -ENOMEM;
	for (size_t s = 0; s < n && status == 0; s++) {
		panel->series[s] = whole[s];
		status = part_of_series(panel, &panel->series[s], from, arena);
	}
	return status;
}

int lp_chunk_part(const struct lp_chunk *chunk, size_t from,
		  struct lp_arena *arena, struct lp_chunk *part)
{
	size_t n = chunk->n_panels;
	int status = 0;

	*part = *chunk;
	part->time_ns += from;
	part->n_samples -= from;
	part->panels = lp_arena_alloc_raw(arena, n * sizeof(*part->panels));
	if (!part->panels)
		return -ENOMEM;
	for (size_t i = 0; i < n && status == 0; i++) {
		part->panels[i] = chunk->panels[i];
		status = part_of_panel(&part->panels[i], from, arena);
	}
	return status;
}
