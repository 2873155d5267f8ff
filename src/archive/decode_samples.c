/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A samples block as a chunk: the directory, then the sections that the query
 * wants.
 */
#include "archive/decode.h"
#include "archive/scale.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

void lp_decoder_init(struct decoder *d)
{
	*d = (struct decoder){ 0 };
}

void lp_decoder_done(struct decoder *d)
{
	lp_arena_done(&d->arena);
	lp_pool_done(&d->pool);
	lp_buffer_done(&d->directory);
	lp_buffer_done(&d->frame);
	ZSTD_freeDCtx(d->decompressor);
	free(d->sections);
	free(d->frames);
	free(d->panels);
	free(d->presence);
	free(d->heads);
	free(d->scratch);
	lp_constants_done(&d->constants);
	lp_inventory_free(d->inventory);
}

int lp_decode_bad(struct decoder *d, const char *why)
{
	d->why = why;
	return -EBADMSG;
}

static int reserve(struct decoder *d, size_t n)
{
	lp_constants_trim(&d->constants);
	return lp_grow(&d->scratch, &d->scratch_capacity, n, sizeof(uint64_t));
}

/* Memory for n values or flags, within what a block may hold. */
static void *cells(struct decoder *d, size_t n, size_t size)
{
	d->cells += n * size / sizeof(uint64_t);
	return d->cells > MAX_CELLS ? NULL : lp_pool_alloc(&d->pool, n * size);
}

static int no_cells(struct decoder *d)
{
	return d->cells > MAX_CELLS
		       ? lp_decode_bad(d, "more values than a block may hold")
		       : -ENOMEM;
}

static int read_bitmap(struct decoder *d, const uint8_t *bits, size_t n,
		       struct presence_map *map)
{
	uint8_t *present = cells(d, n, 1);
	size_t count = 0;

	if (!present)
		return no_cells(d);
	for (size_t i = 0; i < n; i++) {
		present[i] = bits[i / 8] >> i % 8 & 1;
		count += present[i];
	}
	if (count == 0)
		return lp_decode_bad(d, "a presence bitmap without a sample");
	*map = (struct presence_map){ present, count };
	return 0;
}

static int read_presence(struct decoder *d, const struct block *block,
			 const struct panel_entry *p)
{
	size_t n = block->header.n_samples, bytes = (n + 7) / 8;
	struct lp_cursor in;
	int status = lp_decode_section(d, block, p->presence, &in);
	uint64_t count;

	if (status < 0)
		return status;
	count = lp_cursor_varint(&in);
	if (in.failed || lp_cursor_left(&in) % bytes ||
	    count != lp_cursor_left(&in) / bytes ||
	    count > p->n_series * p->n_columns)
		return lp_decode_bad(d, "presence bitmaps that do not fill "
					"their section");
	if (lp_grow(&d->presence, &d->presence_capacity, count,
		    sizeof(*d->presence)) < 0)
		return -ENOMEM;
	d->n_presence = count;
	for (uint64_t i = 0; i < count; i++) {
		status = read_bitmap(d, lp_cursor_take(&in, bytes), n,
				     &d->presence[i]);
		if (status < 0)
			return status;
	}
	return 0;
}

static void to_doubles(uint64_t *bits, size_t n, unsigned scale)
{
	for (size_t i = 0; i < n; i++)
		bits[i] =
			lp_double_bits(lp_scale_apply((int64_t)bits[i], scale));
}

static bool texts_exist(const uint64_t *bits, size_t n, size_t n_texts)
{
	bool all = true;

	for (size_t i = 0; i < n; i++)
		all &= bits[i] < n_texts;
	return all;
}

static void spread(const uint64_t *values, const uint8_t *present, size_t n,
		   uint64_t *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = present[i] ? *values : 0;
		values += present[i];
	}
}

static int read_values(struct decoder *d, const struct series_head *h,
		       struct plane_cursor *planes, enum lp_type type,
		       struct lp_values *v)
{
	size_t n = d->chunk.n_samples;
	uint64_t *bits = cells(d, n, sizeof(*bits)), *values = bits;

	if (!bits)
		return no_cells(d);
	if (h->presence)
		values = d->scratch;
	lp_decode_series(h, planes, values);
	if (type == LP_F64 && h->scale != SCALE_BITS)
		to_doubles(values, h->n, h->scale);
	if (type == LP_TEXT && !texts_exist(values, h->n, d->chunk.n_texts))
		return lp_decode_bad(d, "a text that is not there");
	if (h->presence)
		spread(values, d->presence[h->presence - 1].present, n, bits);
	v->bits = bits;
	return 0;
}

/* Texts apart: these are checked value by value. */
static int read_constant(struct decoder *d, const struct series_head *h,
			 struct lp_values *v)
{
	size_t n = d->chunk.n_samples;
	uint64_t value = h->base;

	if (h->scale != SCALE_BITS)
		to_doubles(&value, 1, h->scale);
	d->cells += n;
	v->bits = d->cells > MAX_CELLS
			  ? NULL
			  : lp_constants_get(&d->constants, value, n);
	return v->bits ? 0 : no_cells(d);
}

static int read_column(struct decoder *d, const struct block *block,
		       const struct panel_entry *p, size_t section,
		       enum lp_type type, size_t column)
{
	struct plane_cursor planes;
	struct lp_cursor in;
	int status = lp_decode_section(d, block, section, &in);

	if (status == 0)
		status = lp_decode_heads(d, &in, p->n_series, type == LP_F64,
					 d->chunk.n_samples, &planes);
	for (size_t s = 0; status == 0 && s < p->n_series; s++) {
		const struct series_head *h = &d->heads[s];
		struct lp_values *v = &p->out.series[s].values[column];

		if (h->mode == MODE_ABSENT)
			continue;
		d->n_values += h->n;
		if (h->presence)
			v->present = d->presence[h->presence - 1].present;
		if (h->mode <= MODE_CONSTANT && type != LP_TEXT)
			status = read_constant(d, h, v);
		else
			status = read_values(d, h, &planes, type, v);
	}
	return status;
}

static int read_panel(struct decoder *d, const struct block *block,
		      const struct panel_entry *p)
{
	size_t column = 0;
	int status = read_presence(d, block, p);

	for (size_t c = 0; status == 0 && c < p->n_columns; c++)
		if (p->wanted[c])
			status = read_column(d, block, p, p->presence + 1 + c,
					     p->columns[c].type, column++);
	return status;
}

/* Panels of which something is wanted, one behind the other. */
static int read_panels(struct decoder *d, const struct block *block)
{
	d->chunk.panels = lp_arena_alloc_raw(
		&d->arena, d->n_panels * sizeof(*d->chunk.panels));
	if (!d->chunk.panels)
		return -ENOMEM;
	for (size_t p = 0; p < d->n_panels; p++) {
		int status;

		if (d->panels[p].out.n_columns == 0)
			continue;
		status = read_panel(d, block, &d->panels[p]);
		if (status < 0)
			return status;
		d->chunk.panels[d->chunk.n_panels++] = d->panels[p].out;
	}
	return 0;
}

int lp_decode_samples(struct decoder *d, const struct block *block,
		      const struct lp_query *query)
{
	size_t n = block->header.n_samples;
	struct lp_cursor in;
	int status;

	if (n == 0)
		return lp_decode_bad(d, "no samples");
	lp_arena_reset(&d->arena);
	lp_pool_reset(&d->pool);
	d->current_frame = SIZE_MAX;
	d->cells = d->n_values = 0;
	status = reserve(d, n);
	if (status == 0)
		status = lp_decode_directory(d, block, query);
	if (status == 0)
		status = lp_decode_section(d, block, 0, &in);
	if (status == 0)
		status = lp_decode_times(d, &in, n);
	return status < 0 ? status : read_panels(d, block);
}
