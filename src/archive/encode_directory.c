/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of a samples block: everything that the sections do not say,
 * so that a block can be read without any other.
 */
#include "archive/encode.h"

static void put_column(struct lp_buffer *out, const struct lp_column *c)
{
	uint8_t flags = (uint8_t)((c->optional ? COLUMN_OPTIONAL : 0) |
				  (c->partner ? COLUMN_PARTNER : 0) |
				  (c->bound != 0 ? COLUMN_BOUND : 0));

	lp_buffer_string(out, c->name);
	lp_buffer_string(out, c->unit);
	lp_buffer_u8(out, (uint8_t)c->kind);
	lp_buffer_u8(out, (uint8_t)c->type);
	lp_buffer_u8(out, c->width);
	lp_buffer_u8(out, flags);
	if (flags & COLUMN_PARTNER)
		lp_buffer_string(out, c->partner);
	if (flags & COLUMN_BOUND)
		lp_buffer_u64(out, lp_double_bits(c->bound));
}

static void put_panel(struct lp_buffer *out, const struct panel_plan *plan)
{
	const struct lp_panel *panel = plan->panel;

	lp_buffer_string(out, panel->class_name);
	lp_buffer_varint(out, plan->n_columns);
	lp_buffer_varint(out, plan->n_series);
	for (size_t c = 0; c < panel->n_columns; c++)
		if (plan->column_used[c])
			put_column(out, &panel->columns[c]);
	for (size_t s = 0; s < panel->n_series; s++)
		if (plan->series_used[s])
			lp_buffer_string(out, panel->series[s].name);
}

void lp_encode_directory(struct encoder *e, const char *host)
{
	struct lp_buffer *out = &e->directory;
	const struct framer *f = &e->framer;

	out->size = 0;
	lp_buffer_string(out, host);
	lp_buffer_varint(out, e->n_texts);
	lp_buffer_put(out, e->texts.data, e->texts.size);
	lp_buffer_varint(out, e->n_plans);
	for (size_t p = 0; p < e->n_plans; p++)
		put_panel(out, &e->plans[p]);
	lp_buffer_put(out, f->sections.data, f->sections.size);
	lp_buffer_varint(out, f->n_frames);
	lp_buffer_put(out, f->frames.data, f->frames.size);
}
