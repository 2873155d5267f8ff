/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/sighting.h"

#include "survey/amount.h"
#include "table/delta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Each is the one before. */
static bool all_equal(const uint64_t *bits, size_t n)
{
	return memcmp(bits, bits + 1, (n - 1) * sizeof(*bits)) == 0;
}

/*
 * Whether a counter of the series changed, within the chunk or since before.
 * Once one did, nobody asks again.
 */
static bool counter_moved(struct lp_roster_item *item, int column,
			  const struct lp_values *v, size_t n)
{
	if (n > 0 && !v->present && all_equal(v->bits, n))
		n = 1;
	for (size_t i = 0; i < n; i++) {
		if (!lp_values_has(v, i))
			continue;
		item->has_counters = true;
		if (item->has_last[column] && item->last[column] != v->bits[i])
			return true;
		item->last[column] = v->bits[i];
		item->has_last[column] = 1;
	}
	return false;
}

static bool level_is_up(const struct lp_values *v, enum lp_type type, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lp_values_has(v, i) && lp_values_number(v, type, i) > 0)
			return true;
	return false;
}

static bool make_room(struct lp_roster_item *item)
{
	size_t n = item->class ? item->class->n_columns : 0;

	if (item->last || n == 0)
		return true;
	item->last = calloc(n, sizeof(*item->last));
	item->has_last = calloc(n, 1);
	return item->last && item->has_last;
}

static void look_at_values(const struct lp_sighting *s,
			   const struct lp_series *series,
			   struct lp_roster_item *item)
{
	size_t n = s->chunk->n_samples;
	bool up = false;

	for (size_t k = 0; k < s->panel->n_columns && !item->moved; k++) {
		const struct lp_sighting_column *column = &s->columns[k];
		const struct lp_values *values = &series->values[k];

		if (!values->bits)
			continue;
		if (column->counts && column->index >= 0)
			item->moved =
				counter_moved(item, column->index, values, n);
		else if (!column->counts)
			up = up ||
			     level_is_up(values, s->panel->columns[k].type, n);
	}
	item->lifted = item->lifted || up;
	if (!item->has_counters)
		item->moved = item->moved || up;
}

/* Whether a column has a value in every sample. */
static bool is_whole(const struct lp_panel *panel,
		     const struct lp_series *series)
{
	for (size_t k = 0; k < panel->n_columns; k++)
		if (series->values[k].bits && !series->values[k].present)
			return true;
	return false;
}

static void saw(struct lp_roster_item *item, int64_t first_ns, int64_t last_ns,
		size_t n)
{
	if (n == 0)
		return;
	if (item->n_samples == 0 || first_ns < item->first_ns)
		item->first_ns = first_ns;
	if (item->n_samples == 0 || last_ns > item->last_ns)
		item->last_ns = last_ns;
	item->n_samples += n;
}

static void look_at_times(const struct lp_sighting *s,
			  const struct lp_series *series,
			  struct lp_roster_item *item)
{
	if (is_whole(s->panel, series)) {
		saw(item, s->first_ns, s->last_ns, s->chunk->n_samples);
		return;
	}
	for (size_t i = 0; i < s->chunk->n_samples; i++)
		if (lp_series_has(s->panel, series, i))
			saw(item, s->chunk->time_ns[i], s->chunk->time_ns[i],
			    1);
}

static void look_at_amounts(const struct lp_sighting *s,
			    const struct lp_series *series,
			    struct lp_roster_item *item)
{
	double sum = 0;

	for (size_t k = 0; k < s->panel->n_columns; k++) {
		if (s->columns[k].bytes == 0 || !series->values[k].bits)
			continue;
		item->has_bytes = true;
		sum += s->columns[k].bytes * lp_amount_of(s->chunk,
							  &s->panel->columns[k],
							  &series->values[k]);
	}
	item->bytes += sum;
}

struct lp_sighting lp_sighting_of(const struct lp_chunk *chunk)
{
	struct lp_sighting s = { .chunk = chunk };

	for (size_t i = 0; i < chunk->n_samples; i++) {
		int64_t time = chunk->time_ns[i];

		if (i == 0 || time < s.first_ns)
			s.first_ns = time;
		if (i == 0 || time > s.last_ns)
			s.last_ns = time;
	}
	return s;
}

/* Most panels have their columns in the order of the catalogue. */
static int index_of(const struct lp_class *class, const char *name, size_t near)
{
	if (near < class->n_columns &&
	    strcmp(class->columns[near].name, name) == 0)
		return (int)near;
	return lp_class_column(class, name);
}

static struct lp_sighting_column column_of(const struct lp_class *class,
					   const struct lp_column *column,
					   size_t near)
{
	struct lp_sighting_column c = { .index = -1,
					.counts = lp_delta_counts(column) };

	if (!class)
		return c;
	c.index = index_of(class, column->name, near);
	if (column->type != LP_TEXT)
		c.bytes = c.index < 0
				  ? lp_class_column_bytes(class, column->name)
				  : class->columns[c.index].bytes;
	return c;
}

int lp_sighting_panel(struct lp_sighting *s, const struct lp_panel *panel)
{
	int near = -1;

	if (lp_grow(&s->columns, &s->capacity, panel->n_columns,
		    sizeof(*s->columns)) < 0)
		return -ENOMEM;
	s->panel = panel;
	for (size_t k = 0; k < panel->n_columns; k++) {
		s->columns[k] = column_of(panel->class, &panel->columns[k],
					  (size_t)(near + 1));
		near = s->columns[k].index;
	}
	return 0;
}

int lp_sighting_note(const struct lp_sighting *s,
		     const struct lp_series *series,
		     struct lp_roster_item *item)
{
	if (!make_room(item))
		return -ENOMEM;
	look_at_values(s, series, item);
	look_at_times(s, series, item);
	look_at_amounts(s, series, item);
	return 0;
}

void lp_sighting_done(struct lp_sighting *s)
{
	free(s->columns);
}
