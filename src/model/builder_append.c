/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of another chunk, whatever its classes and columns. */
#include "model/builder_parts.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* At once, if neither side has a hole. False: value by value, please. */
static bool append_whole(struct lp_builder *b, const struct lp_row *row,
			 size_t column, const struct lp_values *v, size_t from,
			 size_t to)
{
	struct build_series *build = &b->panels[row->panel].series[row->series];
	size_t first = b->chunk.n_samples - (to - from);
	struct lp_values *target;

	if (v->present || column >= build->n_columns)
		return false;
	target =
		&b->chunk.panels[row->panel].series[row->series].values[column];
	if (!target->bits || target->present || build->leading[column] != first)
		return false;
	memcpy(target->bits + first, v->bits + from,
	       (to - from) * sizeof(*v->bits));
	build->leading[column] = first + (to - from);
	return true;
}

/* The samples of one column of one series of another chunk. */
static bool append_values(struct lp_builder *b, const struct lp_row *row,
			  size_t column, const struct lp_chunk *from_chunk,
			  const struct lp_values *v, size_t from, size_t to)
{
	size_t first = b->chunk.n_samples - (to - from);
	bool text = b->chunk.panels[row->panel].columns[column].type == LP_TEXT;

	if (!text && append_whole(b, row, column, v, from, to))
		return true;
	for (size_t i = from; i < to; i++) {
		uint64_t bits, *slot;

		if (!lp_values_has(v, i))
			continue;
		bits = v->bits[i];
		if (text)
			bits = lp_names_add(&b->texts, from_chunk->texts[bits]);
		slot = lp_builder_place(b, row->panel, row->series, column,
					first + i - from);
		if (!slot || (text && bits == LP_NAME_NONE))
			return false;
		*slot = bits;
	}
	return true;
}

static bool append_series(struct lp_builder *b, size_t p,
			  const struct lp_chunk *chunk,
			  const struct lp_panel *panel,
			  const struct lp_series *series, const size_t *map,
			  size_t from, size_t to)
{
	struct lp_row row;

	if (!lp_builder_row(b, p, series->name, strlen(series->name), &row))
		return false;
	for (size_t c = 0; c < panel->n_columns; c++)
		if (series->values[c].bits &&
		    !append_values(b, &row, map[c], chunk, &series->values[c],
				   from, to))
			return false;
	return true;
}

static bool append_panel(struct lp_builder *b, const struct lp_chunk *chunk,
			 const struct lp_panel *panel, size_t from, size_t to)
{
	lp_auto_free size_t *map = calloc(panel->n_columns + 1, sizeof(*map));
	size_t p = lp_builder_bare_panel(b, panel->class_name);

	if (p == LP_BUILDER_NONE || !map)
		return false;
	for (size_t c = 0; c < panel->n_columns; c++) {
		map[c] = lp_builder_column(b, p, &panel->columns[c]);
		if (map[c] == LP_BUILDER_NONE)
			return false;
	}
	for (size_t s = 0; s < panel->n_series; s++)
		if (!append_series(b, p, chunk, panel, &panel->series[s], map,
				   from, to))
			return false;
	return true;
}

int lp_builder_append(struct lp_builder *b, const struct lp_chunk *chunk,
		      size_t from, size_t to)
{
	size_t n = b->chunk.n_samples;

	assert(from <= to && to <= chunk->n_samples && chunk != &b->chunk);
	if (!lp_builder_reserve(b, n + (to - from)))
		return -ENOMEM;
	lp_builder_settle_all(b);
	memcpy(b->chunk.time_ns + n, chunk->time_ns + from,
	       (to - from) * sizeof(*chunk->time_ns));
	b->chunk.n_samples = b->now = n + (to - from);
	for (size_t p = 0; p < chunk->n_panels; p++)
		if (!append_panel(b, chunk, &chunk->panels[p], from, to))
			return -ENOMEM;
	return 0;
}
