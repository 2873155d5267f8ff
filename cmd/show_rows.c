/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans come by host and class, a stretch of points each; people and programs
 * want rows by time. Rows are held until the stream is well beyond them, so
 * that all hosts are in, and so that a point which comes again after the clock
 * was set back replaces the first.
 */
#include "show.h"

#include "table/merge.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * How far behind the stream rows are held: time for clocks that are set back,
 * and for chunks of other hosts, which merge.h gathers up to a length.
 */
#define HOLD_NS (600 * LP_NS_PER_S)
#define HOLD_STEPS (2 * LP_MERGE_SAMPLES)

struct known {
	struct show_component *component; /* NULL: not wanted */
};

struct show_rows {
	struct show_rows_config config;
	struct lp_names keys; /* "host class track" */
	struct known *known;
	size_t known_capacity, n_idle, n_components;
	struct show_row **rows;
	size_t n_rows, capacity, sequence, n_written;
	struct lp_metric_plan *plans; /* [class][widest] */
	double *values;               /* [widest][points] */
	size_t values_capacity;
	int64_t written_ns; /* rows before this time were written */
};

struct show_rows *show_rows_new(const struct show_rows_config *config)
{
	struct show_rows *rows = calloc(1, sizeof(*rows));
	size_t widest = config->selection->widest;

	if (!rows)
		return NULL;
	rows->config = *config;
	rows->written_ns = LP_TIME_MIN;
	rows->plans = calloc(SHOW_CLASSES * (widest + 1), sizeof(*rows->plans));
	if (!rows->plans) {
		show_rows_free(rows);
		return NULL;
	}
	return rows;
}

static void free_component(struct show_component *component)
{
	if (!component)
		return;
	free(component->host);
	free(component->name);
	free(component->id);
	free(component->display);
	free(component);
}

void show_rows_free(struct show_rows *rows)
{
	if (!rows)
		return;
	for (uint32_t i = 0; i < rows->keys.count; i++)
		free_component(rows->known[i].component);
	for (size_t i = 0; i < rows->n_rows; i++)
		free(rows->rows[i]);
	free(rows->known);
	free(rows->rows);
	free(rows->plans);
	free(rows->values);
	lp_names_done(&rows->keys);
	free(rows);
}

bool show_matches(const struct lp_option_list *globs, const char *text)
{
	for (size_t i = 0; i < globs->count; i++)
		if (fnmatch(globs->text[i], text, 0) == 0)
			return true;
	return globs->count == 0;
}

bool show_hides_idle(const struct show_options *o)
{
	return !o->all && !o->csv && !o->json && !o->devices.count;
}

bool show_own_times(const struct lp_survey *survey, const char *host_name,
		    int64_t step_ns)
{
	const struct lp_roster_host *host = lp_survey_host(survey, host_name);

	return host && host->cadence_ns > step_ns / 2;
}

/* The place of a class in the selection; n_classes: not in it. */
static size_t class_index(const struct show_selection *s,
			  const struct lp_span *span)
{
	size_t i = 0;

	while (i < s->n_classes && s->classes[i].class != span->class)
		i++;
	return i;
}

static int set_name(struct show_component *component,
		    const struct lp_span *span)
{
	bool is_host = !span->class->separator[0];
	char *name = strdup(span->name), *display = NULL;

	if (!name ||
	    asprintf(&display, "%s%s%s", span->host, span->class->separator,
		     is_host ? "" : span->name) < 0) {
		free(name);
		return -ENOMEM;
	}
	free(component->name);
	free(component->display);
	component->name = name;
	component->display = display;
	return 0;
}

static struct show_component *new_component(const struct lp_span *span,
					    size_t class)
{
	struct show_component *component = calloc(1, sizeof(*component));

	if (!component)
		return NULL;
	component->class = class;
	component->host = strdup(span->host);
	component->id = span->id ? strdup(span->id) : NULL;
	if (!component->host || (span->id && !component->id) ||
	    set_name(component, span) < 0) {
		free_component(component);
		return NULL;
	}
	return component;
}

static bool is_idle(const struct show_rows *rows, const struct lp_span *span)
{
	const struct lp_roster_item *item;

	if (!rows->config.hide_idle)
		return false;
	item = lp_roster_who(&rows->config.survey->roster, span->host,
			     span->class_name, span->name, span->id);
	return !item || !lp_roster_is_active(item);
}

/* First met: is it wanted? */
static int meet(struct show_rows *rows, const struct lp_span *span,
		size_t class, struct known *known)
{
	const struct show_options *options = rows->config.options;

	*known = (struct known){ 0 };
	if (!show_matches(&options->devices, span->name) &&
	    !(span->alias && show_matches(&options->devices, span->alias)))
		return 0;
	if (is_idle(rows, span)) {
		rows->n_idle++;
		return 0;
	}
	known->component = new_component(span, class);
	if (!known->component)
		return -ENOMEM;
	known->component->number = rows->n_components++;
	return 0;
}

/* *component is NULL when it is not wanted. */
static int find_component(struct show_rows *rows, const struct lp_span *span,
			  size_t class, struct show_component **component)
{
	uint32_t before = rows->keys.count, n;
	char key[64];

	snprintf(key, sizeof(key), "%u %zu %u", span->host_number, class,
		 span->track);
	if (lp_grow(&rows->known, &rows->known_capacity, (size_t)before + 1,
		    sizeof(*rows->known)) < 0)
		return -ENOMEM;
	rows->known[before] = (struct known){ 0 };
	n = lp_names_add(&rows->keys, key);
	if (n == LP_NAME_NONE || (rows->keys.count > before &&
				  meet(rows, span, class, &rows->known[n]) < 0))
		return -ENOMEM;
	*component = rows->known[n].component;
	if (*component && strcmp((*component)->name, span->name) != 0)
		return set_name(*component, span);
	return 0;
}

static void fill_missing(double *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		value[i] = NAN;
}

/* All items of the class over the points of the span. */
static int evaluate(struct show_rows *rows, const struct lp_span *span,
		    size_t class)
{
	const struct show_class *c = &rows->config.selection->classes[class];
	size_t widest = rows->config.selection->widest, n = span->n_points;

	if (lp_grow(&rows->values, &rows->values_capacity, widest * n,
		    sizeof(double)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_items; i++) {
		const struct show_item *item = &c->items[i];
		struct lp_metric_plan *plan = &rows->plans[class * widest + i];
		double *value = rows->values + i * n;

		fill_missing(value, n);
		if (!item->metric) {
			if (span->values[item->column].value)
				memcpy(value, span->values[item->column].value,
				       n * sizeof(*value));
			continue;
		}
		if (plan->n_columns != span->n_columns)
			lp_metric_plan(plan, item->metric, span->columns,
				       span->n_columns);
		lp_metric_evaluate(plan, span, value);
		for (size_t p = 0; p < n && item->factor != 1; p++)
			value[p] *= item->factor;
	}
	return 0;
}

static bool all_missing(const struct show_rows *rows, size_t n_items,
			size_t point, size_t n_points)
{
	for (size_t i = 0; i < n_items; i++)
		if (!isnan(rows->values[i * n_points + point]))
			return false;
	return true;
}

/* Whether the row's own time is asked for: steps were, a little around. */
static bool is_wanted(const struct show_rows *rows, int64_t time_ns)
{
	return time_ns >= rows->config.options->since_ns &&
	       time_ns <= rows->config.options->until_ns;
}

static int add_row(struct show_rows *rows, const struct lp_span *span,
		   const struct show_component *component, size_t point,
		   int64_t time_ns)
{
	size_t n = rows->config.selection->classes[component->class].n_items;
	struct show_row *row;

	if (lp_grow(&rows->rows, &rows->capacity, rows->n_rows + 1,
		    sizeof(struct show_row *)) < 0)
		return -ENOMEM;
	row = malloc(sizeof(*row) + n * sizeof(double));
	if (!row)
		return -ENOMEM;
	row->point_ns = span->point_ns[point];
	row->time_ns = time_ns;
	row->component = component;
	row->sequence = rows->sequence++;
	for (size_t i = 0; i < n; i++)
		row->value[i] = rows->values[i * span->n_points + point];
	rows->rows[rows->n_rows++] = row;
	return 0;
}

int show_rows_take(void *user, const struct lp_span *span, struct lp_error *err)
{
	struct show_rows *rows = user;
	const struct show_selection *s = rows->config.selection;
	size_t class = class_index(s, span);
	struct show_component *component;
	const int64_t *time_ns;

	if (class == s->n_classes)
		return 0;
	if (find_component(rows, span, class, &component) < 0)
		return lp_fail_memory(err);
	if (!component)
		return 0;
	if (evaluate(rows, span, class) < 0)
		return lp_fail_memory(err);
	time_ns = show_own_times(rows->config.survey, span->host,
				 rows->config.options->step_ns)
			  ? span->sample_ns
			  : span->point_ns;
	for (size_t p = 0; p < span->n_points; p++) {
		/* Nothing can be known at the first sample of a counter. */
		bool begins = span->first && p == 0;

		if (!span->present[p] || !is_wanted(rows, time_ns[p]) ||
		    (begins && all_missing(rows, s->classes[class].n_items, p,
					   span->n_points)))
			continue;
		if (add_row(rows, span, component, p, time_ns[p]) < 0)
			return lp_fail_memory(err);
	}
	return 0;
}

static int compare_components(const struct show_component *a,
			      const struct show_component *b)
{
	int order;

	if (a == b)
		return 0;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	order = strverscmp(a->host, b->host);
	if (!order)
		order = strverscmp(a->display, b->display);
	return order ? order : a < b ? -1 : 1;
}

static int by_order(const void *a, const void *b)
{
	const struct show_row *x = *(struct show_row *const *)a;
	const struct show_row *y = *(struct show_row *const *)b;
	int order;

	if (x->point_ns != y->point_ns)
		return x->point_ns < y->point_ns ? -1 : 1;
	order = compare_components(x->component, y->component);
	if (order)
		return order;
	return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* At step 0 nothing replaces anything. */
static bool is_replaced(const struct show_rows *rows, size_t i)
{
	return rows->config.options->step_ns != 0 && i + 1 < rows->n_rows &&
	       rows->rows[i]->point_ns == rows->rows[i + 1]->point_ns &&
	       rows->rows[i]->component == rows->rows[i + 1]->component;
}

/* Within a step and class: the highest first, what is missing last. */
static int by_value(const void *a, const void *b, void *user)
{
	const struct show_rows *rows = user;
	const struct show_row *x = *(struct show_row *const *)a;
	const struct show_row *y = *(struct show_row *const *)b;
	size_t item = rows->config.selection->classes[x->component->class].sort;
	double v, w;

	if (x->point_ns != y->point_ns ||
	    x->component->class != y->component->class)
		return by_order(a, b);
	v = x->value[item];
	w = y->value[item];
	if (isnan(v) || isnan(w) || v == w)
		return isnan(v) != isnan(w) ? (isnan(v) ? 1 : -1)
					    : by_order(a, b);
	return v > w ? -1 : 1;
}

/* Leave out what was replaced among the first n; returns how many stay. */
static size_t drop_replaced(struct show_rows *rows, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (is_replaced(rows, i))
			free(rows->rows[i]);
		else
			rows->rows[kept++] = rows->rows[i];
	return kept;
}

static void write_rows(struct show_rows *rows, size_t n)
{
	const struct show_options *o = rows->config.options;
	const struct show_row *before = NULL;
	size_t rank = 0;

	if (o->sort)
		qsort_r(rows->rows, n, sizeof(*rows->rows), by_value, rows);
	for (size_t i = 0; i < n; i++) {
		const struct show_row *row = rows->rows[i];
		bool same = before && row->point_ns == before->point_ns &&
			    row->component->class == before->component->class;

		rank = same ? rank + 1 : 0;
		before = row;
		/* A summary has a top of its own. */
		if (o->top && !o->summary && rank >= o->top)
			continue;
		rows->config.write(rows->config.user, row);
		rows->n_written++;
	}
	for (size_t i = 0; i < n; i++)
		free(rows->rows[i]);
}

static void write_before(struct show_rows *rows, int64_t time_ns, bool all)
{
	size_t n = 0;

	qsort(rows->rows, rows->n_rows, sizeof(*rows->rows), by_order);
	while (n < rows->n_rows && (all || rows->rows[n]->point_ns < time_ns))
		n++;
	write_rows(rows, drop_replaced(rows, n));
	rows->n_rows -= n;
	memmove(rows->rows, rows->rows + n, rows->n_rows * sizeof(*rows->rows));
	rows->written_ns = time_ns;
}

void show_rows_advance(struct show_rows *rows, int64_t time_ns)
{
	int64_t step = rows->config.options->step_ns, hold, until, again;

	if (step < lp_survey_cadence(rows->config.survey))
		step = lp_survey_cadence(rows->config.survey);
	if (rows->n_rows == 0 ||
	    __builtin_mul_overflow(step, HOLD_STEPS, &hold) ||
	    __builtin_add_overflow(hold, HOLD_NS, &hold) ||
	    __builtin_sub_overflow(time_ns, hold, &until) ||
	    __builtin_sub_overflow(until, hold, &again))
		return;
	/* Not at every chunk of every host. */
	if (again < rows->written_ns)
		return;
	write_before(rows, until, false);
}

void show_rows_flush(struct show_rows *rows)
{
	if (rows->n_rows)
		write_before(rows, LP_TIME_MAX, true);
}

void show_rows_count(const struct show_rows *rows, struct show_counts *counts)
{
	counts->written += rows->n_written;
	counts->matched += rows->n_components;
	counts->idle += rows->n_idle;
}
