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

/* Whether a counter of the series changed, within the chunk or since before. */
static bool counter_moved(struct lp_roster_item *item, int column,
			  const struct lp_values *v, size_t n)
{
	bool moved = false;

	if (n > 0 && !v->present && all_equal(v->bits, n))
		n = 1;
	for (size_t i = 0; i < n; i++) {
		if (!lp_values_has(v, i))
			continue;
		item->has_counters = true;
		if (item->has_last[column] && item->last[column] != v->bits[i])
			moved = true;
		item->last[column] = v->bits[i];
		item->has_last[column] = 1;
	}
	return moved;
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

static void look_at_values(struct lp_roster_item *item,
			   const struct lp_panel *panel,
			   const struct lp_series *series, size_t n)
{
	bool up = false;

	for (size_t k = 0; k < panel->n_columns && !item->moved; k++) {
		const struct lp_column *column = &panel->columns[k];
		int index =
			item->class ? lp_class_column(item->class, column->name)
				    : -1;

		if (!series->values[k].bits)
			continue;
		if (lp_delta_counts(column) && index >= 0)
			item->moved = counter_moved(item, index,
						    &series->values[k], n);
		else if (!lp_delta_counts(column))
			up = up ||
			     level_is_up(&series->values[k], column->type, n);
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
			  const struct lp_panel *panel,
			  const struct lp_series *series,
			  struct lp_roster_item *item)
{
	if (is_whole(panel, series)) {
		saw(item, s->first_ns, s->last_ns, s->chunk->n_samples);
		return;
	}
	for (size_t i = 0; i < s->chunk->n_samples; i++)
		if (lp_series_has(panel, series, i))
			saw(item, s->chunk->time_ns[i], s->chunk->time_ns[i],
			    1);
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

int lp_sighting_note(const struct lp_sighting *s, const struct lp_panel *panel,
		     const struct lp_series *series,
		     struct lp_roster_item *item)
{
	double bytes;

	if (!make_room(item))
		return -ENOMEM;
	look_at_values(item, panel, series, s->chunk->n_samples);
	look_at_times(s, panel, series, item);
	if (lp_amount_of(s->chunk, panel, series, &bytes)) {
		item->bytes += bytes;
		item->has_bytes = true;
	}
	return 0;
}
