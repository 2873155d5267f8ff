/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A samples block: plan the panels, write the sections, then the directory.
 */
#include "archive/encode.h"

#include "base/crc32c.h"
#include "base/names.h"

#include <errno.h>
#include <stdlib.h>

struct span {
	const struct lp_chunk *chunk;
	size_t from, n;
};

void lp_encoder_init(struct encoder *e)
{
	*e = (struct encoder){ 0 };
}

void lp_encoder_done(struct encoder *e)
{
	lp_planes_done(&e->planes);
	lp_framer_done(&e->framer);
	lp_presence_done(&e->presence);
	lp_buffer_done(&e->directory);
	lp_buffer_done(&e->block);
	lp_buffer_done(&e->texts);
	free(e->plans);
	free(e->text_map);
	free(e->gathered);
	lp_arena_done(&e->arena);
}

void lp_encoder_take(struct encoder *e, struct lp_buffer *block)
{
	struct lp_buffer before = *block;

	*block = e->block;
	e->block = before;
	e->block.size = 0;
}

static uint32_t presence_of(struct encoder *e, const struct lp_series *series,
			    size_t c, size_t from)
{
	const struct lp_values *v = &series->values[c];

	if (series->row.bits)
		return lp_values_has(&series->row, c) ? PRESENCE_ALL
						      : PRESENCE_NONE;
	if (!v->bits)
		return PRESENCE_NONE;
	return lp_presence_add(&e->presence,
			       v->present ? v->present + from : NULL);
}

/* Look at every series once: what has values here, and where. */
static void plan_series(struct encoder *e, struct panel_plan *plan, size_t s,
			size_t from)
{
	size_t n_columns = plan->panel->n_columns;
	const struct lp_series *series = &plan->panel->series[s];

	for (size_t c = 0; c < n_columns; c++) {
		uint32_t presence = presence_of(e, series, c, from);

		plan->presence[s * n_columns + c] = presence;
		if (presence == PRESENCE_NONE)
			continue;
		plan->n_series += !plan->series_used[s];
		plan->n_columns += !plan->column_used[c];
		plan->series_used[s] = plan->column_used[c] = true;
	}
}

static bool make_plan(struct encoder *e, const struct lp_panel *panel,
		      const struct span *span, struct panel_plan *plan)
{
	size_t cells = panel->n_series * panel->n_columns;

	*plan = (struct panel_plan){
		.panel = panel,
		.presence =
			lp_arena_alloc_raw(&e->arena, cells * sizeof(uint32_t)),
		.series_used = lp_arena_alloc(&e->arena, panel->n_series),
		.column_used = lp_arena_alloc(&e->arena, panel->n_columns),
	};
	if (!plan->presence || !plan->series_used || !plan->column_used)
		return false;
	lp_presence_reset(&e->presence, span->n);
	for (size_t s = 0; s < panel->n_series; s++)
		plan_series(e, plan, s, span->from);
	return !e->presence.failed;
}

/* The values of a series that are there, one behind the other. */
static uint64_t *gather(struct encoder *e, const struct lp_values *v,
			const struct span *span, size_t *n)
{
	const uint64_t *bits = v->bits + span->from;
	size_t count = 0;

	if (lp_grow(&e->gathered, &e->gathered_capacity, span->n,
		    sizeof(*e->gathered)) < 0)
		return NULL;
	if (!v->present) {
		memcpy(e->gathered, bits, span->n * sizeof(*bits));
		*n = span->n;
		return e->gathered;
	}
	for (size_t i = 0; i < span->n; i++) {
		e->gathered[count] = bits[i];
		count += v->present[span->from + i] != 0;
	}
	*n = count;
	return e->gathered;
}

static int number_text(struct encoder *e, const struct lp_chunk *chunk,
		       uint64_t *v)
{
	if (*v >= chunk->n_texts)
		return -EINVAL;
	if (e->text_map[*v] == LP_NAME_NONE) {
		e->text_map[*v] = e->n_texts++;
		lp_buffer_string(&e->texts, chunk->texts[*v]);
	}
	*v = e->text_map[*v];
	return 0;
}

static int put_texts(struct encoder *e, const struct span *span, uint64_t *v,
		     size_t n, uint32_t presence)
{
	for (size_t i = 0; i < n; i++)
		if (number_text(e, span->chunk, &v[i]) < 0)
			return -EINVAL;
	lp_planes_put(&e->planes, v, n, presence);
	return 0;
}

static int put_doubles(struct encoder *e, uint64_t *v, size_t n,
		       uint32_t presence)
{
	uint8_t scale = SCALE_BITS;

	if (lp_decimal_encode(v, n, &scale))
		lp_planes_put(&e->planes, v, n, presence);
	else
		lp_planes_put_xor(&e->planes, v, n, presence);
	lp_buffer_u8(&e->planes.scales, scale);
	return 0;
}

static int put_values(struct encoder *e, const struct lp_values *v,
		      enum lp_type type, const struct span *span,
		      uint32_t presence)
{
	size_t n = span->n;
	uint64_t *bits;

	if (type == LP_U64 && presence == PRESENCE_ALL) {
		lp_planes_put(&e->planes, v->bits + span->from, n, presence);
		e->n_values += n;
		return 0;
	}
	bits = gather(e, v, span, &n);
	if (!bits)
		return -ENOMEM;
	e->n_values += n;
	if (type == LP_TEXT)
		return put_texts(e, span, bits, n, presence);
	if (type == LP_F64)
		return put_doubles(e, bits, n, presence);
	lp_planes_put(&e->planes, bits, n, presence);
	return 0;
}

/* A value that is the same in all samples is encoded as in one. */
static int put_same(struct encoder *e, uint64_t bits, enum lp_type type,
		    const struct span *span)
{
	const struct lp_values one = { .bits = &bits };
	const struct span first = { span->chunk, 0, 1 };

	e->n_values += span->n;
	if (type == LP_U64) {
		lp_planes_put_same(&e->planes, bits, PRESENCE_ALL);
		return 0;
	}
	e->n_values--;
	return put_values(e, &one, type, &first, PRESENCE_ALL);
}

static int put_column(struct encoder *e, const struct panel_plan *plan,
		      const struct span *span, size_t c)
{
	const struct lp_panel *panel = plan->panel;
	enum lp_type type = panel->columns[c].type;
	int status;

	lp_planes_reset(&e->planes);
	for (size_t s = 0; s < panel->n_series; s++) {
		uint32_t presence = plan->presence[s * panel->n_columns + c];
		const struct lp_series *series = &panel->series[s];

		if (!plan->series_used[s])
			continue;
		if (presence == PRESENCE_NONE) {
			lp_planes_absent(&e->planes);
			if (type == LP_F64)
				lp_buffer_u8(&e->planes.scales, SCALE_BITS);
			continue;
		}
		status = series->row.bits
				 ? put_same(e, series->row.bits[c], type, span)
				 : put_values(e, &series->values[c], type, span,
					      presence);
		if (status < 0)
			return status;
	}
	lp_planes_finish(&e->planes, &e->framer.raw);
	lp_framer_section(&e->framer);
	return 0;
}

static int put_panel(struct encoder *e, const struct lp_panel *panel,
		     const struct span *span)
{
	struct panel_plan *plan = &e->plans[e->n_plans];
	int status;

	if (!make_plan(e, panel, span, plan))
		return -ENOMEM;
	if (plan->n_series == 0)
		return 0;
	e->n_plans++;
	lp_presence_finish(&e->presence, &e->framer.raw);
	lp_framer_section(&e->framer);
	for (size_t c = 0; c < panel->n_columns; c++) {
		if (!plan->column_used[c])
			continue;
		status = put_column(e, plan, span, c);
		if (status < 0)
			return status;
	}
	lp_framer_part(&e->framer);
	return 0;
}

static int begin(struct encoder *e, const struct lp_chunk *chunk, int level)
{
	if (lp_grow(&e->plans, &e->plans_capacity, chunk->n_panels + 1,
		    sizeof(*e->plans)) < 0 ||
	    lp_grow(&e->text_map, &e->text_map_capacity, chunk->n_texts + 1,
		    sizeof(*e->text_map)) < 0)
		return -ENOMEM;
	memset(e->text_map, 0xff, chunk->n_texts * sizeof(*e->text_map));
	lp_arena_reset(&e->arena);
	lp_framer_reset(&e->framer, level);
	e->texts.size = 0;
	e->n_texts = 0;
	e->n_plans = 0;
	e->n_values = 0;
	return 0;
}

static void time_range(const int64_t *t, size_t n, struct block_header *h)
{
	h->first_ns = h->last_ns = t[0];
	for (size_t i = 1; i < n; i++) {
		h->first_ns = t[i] < h->first_ns ? t[i] : h->first_ns;
		h->last_ns = t[i] > h->last_ns ? t[i] : h->last_ns;
	}
}

int lp_encode_samples(struct encoder *e, const struct lp_chunk *chunk,
		      size_t from, size_t to, unsigned flags, int level,
		      const uint8_t **bytes, size_t *n)
{
	struct span span = { chunk, from, to - from };
	struct block_header header = {
		.type = BLOCK_SAMPLES,
		.flags = (uint8_t)flags,
		.n_samples = (uint32_t)span.n,
	};
	int status = begin(e, chunk, level);

	if (status < 0)
		return status;
	time_range(chunk->time_ns + from, span.n, &header);
	lp_encode_times(&e->planes, chunk->time_ns + from, span.n,
			&e->framer.raw);
	lp_framer_section(&e->framer);
	for (size_t p = 0; p < chunk->n_panels; p++) {
		status = put_panel(e, &chunk->panels[p], &span);
		if (status < 0)
			return status;
	}
	lp_framer_flush(&e->framer);
	lp_encode_directory(e, chunk->host);
	header.n_values = e->n_values;
	return lp_encode_block(e, &header, bytes, n);
}
