/* SPDX-License-Identifier: Apache-2.0 */
#include "table/join.h"

#include "table/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* All hosts together hold at most so many values: 256 MiB. */
#define MOST_VALUES ((size_t)32 << 20)

void lp_join_done(struct lp_join *join)
{
	for (size_t i = 0; join->hosts && i < join->names.count; i++)
		lp_builder_free(join->hosts[i].builder);
	free(join->hosts);
	lp_names_done(&join->names);
}

static struct lp_join_host *find_host(struct lp_join *join, const char *name)
{
	uint32_t number = lp_names_find(&join->names, name);

	return number == LP_NAME_NONE ? NULL : &join->hosts[number];
}

static struct lp_join_host *add_host(struct lp_join *join, const char *name)
{
	uint32_t number = join->names.count;
	struct lp_builder *builder;

	if (lp_grow(&join->hosts, &join->capacity, (size_t)number + 1,
		    sizeof(*join->hosts)) < 0)
		return NULL;
	builder = lp_builder_new(name);
	if (!builder)
		return NULL;
	join->hosts[number] = (struct lp_join_host){ .builder = builder };
	if (lp_names_add(&join->names, name) == LP_NAME_NONE) {
		lp_builder_free(builder);
		return NULL;
	}
	return &join->hosts[number];
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_column(const struct lp_column *a, const struct lp_column *b)
{
	return a->kind == b->kind && a->type == b->type &&
	       a->width == b->width && same_text(a->partner, b->partner);
}

/* -1: none of that name. Most often it stands at the same place. */
static int column_named(const struct lp_panel *panel, size_t guess,
			const char *name)
{
	if (guess < panel->n_columns &&
	    strcmp(panel->columns[guess].name, name) == 0)
		return (int)guess;
	return lp_panel_column(panel, name);
}

/* Columns of one name mean the same in both. */
static bool fits(const struct lp_chunk *gathered, const struct lp_chunk *next)
{
	for (size_t p = 0; p < next->n_panels; p++) {
		const struct lp_panel *b = &next->panels[p];
		const struct lp_panel *a =
			lp_chunk_panel(gathered, b->class_name);

		for (size_t c = 0; a && c < b->n_columns; c++) {
			int known = column_named(a, c, b->columns[c].name);

			if (known >= 0 &&
			    !same_column(&a->columns[known], &b->columns[c]))
				return false;
		}
	}
	return true;
}

static const struct lp_chunk *hand_out(struct lp_join *join, size_t h)
{
	join->given = true;
	join->given_host = h;
	return lp_builder_chunk(join->hosts[h].builder);
}

const struct lp_chunk *lp_join_full(struct lp_join *join,
				    const struct lp_chunk *next)
{
	struct lp_join_host *host = find_host(join, next->host);

	if (!host || lp_builder_samples(host->builder) == 0)
		return NULL;
	host->closed = !fits(lp_builder_shape(host->builder), next);
	if (!host->closed && join->n_values < MOST_VALUES &&
	    lp_builder_samples(host->builder) < LP_MERGE_SAMPLES)
		return NULL;
	return hand_out(join, (size_t)(host - join->hosts));
}

const struct lp_chunk *lp_join_of_host(struct lp_join *join, const char *name)
{
	struct lp_join_host *host = find_host(join, name);

	if (!host || lp_builder_samples(host->builder) == 0)
		return NULL;
	return hand_out(join, (size_t)(host - join->hosts));
}

const struct lp_chunk *lp_join_any(struct lp_join *join)
{
	while (join->first_held < join->names.count) {
		size_t h = join->first_held;

		if (lp_builder_samples(join->hosts[h].builder) > 0)
			return hand_out(join, h);
		join->first_held++;
	}
	return NULL;
}

/* Columns of other kinds need a builder that does not know the old ones. */
static void renew(struct lp_join_host *host, const char *name)
{
	struct lp_builder *builder = lp_builder_new(name);

	if (!builder)
		return; /* the next tick will say so */
	lp_builder_free(host->builder);
	host->builder = builder;
	host->closed = false;
}

void lp_join_release(struct lp_join *join)
{
	struct lp_join_host *host;

	if (!join->given)
		return;
	host = &join->hosts[join->given_host];
	join->given = false;
	join->n_values -= host->n_values;
	host->n_values = 0;
	lp_builder_clear(host->builder);
	if (host->closed)
		renew(host, join->names.text[join->given_host]);
}

static size_t volume(const struct lp_chunk *chunk)
{
	size_t n = 0;

	for (size_t p = 0; p < chunk->n_panels; p++)
		n += chunk->panels[p].n_series * chunk->panels[p].n_columns;
	return n;
}

static void count(struct lp_join *join, struct lp_join_host *host,
		  const struct lp_chunk *chunk, size_t n)
{
	host->n_values += n * volume(chunk);
	join->n_values += n * volume(chunk);
}

int lp_join_append(struct lp_join *join, const struct lp_chunk *chunk,
		   size_t from, size_t to, const char **name)
{
	struct lp_join_host *host = find_host(join, chunk->host);

	if (!host)
		host = add_host(join, chunk->host);
	if (!host || lp_builder_append(host->builder, chunk, from, to) < 0)
		return -ENOMEM;
	count(join, host, chunk, to - from);
	if (join->first_held > (size_t)(host - join->hosts))
		join->first_held = (size_t)(host - join->hosts);
	*name = join->names.text[host - join->hosts];
	return 0;
}

static int unite_series(struct lp_builder *b, size_t panel,
			const struct lp_chunk *chunk,
			const struct lp_panel *from, const size_t *columns,
			size_t s, size_t sample)
{
	const struct lp_series *series = &from->series[s];
	struct lp_row row;

	if (!lp_builder_row(b, panel, series->name, strlen(series->name), &row))
		return -ENOMEM;
	for (size_t c = 0; c < from->n_columns; c++) {
		const struct lp_values *v = &series->values[c];

		if (!lp_values_has(v, sample))
			continue;
		if (from->columns[c].type == LP_TEXT)
			lp_row_text(&row, columns[c],
				    chunk->texts[v->bits[sample]]);
		else
			lp_row_u64(&row, columns[c], v->bits[sample]);
	}
	return 0;
}

static int unite_panel(struct lp_builder *b, const struct lp_chunk *chunk,
		       const struct lp_panel *from, size_t sample)
{
	lp_auto_free size_t *columns =
		calloc(from->n_columns + 1, sizeof(*columns));
	size_t panel = lp_builder_bare_panel(b, from->class_name);

	if (!columns || panel == LP_BUILDER_NONE)
		return -ENOMEM;
	for (size_t c = 0; c < from->n_columns; c++) {
		int known = column_named(&lp_builder_shape(b)->panels[panel], c,
					 from->columns[c].name);

		columns[c] = known >= 0 ? (size_t)known
					: lp_builder_column(b, panel,
							    &from->columns[c]);
		if (columns[c] == LP_BUILDER_NONE)
			return -ENOMEM;
	}
	for (size_t s = 0; s < from->n_series; s++)
		if (unite_series(b, panel, chunk, from, columns, s, sample) < 0)
			return -ENOMEM;
	return 0;
}

int lp_join_unite(struct lp_join *join, const struct lp_chunk *chunk,
		  size_t sample)
{
	struct lp_join_host *host = find_host(join, chunk->host);

	if (!fits(lp_builder_shape(host->builder), chunk))
		return -EEXIST;
	for (size_t p = 0; p < chunk->n_panels; p++)
		if (unite_panel(host->builder, chunk, &chunk->panels[p],
				sample) < 0)
			return -ENOMEM;
	count(join, host, chunk, 1);
	return 0;
}
