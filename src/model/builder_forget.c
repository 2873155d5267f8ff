/* SPDX-License-Identifier: Apache-2.0 */
/* What a builder forgets: instances that are gone, and old samples. */
#include "model/builder_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Samples that only repeat another need not be written out for that. */
static bool has_last_sample(const struct lp_builder *b, size_t p, size_t s)
{
	const struct build_series *build = &b->panels[p].series[s];
	const struct lp_row row = { NULL, p, s };
	size_t n = b->chunk.n_samples;
	size_t told = n - (build->last == n ? build->owed : 0);

	assert(told > 0); /* the first sample repeats none */
	for (size_t c = 0; c < build->n_columns; c++)
		if (lp_builder_has(b, &row, c, told - 1))
			return true;
	return false;
}

/* Names are numbered like the series, so both are laid anew. */
static void renumber(struct lp_builder *b, struct lp_panel *panel,
		     struct build_panel *build)
{
	struct lp_names names = { 0 };

	for (size_t s = 0; s < panel->n_series; s++) {
		uint32_t id = lp_names_add(&names, panel->series[s].name);

		if (id == LP_NAME_NONE) {
			b->lost = true;
			while (panel->n_series > s) {
				panel->n_series--;
				lp_builder_free_series(
					&panel->series[panel->n_series],
					&build->series[panel->n_series]);
			}
			break;
		}
		panel->series[s].name = names.text[id];
	}
	lp_names_done(&build->names);
	build->names = names;
}

static void forget_gone(struct lp_builder *b, size_t p)
{
	struct lp_panel *panel = &b->chunk.panels[p];
	struct build_panel *build = &b->panels[p];
	size_t kept = 0, n = panel->n_series;

	for (size_t s = 0; s < n; s++) {
		if (!has_last_sample(b, p, s)) {
			lp_builder_free_series(&panel->series[s],
					       &build->series[s]);
			continue;
		}
		panel->series[kept] = panel->series[s];
		build->series[kept] = build->series[s];
		kept++;
	}
	panel->n_series = kept;
	if (kept != n)
		renumber(b, panel, build);
}

static void empty_series(struct lp_series *series, struct build_series *build)
{
	for (size_t c = 0; c < build->n_columns; c++) {
		free(series->values[c].present);
		series->values[c].present = NULL;
		build->leading[c] = 0;
	}
	build->last = build->owed = 0;
	build->pieced = build->row_known = false;
}

void lp_builder_clear(struct lp_builder *b)
{
	if (b->chunk.n_samples == 0)
		return;
	for (size_t p = 0; p < b->chunk.n_panels; p++) {
		lp_builder_flush(b, p);
		forget_gone(b, p);
		for (size_t s = 0; s < b->chunk.panels[p].n_series; s++)
			empty_series(&b->chunk.panels[p].series[s],
				     &b->panels[p].series[s]);
	}
	b->chunk.n_samples = b->now = 0;
	b->epoch++;
}

static void drop_values(struct lp_values *v, size_t *leading, size_t n,
			size_t left)
{
	if (!v->bits)
		return;
	memmove(v->bits, v->bits + n, left * sizeof(*v->bits));
	if (v->present) {
		memmove(v->present, v->present + n, left);
		memset(v->present + left, 0, n);
	}
	*leading = *leading > n ? *leading - n : 0;
}

void lp_builder_drop(struct lp_builder *b, size_t n)
{
	size_t left;

	if (n > b->chunk.n_samples)
		n = b->chunk.n_samples;
	if (n == 0)
		return;
	left = b->chunk.n_samples - n;
	lp_builder_settle_all(b);
	memmove(b->chunk.time_ns, b->chunk.time_ns + n,
		left * sizeof(*b->chunk.time_ns));
	for (size_t p = 0; p < b->chunk.n_panels; p++) {
		struct lp_panel *panel = &b->chunk.panels[p];

		for (size_t s = 0; s < panel->n_series; s++) {
			struct build_series *build = &b->panels[p].series[s];

			build->last = build->last > n ? build->last - n : 0;
			build->row_known = false;
			for (size_t c = 0; c < build->n_columns; c++)
				drop_values(&panel->series[s].values[c],
					    &build->leading[c], n, left);
		}
	}
	b->chunk.n_samples = b->now = left;
	b->epoch++;
}
