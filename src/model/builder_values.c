/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of rows, each in its column. A column has no bits before its
 * first value, and no `present` bytes before its first hole.
 */
#include "model/builder_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that joined the panel after the series did. */
static bool widen_series(struct lp_series *series, struct build_series *build,
			 size_t n_columns)
{
	struct lp_values *values;
	size_t *leading;
	size_t old = build->n_columns;

	values = reallocarray(series->values, n_columns, sizeof(*values));
	if (!values)
		return false;
	series->values = values;
	leading = reallocarray(build->leading, n_columns, sizeof(*leading));
	if (!leading)
		return false;
	build->leading = leading;
	free(build->row.bits);
	build->row = (struct lp_values){ 0 };
	build->row_known = false;
	memset(values + old, 0, (n_columns - old) * sizeof(*values));
	memset(leading + old, 0, (n_columns - old) * sizeof(*leading));
	build->n_columns = n_columns;
	return true;
}

/* From the first hole on, a column says sample by sample what is present. */
static bool begin_present(struct lp_values *v, size_t leading, size_t capacity)
{
	v->present = calloc(capacity, 1);
	if (!v->present)
		return false;
	memset(v->present, 1, leading);
	return true;
}

uint64_t *lp_builder_place(struct lp_builder *b, size_t p, size_t s, size_t c,
			   size_t sample)
{
	struct lp_series *series = &b->chunk.panels[p].series[s];
	struct build_series *build = &b->panels[p].series[s];
	struct lp_values *v;

	assert(c < b->chunk.panels[p].n_columns && sample < b->capacity);
	if (c >= build->n_columns &&
	    !widen_series(series, build, b->chunk.panels[p].n_columns))
		return NULL;
	v = &series->values[c];
	if (!v->bits) {
		v->bits = reallocarray(NULL, b->capacity, sizeof(*v->bits));
		if (!v->bits)
			return NULL;
	}
	if (!v->present) {
		if (build->leading[c] == sample)
			build->leading[c]++;
		else if (build->leading[c] < sample &&
			 !begin_present(v, build->leading[c], b->capacity))
			return NULL;
	}
	if (v->present)
		v->present[sample] = 1;
	return &v->bits[sample];
}

static void put(struct lp_builder *b, size_t p, size_t s, size_t c,
		size_t sample, uint64_t bits)
{
	uint64_t *slot = lp_builder_place(b, p, s, c, sample);

	if (slot)
		*slot = bits;
	else
		b->lost = true;
}

static void set_bits(const struct lp_row *row, size_t column, uint64_t bits)
{
	assert(row->builder->now > 0);
	lp_builder_flush(row->builder, row->panel);
	put(row->builder, row->panel, row->series, column,
	    row->builder->now - 1, bits);
}

void lp_row_u64(const struct lp_row *row, size_t column, uint64_t v)
{
	set_bits(row, column, v);
}

/* A column without a hole so far, which is nearly every one: only a store. */
static inline bool store(const struct lp_values *v, size_t *leading,
			 size_t sample, uint64_t bits)
{
	if (!v->bits)
		return false;
	if (v->present)
		v->present[sample] = 1;
	else if (*leading == sample)
		*leading = sample + 1;
	else
		return false;
	v->bits[sample] = bits;
	return true;
}

void lp_builder_store(struct lp_builder *b, size_t p, size_t s, size_t sample,
		      const uint64_t *bits, uint64_t mask)
{
	const struct build_series *build = &b->panels[p].series[s];
	const struct lp_series *series = &b->chunk.panels[p].series[s];

	assert(sample < b->chunk.n_samples);
	for (; mask; mask &= mask - 1) {
		size_t c = (size_t)__builtin_ctzll(mask);

		if (c >= build->n_columns ||
		    !store(&series->values[c], &build->leading[c], sample,
			   bits[c]))
			put(b, p, s, c, sample, bits[c]);
	}
}

/* The recorder's inner loop. */
void lp_row_bits(const struct lp_row *row, const uint64_t *bits, uint64_t mask)
{
	struct lp_builder *b = row->builder;
	bool from_first = mask && (mask & (mask + 1)) == 0;

	if (from_first &&
	    lp_builder_log_row(row, bits, (size_t)__builtin_popcountll(mask)))
		return;
	lp_builder_flush(b, row->panel);
	lp_builder_store(b, row->panel, row->series, b->now - 1, bits, mask);
}

void lp_row_f64(const struct lp_row *row, size_t column, double v)
{
	if (!isnan(v))
		set_bits(row, column, lp_double_bits(v));
}

bool lp_builder_text(struct lp_builder *b, const char *text, uint64_t *bits)
{
	const struct lp_names *texts = &b->texts;
	uint32_t id = b->last_text;

	if (id >= texts->count || strcmp(texts->text[id], text) != 0)
		id = lp_names_add(&b->texts, text);
	if (id == LP_NAME_NONE) {
		b->lost = true;
		return false;
	}
	b->last_text = id;
	*bits = id;
	return true;
}

void lp_row_text(const struct lp_row *row, size_t column, const char *text)
{
	uint64_t bits;

	if (lp_builder_text(row->builder, text, &bits))
		set_bits(row, column, bits);
}

bool lp_builder_has(const struct lp_builder *b, const struct lp_row *row,
		    size_t c, size_t sample)
{
	const struct build_series *build =
		&b->panels[row->panel].series[row->series];
	const struct lp_values *v;

	if (c >= build->n_columns)
		return false;
	v = &b->chunk.panels[row->panel].series[row->series].values[c];
	return v->bits &&
	       (v->present ? v->present[sample] : build->leading[c] > sample);
}

bool lp_row_has(const struct lp_row *row, size_t column)
{
	struct lp_builder *b = row->builder;

	lp_builder_flush(b, row->panel);
	return lp_builder_has(b, row, column, b->now - 1);
}

void lp_builder_complete(struct lp_builder *b, size_t p, size_t s)
{
	const struct lp_panel *panel = &b->chunk.panels[p];
	struct build_series *build = &b->panels[p].series[s];
	struct lp_series *series = &panel->series[s];

	lp_builder_settle(b, p, s);
	if (build->n_columns < panel->n_columns &&
	    !widen_series(series, build, panel->n_columns))
		b->lost = true;
	for (size_t c = 0; c < build->n_columns; c++) {
		struct lp_values *v = &series->values[c];

		assert(build->leading[c] <= b->chunk.n_samples);
		if (!v->bits || v->present ||
		    build->leading[c] == b->chunk.n_samples)
			continue;
		if (!begin_present(v, build->leading[c], b->capacity))
			b->lost = true;
	}
}
