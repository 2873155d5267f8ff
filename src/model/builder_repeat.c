/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that stay as they are: most devices of a server are idle. Such a row is
 * only counted; its values are written out when somebody looks at them, so
 * that the recorder's tick touches one line of memory for it and not one per
 * column.
 */
#include "model/builder_parts.h"

#include <string.h>

bool lp_builder_repeat(struct lp_builder *b, size_t p, const char *name,
		       size_t n)
{
	size_t s = lp_builder_find(b, p, name, n), now = b->chunk.n_samples;
	struct build_series *series;

	if (s == LP_BUILDER_NONE)
		return false;
	series = &b->panels[p].series[s];
	if (now < 2 || series->last != now - 1 || series->pieced)
		return false;
	series->last = now;
	series->owed++;
	b->panels[p].next = s + 1;
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

void lp_builder_settle(struct lp_builder *b, size_t p, size_t s)
{
	struct build_series *build = &b->panels[p].series[s];
	struct lp_values *values = b->chunk.panels[p].series[s].values;

	if (build->owed == 0)
		return;
	for (size_t c = 0; c < build->n_columns; c++)
		repeat_values(&values[c], &build->leading[c],
			      build->last - build->owed, build->last);
	build->owed = 0;
}

void lp_builder_settle_all(struct lp_builder *b)
{
	for (size_t p = 0; p < b->chunk.n_panels; p++)
		for (size_t s = 0; s < b->chunk.panels[p].n_series; s++)
			lp_builder_settle(b, p, s);
}
