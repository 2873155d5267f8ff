/* SPDX-License-Identifier: Apache-2.0 */
#include "source/csvlayout.h"

#include "source/csvmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GAUGE_SUFFIX ":gauge"

void lp_csv_layout_done(struct lp_csv_layout *layout)
{
	free(layout->values);
	lp_names_done(&layout->kinds);
	lp_arena_done(&layout->arena);
}

/* "await:gauge", "await:gauge/tps" */
static bool gauge_column(struct lp_arena *arena, const struct lp_class *class,
			 const char *name, const char *suffix,
			 struct lp_column *column)
{
	const char *weight = suffix + strlen(GAUGE_SUFFIX);
	const char *base =
		lp_arena_string_n(arena, name, (size_t)(suffix - name));
	const struct lp_metric *metric =
		base ? lp_class_metric(class, base) : NULL;

	if (!metric || (*weight && (*weight != '/' || !weight[1])))
		return false;
	*column = lp_metric_column(
		metric, *weight ? lp_arena_string(arena, weight + 1) : NULL);
	return true;
}

/* "rd_sec/s", as sysstat 11 has it: the metric per second, in its own unit. */
static bool is_per_second(const struct lp_metric *metric, const char *name)
{
	size_t n = strlen(metric->name), unit = strlen(metric->unit);

	return strncmp(name, metric->name, n) == 0 &&
	       strcmp(name + n, "/s") == 0 && unit > 2 &&
	       strcmp(metric->unit + unit - 2, "/s") == 0;
}

/* "rkB/s": sar's name and unit of a metric. */
static bool sar_column(const struct lp_class *class, const char *name,
		       struct lp_csv_value *value)
{
	for (size_t i = 0; i < class->n_metrics; i++) {
		const struct lp_metric *m = &class->metrics[i];
		bool sar = m->sar_name && strcmp(m->sar_name, name) == 0;

		if (!sar && !is_per_second(m, name))
			continue;
		value->column = lp_metric_column(m, NULL);
		value->factor = sar ? m->sar_factor : 1;
		return true;
	}
	return false;
}

/*
 * The column that a name stands for in the value's class: the raw column
 * (metrics_first: the metric) of that name, or the other, or the metric that
 * sar calls so; NAME:gauge is always the metric, NAME:gauge/WEIGHT with a
 * weight. False: none.
 */
static bool find_column(struct lp_arena *arena, const char *name,
			bool metrics_first, struct lp_csv_value *value)
{
	const struct lp_class *class = value->class;
	const struct lp_metric *metric = lp_class_metric(class, name);
	const char *suffix = strstr(name, GAUGE_SUFFIX);
	int raw = lp_class_column(class, name);

	value->factor = 1;
	if (suffix)
		return gauge_column(arena, class, name, suffix, &value->column);
	if (raw < 0 && !metric)
		return sar_column(class, name, value);
	if (raw >= 0 && !(metrics_first && metric))
		value->column = class->columns[raw];
	else
		value->column = lp_metric_column(metric, NULL);
	return true;
}

static int add_value(struct lp_csv_layout *layout, struct lp_csv_value value)
{
	if (lp_grow(&layout->values, &layout->capacity, layout->n_values + 1,
		    sizeof(value)) < 0)
		return -ENOMEM;
	layout->values[layout->n_values++] = value;
	return 0;
}

static size_t find(const struct lp_csv_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->text[i] && strcmp(names->text[i], name) == 0)
			return i;
	return LP_CSV_NONE;
}

/* Take a name out of those that are left; LP_CSV_NONE: it is not there. */
static size_t take(struct lp_csv_names *names, const char *name)
{
	size_t i = find(names, name);

	if (i != LP_CSV_NONE)
		names->text[i] = NULL;
	return i;
}

/* The class whose noun is a column; the host when there is none. */
static int choose_class(struct lp_csv_layout *layout,
			struct lp_csv_names *names, struct lp_error *err)
{
	layout->class = &lp_class_host;
	for (size_t i = 0; lp_classes[i]; i++) {
		const struct lp_class *class = lp_classes[i];
		size_t field = lp_class_is_host(class)
				       ? LP_CSV_NONE
				       : find(names, class->noun);

		if (field == LP_CSV_NONE)
			continue;
		/* --map decides between a foreign file's names and ours. */
		if (layout->instance != LP_CSV_NONE &&
		    names->chosen[layout->instance] && !names->chosen[field])
			continue;
		if (layout->instance != LP_CSV_NONE &&
		    names->chosen[layout->instance] == names->chosen[field])
			return lp_fail(err, EINVAL,
				       "the columns '%s' and '%s' are of "
				       "different classes; a file holds one",
				       layout->class->noun, class->noun);
		layout->class = class;
		layout->instance = field;
	}
	if (layout->instance != LP_CSV_NONE)
		names->text[layout->instance] = NULL;
	if (layout->class->two_ended)
		layout->local = take(names, "local");
	return 0;
}

static int unknown_column(const struct lp_csv_layout *layout, const char *name,
			  struct lp_error *err)
{
	const char *near = lp_csv_nearest(layout->class, name);

	if (lp_class_is_host(layout->class) && !near)
		return lp_fail(err, EINVAL,
			       "unknown column '%s', and none of device, "
			       "interface, peer or port says what the lines "
			       "are about; see limpid-csv(5) and --map",
			       name);
	return lp_fail(err, EINVAL,
		       "unknown column '%s'%s%s%s --map renames columns or "
		       "leaves them out, see limpid-csv(5)",
		       name, near ? ", did you mean '" : ";", near ? near : "",
		       near ? "'?" : "");
}

/*
 * Whether an unknown column is left out: of a mapped file, and of sadf's if it
 * is about devices. Elsewhere it may say what a line is about: CPU, INTR.
 */
static bool is_passed_over(const struct lp_csv_layout *layout,
			   const struct lp_csv_names *names, bool mapped,
			   size_t i)
{
	return !names->chosen[i] &&
	       (mapped ||
		(names->from_sadf && !lp_class_is_host(layout->class)));
}

static int wide_values(struct lp_csv_layout *layout,
		       const struct lp_csv_names *names, bool mapped,
		       struct lp_error *err)
{
	for (size_t i = 0; i < names->n; i++) {
		struct lp_csv_value value = { .class = layout->class,
					      .field = i };

		if (!names->text[i])
			continue;
		if (!find_column(&layout->arena, names->text[i], false,
				 &value)) {
			if (is_passed_over(layout, names, mapped, i))
				continue;
			return unknown_column(layout, names->text[i], err);
		}
		for (size_t k = 0; k < layout->n_values; k++)
			if (strcmp(layout->values[k].column.name,
				   value.column.name) == 0)
				return lp_fail(err, EINVAL,
					       "two columns are '%s'",
					       value.column.name);
		if (add_value(layout, value) < 0)
			return lp_fail_memory(err);
	}
	if (layout->n_values == 0)
		return lp_fail(err, EINVAL,
			       "no column of values for class %s; see "
			       "limpid-csv(5), or --map for foreign names",
			       layout->class->name);
	return 0;
}

static bool take_long(struct lp_csv_layout *layout, struct lp_csv_names *names)
{
	if (find(names, "class") == LP_CSV_NONE ||
	    find(names, "component") == LP_CSV_NONE ||
	    find(names, "metric") == LP_CSV_NONE ||
	    find(names, "value") == LP_CSV_NONE)
		return false;
	layout->class_field = take(names, "class");
	layout->instance = take(names, "component");
	layout->metric = take(names, "metric");
	layout->number = take(names, "value");
	layout->is_long = true;
	return true;
}

static int long_rest(const struct lp_csv_names *names, bool mapped,
		     struct lp_error *err)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->text[i] && !mapped)
			return lp_fail(err, EINVAL,
				       "unknown column '%s' beside time, host, "
				       "class, component, metric, value",
				       names->text[i]);
	return 0;
}

static int lay_out(struct lp_csv_layout *layout, struct lp_csv_names *names,
		   bool mapped, struct lp_error *err)
{
	int status;

	layout->time = take(names, "time");
	if (layout->time == LP_CSV_NONE)
		return lp_fail(err, EINVAL,
			       "no column 'time' in the header line; if "
			       "another column is the time, say --map "
			       "time=COLUMN");
	layout->host = take(names, "host");
	if (take_long(layout, names))
		return long_rest(names, mapped, err);
	status = choose_class(layout, names, err);
	return status < 0 ? status : wide_values(layout, names, mapped, err);
}

int lp_csv_layout_init(struct lp_csv_layout *layout,
		       const struct lp_csv_field *fields, size_t n,
		       const char *map, struct lp_error *err)
{
	struct lp_csv_names names;
	int status;

	*layout = (struct lp_csv_layout){
		.n_fields = n,
		.time = LP_CSV_NONE,
		.host = LP_CSV_NONE,
		.instance = LP_CSV_NONE,
		.local = LP_CSV_NONE,
		.class_field = LP_CSV_NONE,
		.metric = LP_CSV_NONE,
		.number = LP_CSV_NONE,
	};
	status = lp_csv_names_init(&names, fields, n, map, err);
	if (status == 0)
		status = lay_out(layout, &names, map != NULL, err);
	lp_csv_names_done(&names);
	return status;
}

static int add_kind(struct lp_csv_layout *layout, const char *key,
		    const struct lp_csv_field *class_name,
		    const struct lp_csv_field *metric, struct lp_error *err)
{
	char *class_text = lp_arena_string_n(&layout->arena, class_name->text,
					     class_name->n);
	char *metric_text =
		lp_arena_string_n(&layout->arena, metric->text, metric->n);
	struct lp_csv_value value = { .field = layout->number };

	if (!class_text || !metric_text)
		return lp_fail_memory(err), -1;
	value.class = lp_class_find(class_text);
	if (!value.class)
		return lp_fail(err, EINVAL, "unknown class '%s'", class_text),
		       -1;
	if (!find_column(&layout->arena, metric_text, true, &value)) {
		const char *near = lp_csv_nearest(value.class, metric_text);

		lp_fail(err, EINVAL, "unknown metric '%s' of class %s%s%s%s",
			metric_text, class_text, near ? ", did you mean '" : "",
			near ? near : "", near ? "'?" : "");
		return -1;
	}
	if (add_value(layout, value) < 0)
		return lp_fail_memory(err), -1;
	if (lp_names_add(&layout->kinds, key) == LP_NAME_NONE) {
		layout->n_values--;
		return lp_fail_memory(err), -1;
	}
	return (int)layout->n_values - 1;
}

int lp_csv_layout_kind(struct lp_csv_layout *layout,
		       const struct lp_csv_field *class_name,
		       const struct lp_csv_field *metric, struct lp_error *err)
{
	char key[128];
	uint32_t known;

	if (class_name->n + metric->n + 2 > sizeof(key) ||
	    memchr(class_name->text, '\0', class_name->n) ||
	    memchr(metric->text, '\0', metric->n))
		return lp_fail(err, EINVAL,
			       "the class or metric is not a valid name"),
		       -1;
	snprintf(key, sizeof(key), "%.*s %.*s", (int)class_name->n,
		 class_name->text, (int)metric->n, metric->text);
	known = lp_names_find(&layout->kinds, key);
	if (known != LP_NAME_NONE)
		return (int)known;
	return add_kind(layout, key, class_name, metric, err);
}
