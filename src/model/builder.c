/* SPDX-License-Identifier: Apache-2.0 */
#include "model/builder_parts.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 16

struct lp_builder *lp_builder_new(const char *host)
{
	struct lp_builder *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->chunk.host = lp_arena_string(&b->arena, host);
	if (!b->chunk.host) {
		lp_builder_free(b);
		return NULL;
	}
	return b;
}

void lp_builder_free_series(struct lp_series *series,
			    struct build_series *build)
{
	for (size_t c = 0; c < build->n_columns; c++) {
		free(series->values[c].bits);
		free(series->values[c].present);
	}
	free(series->values);
	free(build->leading);
	free(build->row.bits); /* present is behind it */
}

static void free_panel(struct lp_panel *panel, struct build_panel *build)
{
	for (size_t s = 0; s < panel->n_series; s++)
		lp_builder_free_series(&panel->series[s], &build->series[s]);
	free(panel->series);
	free(panel->columns);
	free(build->series);
	free(build->log);
	lp_names_done(&build->names);
}

void lp_builder_free(struct lp_builder *b)
{
	if (!b)
		return;
	for (size_t p = 0; p < b->chunk.n_panels; p++)
		free_panel(&b->chunk.panels[p], &b->panels[p]);
	free(b->chunk.panels);
	free(b->panels);
	free(b->chunk.time_ns);
	lp_names_done(&b->texts);
	lp_arena_done(&b->arena);
	free(b);
}

size_t lp_builder_samples(const struct lp_builder *b)
{
	return b->chunk.n_samples;
}

void lp_builder_turn(struct lp_builder *b, size_t sample)
{
	assert(sample <= b->chunk.n_samples);
	b->now = sample;
	for (size_t p = 0; p < b->chunk.n_panels; p++)
		b->panels[p].next = 0;
}

size_t lp_builder_now(const struct lp_builder *b)
{
	return b->now;
}

uint64_t lp_builder_epoch(const struct lp_builder *b)
{
	return b->epoch;
}

static bool grow_values(struct lp_values *v, size_t old, size_t capacity)
{
	uint64_t *bits;
	uint8_t *present;

	if (v->bits) {
		bits = reallocarray(v->bits, capacity, sizeof(*bits));
		if (!bits)
			return false;
		v->bits = bits;
	}
	if (v->present) {
		present = realloc(v->present, capacity);
		if (!present)
			return false;
		memset(present + old, 0, capacity - old);
		v->present = present;
	}
	return true;
}

static bool grow_panel(struct lp_panel *panel, struct build_panel *build,
		       size_t old, size_t capacity)
{
	for (size_t s = 0; s < panel->n_series; s++)
		for (size_t c = 0; c < build->series[s].n_columns; c++)
			if (!grow_values(&panel->series[s].values[c], old,
					 capacity))
				return false;
	return true;
}

bool lp_builder_reserve(struct lp_builder *b, size_t need)
{
	size_t capacity = b->capacity ? b->capacity * 2 : FIRST_CAPACITY;

	if (need <= b->capacity)
		return true;
	if (capacity < need)
		capacity = need;
	if (lp_grow(&b->chunk.time_ns, &b->time_capacity, capacity,
		    sizeof(*b->chunk.time_ns)) < 0)
		return false;
	for (size_t p = 0; p < b->chunk.n_panels; p++)
		if (!grow_panel(&b->chunk.panels[p], &b->panels[p], b->capacity,
				capacity))
			return false;
	b->capacity = capacity;
	return true;
}

int lp_builder_tick(struct lp_builder *b, int64_t time_ns)
{
	bool lost = b->lost;

	b->lost = false;
	if (!lp_builder_reserve(b, b->chunk.n_samples + 1))
		return -ENOMEM;
	b->chunk.time_ns[b->chunk.n_samples++] = time_ns;
	lp_builder_turn(b, b->chunk.n_samples);
	return lost ? -ENOMEM : 0;
}

static size_t find_panel(const struct lp_builder *b, const char *class_name)
{
	for (size_t p = 0; p < b->chunk.n_panels; p++)
		if (strcmp(b->chunk.panels[p].class_name, class_name) == 0)
			return p;
	return LP_BUILDER_NONE;
}

static size_t add_panel(struct lp_builder *b, const char *class_name)
{
	size_t n = b->chunk.n_panels;
	char *name = lp_arena_string(&b->arena, class_name);

	if (!name ||
	    lp_grow(&b->chunk.panels, &b->panels_capacity, n + 1,
		    sizeof(*b->chunk.panels)) < 0 ||
	    lp_grow(&b->panels, &b->build_capacity, n + 1, sizeof(*b->panels)) <
		    0)
		return LP_BUILDER_NONE;
	b->chunk.panels[n] = (struct lp_panel){
		.class_name = name,
		.class = lp_class_find(class_name),
	};
	b->panels[n] = (struct build_panel){ 0 };
	b->chunk.n_panels++;
	return n;
}

size_t lp_builder_bare_panel(struct lp_builder *b, const char *class_name)
{
	size_t p = find_panel(b, class_name);

	return p != LP_BUILDER_NONE ? p : add_panel(b, class_name);
}

size_t lp_builder_panel(struct lp_builder *b, const struct lp_class *class)
{
	size_t p = find_panel(b, class->name);

	if (p != LP_BUILDER_NONE)
		return p;
	p = add_panel(b, class->name);
	if (p == LP_BUILDER_NONE)
		return p;
	for (size_t c = 0; c < class->n_columns; c++)
		if (lp_builder_column(b, p, &class->columns[c]) ==
		    LP_BUILDER_NONE)
			return LP_BUILDER_NONE;
	return p;
}

static const char *copy_or_null(struct lp_arena *arena, const char *text)
{
	return text ? lp_arena_string(arena, text) : NULL;
}

size_t lp_builder_column(struct lp_builder *b, size_t p,
			 const struct lp_column *column)
{
	struct lp_panel *panel = &b->chunk.panels[p];
	int known = lp_panel_column(panel, column->name);
	struct lp_column copy = *column;

	assert(p < b->chunk.n_panels);
	if (known >= 0)
		return (size_t)known;
	copy.name = lp_arena_string(&b->arena, column->name);
	copy.unit = lp_arena_string(&b->arena, column->unit);
	copy.partner = copy_or_null(&b->arena, column->partner);
	copy.origin = copy.help = NULL;
	if (!copy.name || !copy.unit || (column->partner && !copy.partner) ||
	    lp_grow(&panel->columns, &b->panels[p].columns_capacity,
		    panel->n_columns + 1, sizeof(copy)) < 0)
		return LP_BUILDER_NONE;
	panel->columns[panel->n_columns] = copy;
	return panel->n_columns++;
}

static bool add_series(struct lp_panel *panel, struct build_panel *build,
		       const char *name, size_t n)
{
	size_t count = panel->n_series;
	uint32_t id;

	if (lp_grow(&panel->series, &build->series_capacity, count + 1,
		    sizeof(*panel->series)) < 0 ||
	    lp_grow(&build->series, &build->build_capacity, count + 1,
		    sizeof(*build->series)) < 0)
		return false;
	id = lp_names_add_n(&build->names, name, n);
	if (id == LP_NAME_NONE)
		return false;
	assert(id == count); /* lp_builder_find gives one for the other */
	panel->series[count] =
		(struct lp_series){ .name = build->names.text[id] };
	build->series[count] = (struct build_series){ 0 };
	panel->n_series++;
	return true;
}

static bool is_named(const struct lp_series *series, const char *name, size_t n)
{
	return strncmp(series->name, name, n) == 0 && series->name[n] == '\0';
}

size_t lp_builder_find(const struct lp_builder *b, size_t p, const char *name,
		       size_t n)
{
	const struct lp_panel *panel = &b->chunk.panels[p];
	size_t s = b->panels[p].next;
	uint32_t id;

	if (s < panel->n_series && is_named(&panel->series[s], name, n))
		return s;
	id = lp_names_find_n(&b->panels[p].names, name, n);
	return id == LP_NAME_NONE ? LP_BUILDER_NONE : id;
}

bool lp_builder_row(struct lp_builder *b, size_t p, const char *name, size_t n,
		    struct lp_row *row)
{
	struct build_panel *build = &b->panels[p];
	size_t s = lp_builder_find(b, p, name, n);
	struct build_series *series;

	if (s == LP_BUILDER_NONE) {
		s = b->chunk.panels[p].n_series;
		if (!add_series(&b->chunk.panels[p], build, name, n)) {
			b->lost = true;
			return false;
		}
	}
	series = &build->series[s];
	assert(series->last <= b->now);
	lp_builder_log_owed(b, p, s);
	series->pieced = series->last == b->now;
	series->last = b->now;
	build->next = s + 1;
	*row = (struct lp_row){ b, p, s };
	return true;
}

const struct lp_chunk *lp_builder_shape(const struct lp_builder *b)
{
	return &b->chunk;
}

static void finish_panel(struct lp_builder *b, size_t p, bool brief)
{
	struct lp_panel *panel = &b->chunk.panels[p];

	lp_builder_flush(b, p);
	for (size_t s = 0; s < panel->n_series; s++) {
		struct lp_values *row = &panel->series[s].row;

		*row = (struct lp_values){ 0 };
		if (!brief || !lp_builder_steady_row(b, p, s, row))
			lp_builder_complete(b, p, s);
	}
}

static const struct lp_chunk *finish(struct lp_builder *b, bool brief)
{
	for (size_t p = 0; p < b->chunk.n_panels; p++)
		finish_panel(b, p, brief);
	b->chunk.texts = b->texts.text;
	b->chunk.n_texts = b->texts.count;
	return &b->chunk;
}

const struct lp_chunk *lp_builder_chunk(struct lp_builder *b)
{
	return finish(b, false);
}

const struct lp_chunk *lp_builder_brief(struct lp_builder *b)
{
	return finish(b, true);
}
