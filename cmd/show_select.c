/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include "base/nearest.h"
#include "table/delta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t n_names(const struct lp_class *class, bool raw)
{
	return raw ? class->n_columns : class->n_metrics;
}

static const char *name_at(const struct lp_class *class, bool raw, size_t i)
{
	return raw ? class->columns[i].name : class->metrics[i].name;
}

static struct show_item item_at(const struct lp_class *class, bool raw,
				size_t i)
{
	const struct lp_metric *m = raw ? NULL : &class->metrics[i];
	int first = raw ? (int)i : lp_class_column(class, m->above[0]);

	return (struct show_item){
		.name = name_at(class, raw, i),
		.unit = raw ? class->columns[i].unit : m->unit,
		.metric = m,
		.column = i,
		.counts = first >= 0 && lp_delta_counts(&class->columns[first]),
	};
}

static int add_item(struct show_class *c, bool raw, size_t i)
{
	struct show_item item = item_at(c->class, raw, i);

	for (size_t k = 0; k < c->n_items; k++)
		if (strcmp(c->items[k].name, item.name) == 0)
			return 0;
	if (lp_grow(&c->items, &c->capacity, c->n_items + 1, sizeof(item)) < 0)
		return -ENOMEM;
	c->items[c->n_items++] = item;
	return 0;
}

static bool is_state(const struct lp_class *class, bool raw, size_t i)
{
	return raw && class->columns[i].kind == LP_STATE;
}

/* The items of a class that bear the name; "all" is all. */
static int add_named(struct show_class *c, bool raw, const char *name, size_t n,
		     bool *found)
{
	bool all = n == 3 && memcmp(name, "all", 3) == 0;

	for (size_t i = 0; i < n_names(c->class, raw); i++) {
		const char *have = name_at(c->class, raw, i);

		if (is_state(c->class, raw, i) ||
		    (!all && (strncmp(have, name, n) != 0 || have[n])))
			continue;
		*found = true;
		if (add_item(c, raw, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int unknown_name(const struct show_selection *s, bool raw,
			const char *name, size_t n, struct lp_error *err)
{
	char wrong[LP_NEAREST_LONGEST + 1];
	struct lp_nearest nearest;

	snprintf(wrong, sizeof(wrong), "%.*s", (int)n, name);
	nearest = lp_nearest_begin(wrong);
	for (size_t c = 0; c < s->n_classes; c++)
		for (size_t i = 0; i < n_names(s->classes[c].class, raw); i++)
			lp_nearest_offer(&nearest,
					 name_at(s->classes[c].class, raw, i));
	return lp_fail(err, EINVAL,
		       "no %s '%s'%s%s%s; 'limpid metrics%s' lists them",
		       raw ? "column" : "metric", wrong,
		       nearest.best ? " (did you mean " : "",
		       nearest.best ? nearest.best : "",
		       nearest.best ? "?)" : "", raw ? " --columns" : "");
}

/* "await,tps": in every class that was asked for. */
static int add_names(struct show_selection *s, bool raw, const char *names,
		     struct lp_error *err)
{
	while (*names) {
		size_t n = strcspn(names, ",");
		bool found = n == 0;

		for (size_t c = 0; c < s->n_classes && n; c++)
			if (add_named(&s->classes[c], raw, names, n, &found) <
			    0)
				return lp_fail_memory(err);
		if (!found)
			return unknown_name(s, raw, names, n, err);
		names += n + (names[n] == ',');
	}
	return 0;
}

static int add_usual(struct show_class *c, bool raw)
{
	size_t n = raw ? c->class->n_columns : c->class->n_usual;

	for (size_t i = 0; i < n; i++)
		if (!is_state(c->class, raw, i) && add_item(c, raw, i) < 0)
			return -ENOMEM;
	return 0;
}

static void add_class(struct show_selection *s, const struct lp_class *class)
{
	for (size_t i = 0; i < s->n_classes; i++)
		if (s->classes[i].class == class)
			return;
	if (s->n_classes < SHOW_CLASSES)
		s->classes[s->n_classes++].class = class;
}

static int unknown_class(const char *name, struct lp_error *err)
{
	char all[128] = "";
	size_t used = 0;

	for (size_t i = 0; lp_classes[i]; i++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, " %s",
					 lp_classes[i]->name);
	return lp_fail(err, EINVAL, "no class '%s'; there are%s", name, all);
}

static int select_classes(struct show_selection *s,
			  const struct show_options *options,
			  struct lp_error *err)
{
	const struct lp_option_list *asked = &options->classes;

	for (size_t i = 0; i < asked->count; i++) {
		const struct lp_class *class = lp_class_find(asked->text[i]);

		if (!class && strcmp(asked->text[i], "all") != 0)
			return unknown_class(asked->text[i], err);
		for (size_t k = 0; !class && lp_classes[k]; k++)
			add_class(s, lp_classes[k]);
		if (class)
			add_class(s, class);
	}
	if (asked->count)
		return 0;
	/* A metric by name is looked for everywhere. */
	for (size_t i = 0; options->metrics.count && lp_classes[i]; i++)
		add_class(s, lp_classes[i]);
	add_class(s, &lp_class_disk);
	add_class(s, &lp_class_net);
	return 0;
}

/* Drop classes without items; prepare what queries need. */
static void settle(struct show_selection *s)
{
	size_t kept = 0;

	for (size_t c = 0; c < s->n_classes; c++) {
		if (s->classes[c].n_items == 0)
			continue;
		s->classes[kept] = s->classes[c];
		s->names[kept] = s->classes[kept].class->name;
		if (s->classes[kept].n_items > s->widest)
			s->widest = s->classes[kept].n_items;
		kept++;
	}
	s->n_classes = kept;
	s->names[kept] = NULL;
}

int show_select(struct show_selection *s, const struct show_options *options,
		struct lp_error *err)
{
	int r = select_classes(s, options, err);

	for (size_t i = 0; i < options->metrics.count && r == 0; i++)
		r = add_names(s, options->raw, options->metrics.text[i], err);
	if (r < 0)
		return r;
	for (size_t c = 0; !options->metrics.count && c < s->n_classes; c++)
		if (add_usual(&s->classes[c], options->raw) < 0)
			return lp_fail_memory(err);
	settle(s);
	return 0;
}

void show_selection_done(struct show_selection *s)
{
	for (size_t c = 0; c < s->n_classes; c++)
		free(s->classes[c].items);
	*s = (struct show_selection){ 0 };
}
