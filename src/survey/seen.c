/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/seen.h"

#include "base/timestamp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lp_seen_done(struct lp_seen *seen)
{
	for (size_t i = 0; i < seen->n_classes; i++)
		free(seen->classes[i].columns);
	free(seen->classes);
	lp_arena_done(&seen->arena);
}

static struct lp_seen_class *find(const struct lp_seen *seen, const char *name)
{
	for (size_t i = 0; i < seen->n_classes; i++)
		if (strcmp(seen->classes[i].name, name) == 0)
			return &seen->classes[i];
	return NULL;
}

const struct lp_seen_class *lp_seen_find(const struct lp_seen *seen,
					 const char *name)
{
	return find(seen, name);
}

static struct lp_seen_class *add_class(struct lp_seen *seen, const char *name)
{
	char *copy = lp_arena_string(&seen->arena, name);

	if (!copy || lp_grow(&seen->classes, &seen->capacity,
			     seen->n_classes + 1, sizeof(*seen->classes)) < 0)
		return NULL;
	seen->classes[seen->n_classes] = (struct lp_seen_class){
		.name = copy,
		.class = lp_class_find(name),
	};
	return &seen->classes[seen->n_classes++];
}

static bool same(const struct lp_column *a, const struct lp_column *b)
{
	return strcmp(a->name, b->name) == 0 && a->type == b->type &&
	       a->kind == b->kind;
}

static int add_column(struct lp_seen *seen, struct lp_seen_class *class,
		      const struct lp_column *column)
{
	struct lp_column copy = *column;

	for (size_t i = 0; i < class->n_columns; i++)
		if (same(&class->columns[i], column))
			return 0;
	copy.name = lp_arena_string(&seen->arena, column->name);
	copy.unit = lp_arena_string(&seen->arena, column->unit);
	if (column->partner)
		copy.partner = lp_arena_string(&seen->arena, column->partner);
	copy.origin = copy.help = NULL;
	if (!copy.name || !copy.unit || (column->partner && !copy.partner) ||
	    lp_grow(&class->columns, &class->capacity, class->n_columns + 1,
		    sizeof(copy)) < 0)
		return -ENOMEM;
	class->columns[class->n_columns++] = copy;
	return 0;
}

/* A value of the column in any selected series and sample. */
static bool has_values(const struct lp_chunk *chunk,
		       const struct lp_panel *panel, size_t column,
		       const struct lp_selection *selection)
{
	for (size_t s = 0; s < panel->n_series; s++) {
		const struct lp_values *v = &panel->series[s].values[column];

		if (!v->bits ||
		    !lp_selection_device(selection, panel->series[s].name))
			continue;
		for (size_t i = 0; i < chunk->n_samples; i++)
			if (lp_values_has(v, i) &&
			    lp_selection_time(selection, chunk->time_ns[i]))
				return true;
	}
	return false;
}

static int add_panel(struct lp_seen *seen, const struct lp_selection *selection,
		     const struct lp_chunk *chunk, const struct lp_panel *panel)
{
	struct lp_seen_class *class = find(seen, panel->class_name);

	for (size_t c = 0; c < panel->n_columns; c++) {
		if (!has_values(chunk, panel, c, selection))
			continue;
		if (!class)
			class = add_class(seen, panel->class_name);
		if (!class || add_column(seen, class, &panel->columns[c]) < 0)
			return -ENOMEM;
	}
	return 0;
}

int lp_seen_add(struct lp_seen *seen, const struct lp_selection *selection,
		const struct lp_chunk *chunk)
{
	static const struct lp_selection everything = {
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
	};

	if (!selection)
		selection = &everything;
	if (!lp_selection_host(selection, chunk->host))
		return 0;
	for (size_t p = 0; p < chunk->n_panels; p++) {
		const struct lp_panel *panel = &chunk->panels[p];

		if (lp_selection_class(selection, panel->class_name) &&
		    add_panel(seen, selection, chunk, panel) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The place in the catalogue; what is not in it comes behind. */
static int column_rank(const struct lp_class *class, const char *name)
{
	int rank = class ? lp_class_column(class, name) : -1;

	return rank >= 0 ? rank : 1000;
}

static void sort_columns(struct lp_seen_class *class)
{
	/* By insertion: few, and the order of equals must stay. */
	for (size_t i = 1; i < class->n_columns; i++) {
		struct lp_column column = class->columns[i];
		int rank = column_rank(class->class, column.name);
		size_t k = i;

		for (; k > 0 && column_rank(class->class,
					    class->columns[k - 1].name) > rank;
		     k--)
			class->columns[k] = class->columns[k - 1];
		class->columns[k] = column;
	}
}

static int class_rank(const struct lp_class *class)
{
	int rank = 0;

	while (lp_classes[rank] && lp_classes[rank] != class)
		rank++;
	return rank;
}

static int by_rank(const void *a, const void *b)
{
	const struct lp_seen_class *x = a, *y = b;
	int order = class_rank(x->class) - class_rank(y->class);

	return order ? order : strcmp(x->name, y->name);
}

void lp_seen_finish(struct lp_seen *seen)
{
	if (seen->n_classes > 0)
		qsort(seen->classes, seen->n_classes, sizeof(*seen->classes),
		      by_rank);
	for (size_t i = 0; i < seen->n_classes; i++)
		sort_columns(&seen->classes[i]);
}

bool lp_seen_column(const struct lp_seen *seen, const struct lp_class *class,
		    const char *name)
{
	const struct lp_seen_class *have = find(seen, class->name);

	for (size_t i = 0; have && i < have->n_columns; i++)
		if (strcmp(have->columns[i].name, name) == 0)
			return true;
	return false;
}

void lp_seen_list(const struct lp_seen *seen, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < seen->n_classes && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i ? ", " : "", seen->classes[i].name);
}
