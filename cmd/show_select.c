/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include "base/nearest.h"
#include "table/delta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* By which names things are chosen and shown. */
struct style {
	bool raw;      /* columns, not metrics */
	bool sar;      /* metrics as today's sar shows them */
	bool as_asked; /* a metric that is asked for keeps the name it got */
};

static struct style style_of(const struct show_options *o)
{
	bool text = !o->csv && !o->json;
	bool classic = o->names && strcmp(o->names, "classic") == 0;

	return (struct style){ .raw = o->raw,
			       .sar = text && !classic,
			       .as_asked = text && !o->names };
}

static size_t n_names(const struct lp_class *class, struct style style)
{
	return style.raw ? class->n_columns : class->n_metrics;
}

static struct show_item item_at(const struct lp_class *class,
				struct style style, size_t i)
{
	const struct lp_metric *m = style.raw ? NULL : &class->metrics[i];
	int first = m ? lp_class_column(class, m->above[0]) : (int)i;
	struct show_item item = {
		.metric = m,
		.column = i,
		.counts = first >= 0 && lp_delta_counts(&class->columns[first]),
		.factor = 1,
	};

	if (m) {
		item.name =
			lp_metric_shown(m, style.sar, &item.unit, &item.factor);
		return item;
	}
	item.name = class->columns[i].name;
	item.unit = class->columns[i].unit;
	return item;
}

static int add_item(struct show_class *c, struct style style, size_t i)
{
	struct show_item item = item_at(c->class, style, i);

	for (size_t k = 0; k < c->n_items; k++)
		if (c->items[k].metric == item.metric &&
		    c->items[k].column == item.column)
			return 0;
	if (lp_grow(&c->items, &c->capacity, c->n_items + 1, sizeof(item)) < 0)
		return -ENOMEM;
	c->items[c->n_items++] = item;
	return 0;
}

static bool is_state(const struct lp_class *class, struct style style, size_t i)
{
	return style.raw && class->columns[i].kind == LP_STATE;
}

static bool is_named(const struct lp_class *class, struct style style, size_t i,
		     const char *name, size_t n)
{
	const char *have;

	if (!style.raw)
		return lp_metric_is_named(&class->metrics[i], name, n);
	have = class->columns[i].name;
	return strncmp(have, name, n) == 0 && !have[n];
}

/* "rd_sec" is shown as such, though sar would say rkB/s. */
static struct style as_asked(struct style style, const struct lp_class *class,
			     size_t i, const char *name, size_t n)
{
	const struct lp_metric *m = style.raw ? NULL : &class->metrics[i];

	if (m && style.as_asked)
		style.sar = m->sar_name && strlen(m->sar_name) == n &&
			    memcmp(m->sar_name, name, n) == 0;
	return style;
}

/* The items of a class that bear the name; "all" is all. */
static int add_named(struct show_class *c, struct style style, const char *name,
		     size_t n, bool *found)
{
	bool all = n == 3 && memcmp(name, "all", 3) == 0;

	for (size_t i = 0; i < n_names(c->class, style); i++) {
		struct style own = style;

		if (is_state(c->class, style, i) ||
		    (!all && !is_named(c->class, style, i, name, n)))
			continue;
		*found = true;
		if (!all)
			own = as_asked(style, c->class, i, name, n);
		if (add_item(c, own, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void offer_names(struct lp_nearest *nearest,
			const struct lp_class *class, struct style style)
{
	for (size_t i = 0; i < n_names(class, style); i++)
		if (style.raw) {
			lp_nearest_offer(nearest, class->columns[i].name);
		} else {
			lp_nearest_offer(nearest, class->metrics[i].name);
			if (class->metrics[i].sar_name)
				lp_nearest_offer(nearest,
						 class->metrics[i].sar_name);
		}
}

/* The class that has a metric of that name, asked for or not; NULL: none. */
static const struct lp_class *class_of(struct style style, const char *name,
				       size_t n)
{
	for (size_t c = 0; lp_classes[c]; c++)
		for (size_t i = 0; i < n_names(lp_classes[c], style); i++)
			if (is_named(lp_classes[c], style, i, name, n))
				return lp_classes[c];
	return NULL;
}

static int unknown_name(const struct show_selection *s, struct style style,
			const char *name, size_t n, struct lp_error *err)
{
	char wrong[LP_NEAREST_LONGEST + 1];
	const struct lp_class *other = class_of(style, name, n);
	const char *what = style.raw ? "column" : "metric";
	struct lp_nearest nearest;
	char hint[LP_NEAREST_HINT];

	snprintf(wrong, sizeof(wrong), "%.*s", (int)n, name);
	if (other)
		return lp_fail(err, EINVAL,
			       "%s '%s' is of class %s, which --class leaves "
			       "out",
			       what, wrong, other->name);
	nearest = lp_nearest_begin(wrong);
	for (size_t c = 0; c < s->n_classes; c++)
		offer_names(&nearest, s->classes[c].class, style);
	return lp_fail(err, EINVAL,
		       "no %s '%s'%s; 'limpid metrics%s' lists them", what,
		       wrong, lp_nearest_hint(&nearest, hint),
		       style.raw ? " --columns" : "");
}

/* "await,tps": in every class that was asked for. */
static int add_names(struct show_selection *s, struct style style,
		     const char *names, struct lp_error *err)
{
	while (*names) {
		size_t n = strcspn(names, ",");
		bool found = n == 0;

		for (size_t c = 0; c < s->n_classes && n; c++)
			if (add_named(&s->classes[c], style, names, n, &found) <
			    0)
				return lp_fail_memory(err);
		if (!found)
			return unknown_name(s, style, names, n, err);
		names += n + (names[n] == ',');
	}
	return 0;
}

/* What sar shows; what classic sar did not, only where it was recorded. */
static int add_sar_usual(struct show_class *c, struct style style)
{
	const struct lp_class *class = c->class;

	for (size_t k = 0; class->sar_usual[k]; k++) {
		const char *name = class->sar_usual[k];

		for (size_t i = 0; i < class->n_metrics; i++) {
			if (!lp_metric_is_named(&class->metrics[i], name,
						strlen(name)))
				continue;
			if (add_item(c, style, i) < 0)
				return -ENOMEM;
			c->items[c->n_items - 1].wish = i >= class->n_usual;
		}
	}
	return 0;
}

static int add_usual(struct show_class *c, struct style style)
{
	size_t n = style.raw ? c->class->n_columns : c->class->n_usual;

	if (style.sar && !style.raw && c->class->sar_usual)
		return add_sar_usual(c, style);
	for (size_t i = 0; i < n; i++)
		if (!is_state(c->class, style, i) && add_item(c, style, i) < 0)
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
	for (size_t i = 0; lp_classes[i]; i++)
		if (lp_classes[i]->usual)
			add_class(s, lp_classes[i]);
	return 0;
}

/* Drop classes without items; prepare what queries need. */
static void settle(struct show_selection *s)
{
	size_t kept = 0;

	for (size_t c = 0; c < s->n_classes; c++) {
		if (s->classes[c].n_items == 0) {
			free(s->classes[c].items);
			continue;
		}
		s->classes[kept] = s->classes[c];
		s->names[kept] = s->classes[kept].class->name;
		if (s->classes[kept].n_items > s->widest)
			s->widest = s->classes[kept].n_items;
		kept++;
	}
	s->n_classes = kept;
	s->names[kept] = NULL;
}

/* ---- --sort METRIC[:FIGURE] ---- */

static int read_figure(struct show_selection *s, const struct show_options *o,
		       const char *text, struct lp_error *err)
{
	static const char *const names[SHOW_FIGURES] = {
		[SHOW_MEAN] = "mean",
		[SHOW_MEDIAN] = "median",
		[SHOW_P95] = "p95",
		[SHOW_MAX] = "max",
	};

	if (!o->summary)
		return lp_fail(err, EINVAL,
			       "--sort: '%s' is a figure of --summary", text);
	for (size_t i = 0; i < SHOW_FIGURES; i++)
		if (strcmp(names[i], text) == 0) {
			s->figure = (enum show_figure)i;
			return 0;
		}
	return lp_fail(err, EINVAL,
		       "--sort: unknown figure '%s'; expected mean, median, "
		       "p95 or max",
		       text);
}

/* The item of the class that bears the name, which is added if need be. */
static int sort_class(struct show_class *c, struct style style,
		      const char *name, size_t n, bool *found)
{
	for (size_t i = 0; i < n_names(c->class, style); i++) {
		if (!is_named(c->class, style, i, name, n))
			continue;
		*found = true;
		if (add_item(c, as_asked(style, c->class, i, name, n), i) < 0)
			return -ENOMEM;
		for (size_t k = 0; k < c->n_items; k++)
			if (c->items[k].column == i)
				c->sort = k;
		c->items[c->sort].wish = false;
		return 0;
	}
	/* There is no order in it. */
	c->n_items = 0;
	return 0;
}

static int read_sort(struct show_selection *s, const struct show_options *o,
		     struct style style, struct lp_error *err)
{
	size_t n = strcspn(o->sort, ":");
	bool found = false;

	if (o->sort[n] && read_figure(s, o, o->sort + n + 1, err) < 0)
		return -EINVAL;
	for (size_t c = 0; c < s->n_classes; c++)
		if (s->classes[c].n_items &&
		    sort_class(&s->classes[c], style, o->sort, n, &found) < 0)
			return lp_fail_memory(err);
	return found ? 0 : unknown_name(s, style, o->sort, n, err);
}

int show_select(struct show_selection *s, const struct show_options *options,
		struct lp_error *err)
{
	struct style style = style_of(options);
	int status = select_classes(s, options, err);

	for (size_t i = 0; i < options->metrics.count && status == 0; i++)
		status = add_names(s, style, options->metrics.text[i], err);
	if (status < 0)
		return status;
	for (size_t c = 0; !options->metrics.count && c < s->n_classes; c++)
		if (add_usual(&s->classes[c], style) < 0)
			return lp_fail_memory(err);
	status = options->sort ? read_sort(s, options, style, err) : 0;
	settle(s);
	return status;
}

void show_selection_prune(struct show_selection *s,
			  const struct lp_survey *survey)
{
	for (size_t c = 0; c < s->n_classes; c++) {
		struct show_class *class = &s->classes[c];
		size_t kept = 0;

		for (size_t i = 0; i < class->n_items; i++) {
			if (class->items[i].wish &&
			    !lp_survey_has_metric(survey, class->class,
						  class->items[i].metric))
				continue;
			if (class->sort == i)
				class->sort = kept;
			class->items[kept++] = class->items[i];
		}
		class->n_items = kept;
	}
}

void show_selection_done(struct show_selection *s)
{
	for (size_t c = 0; c < s->n_classes; c++)
		free(s->classes[c].items);
	*s = (struct show_selection){ 0 };
}
