/* SPDX-License-Identifier: Apache-2.0 */
#include "model/chunk.h"

#include <math.h>
#include <string.h>

int lp_panel_column(const struct lp_panel *panel, const char *name)
{
	for (size_t i = 0; i < panel->n_columns; i++)
		if (strcmp(panel->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

const struct lp_panel *lp_chunk_panel(const struct lp_chunk *chunk,
				      const char *class_name)
{
	for (size_t i = 0; i < chunk->n_panels; i++)
		if (strcmp(chunk->panels[i].class_name, class_name) == 0)
			return &chunk->panels[i];
	return NULL;
}

bool lp_series_has(const struct lp_panel *panel, const struct lp_series *series,
		   size_t sample)
{
	for (size_t c = 0; c < panel->n_columns; c++)
		if (lp_values_has(&series->values[c], sample))
			return true;
	return false;
}

double lp_values_number(const struct lp_values *values, enum lp_type type,
			size_t sample)
{
	if (!lp_values_has(values, sample) || type == LP_TEXT)
		return NAN;
	return type == LP_F64 ? lp_bits_double(values->bits[sample])
			      : (double)values->bits[sample];
}

static const struct lp_series *series_named(const struct lp_panel *panel,
					    const char *name)
{
	for (size_t i = 0; i < panel->n_series; i++)
		if (strcmp(panel->series[i].name, name) == 0)
			return &panel->series[i];
	return NULL;
}

struct side {
	const struct lp_chunk *chunk;
	const struct lp_values *values; /* NULL: the series is not there */
	enum lp_type type;
};

static bool side_has(const struct side *s, size_t sample)
{
	return s->values && lp_values_has(s->values, sample);
}

static bool same_value(const struct side *a, const struct side *b, size_t i)
{
	bool has = side_has(a, i);

	if (has != side_has(b, i))
		return false;
	if (!has)
		return true;
	if (a->type != b->type)
		return false;
	if (a->type == LP_TEXT)
		return strcmp(a->chunk->texts[a->values->bits[i]],
			      b->chunk->texts[b->values->bits[i]]) == 0;
	return a->values->bits[i] == b->values->bits[i];
}

static struct side side_of(const struct lp_chunk *chunk,
			   const struct lp_panel *panel, const char *name,
			   const char *column)
{
	const struct lp_series *series =
		panel ? series_named(panel, name) : NULL;
	int c = series ? lp_panel_column(panel, column) : -1;

	if (c < 0)
		return (struct side){ chunk, NULL, LP_U64 };
	return (struct side){ chunk, &series->values[c],
			      panel->columns[c].type };
}

/* Everything in a is in b too. */
static bool contains(const struct lp_chunk *b, const struct lp_chunk *a)
{
	for (size_t p = 0; p < a->n_panels; p++) {
		const struct lp_panel *pa = &a->panels[p];
		const struct lp_panel *pb = lp_chunk_panel(b, pa->class_name);

		for (size_t s = 0; s < pa->n_series; s++)
			for (size_t c = 0; c < pa->n_columns; c++) {
				const char *name = pa->series[s].name;
				const char *column = pa->columns[c].name;
				struct side x = side_of(a, pa, name, column);
				struct side y = side_of(b, pb, name, column);

				for (size_t i = 0; i < a->n_samples; i++)
					if (!same_value(&x, &y, i))
						return false;
			}
	}
	return true;
}

bool lp_chunk_equal(const struct lp_chunk *a, const struct lp_chunk *b)
{
	return strcmp(a->host, b->host) == 0 && a->n_samples == b->n_samples &&
	       memcmp(a->time_ns, b->time_ns,
		      a->n_samples * sizeof(*a->time_ns)) == 0 &&
	       contains(b, a) && contains(a, b);
}
