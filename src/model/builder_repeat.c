/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that stay as they are: most devices of a server are idle. Such a row is
 * only counted; its values are written out when somebody looks at them, so
 * that the recorder's tick touches one line of memory for it and not one per
 * column.
 */
#include "model/builder_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool lp_row_repeat(const struct lp_row *row)
{
	struct lp_builder *b = row->builder;
	struct build_panel *panel = &b->panels[row->panel];
	struct build_series *series = &panel->series[row->series];
	size_t now = b->now;

	if (now < 2 || series->last != now - 1 || series->pieced)
		return false;
	series->last = now;
	series->owed++;
	panel->next = row->series + 1;
	return true;
}

/* The samples [from, to) are as the one before, be it there or not. */
static void repeat_values(struct lp_values *v, size_t *leading, size_t from,
			  size_t to)
{
	bool there = v->bits &&
		     (v->present ? v->present[from - 1] : *leading >= from);

	if (!there)
		return;
	for (size_t i = from; i < to; i++)
		v->bits[i] = v->bits[from - 1];
	if (v->present)
		memset(v->present + from, 1, to - from);
	else
		*leading = to;
}

void lp_builder_repeat(struct lp_builder *b, size_t p, size_t s, size_t from,
		       size_t to)
{
	struct build_series *build = &b->panels[p].series[s];
	struct lp_values *values = b->chunk.panels[p].series[s].values;

	assert(0 < from && from <= to && to <= b->chunk.n_samples);
	for (size_t c = 0; c < build->n_columns; c++)
		repeat_values(&values[c], &build->leading[c], from, to);
}

void lp_builder_settle(struct lp_builder *b, size_t p, size_t s)
{
	struct build_series *build = &b->panels[p].series[s];

	assert(b->panels[p].log_size == 0);
	if (build->owed == 0)
		return;
	lp_builder_repeat(b, p, s, build->last - build->owed, build->last);
	build->owed = 0;
}

void lp_builder_settle_all(struct lp_builder *b)
{
	for (size_t p = 0; p < b->chunk.n_panels; p++) {
		lp_builder_flush(b, p);
		for (size_t s = 0; s < b->chunk.panels[p].n_series; s++)
			lp_builder_settle(b, p, s);
	}
}

/* Whether it has only been repeated since the first sample. */
static bool is_steady(const struct lp_builder *b, size_t p,
		      const struct build_series *build)
{
	size_t n = b->chunk.n_samples;

	return n > 1 && build->last == n && build->owed == n - 1 &&
	       build->n_columns == b->chunk.panels[p].n_columns;
}

/* The first sample, side by side: the columns lie far apart. */
static bool make_row(const struct lp_builder *b, size_t p, size_t s)
{
	struct build_series *build = &b->panels[p].series[s];
	const struct lp_row row = { NULL, p, s };
	size_t n = build->n_columns;

	if (!build->row.bits)
		build->row.bits = calloc(n + 1, sizeof(*build->row.bits) + 1);
	if (!build->row.bits)
		return false;
	build->row.present = (uint8_t *)(build->row.bits + n);
	for (size_t c = 0; c < n; c++) {
		build->row.present[c] = lp_builder_has(b, &row, c, 0);
		if (build->row.present[c])
			build->row.bits[c] =
				b->chunk.panels[p].series[s].values[c].bits[0];
	}
	build->row_known = true;
	return true;
}

bool lp_builder_steady_row(const struct lp_builder *b, size_t p, size_t s,
			   struct lp_values *row)
{
	const struct build_series *build = &b->panels[p].series[s];

	if (!is_steady(b, p, build) ||
	    (!build->row_known && !make_row(b, p, s)))
		return false;
	*row = build->row;
	return true;
}
