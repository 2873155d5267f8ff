/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per component and metric: how many values, how many missing, and how they
 * are spread.
 */
#include "show.h"

#include "base/json.h"
#include "base/number.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All rows of one component; components stay where they are. */
struct entry {
	const struct show_component *component;
	double *values; /* [row][item] */
	size_t n, capacity;
};

/* The span of a class of a host. */
struct reach {
	int64_t first_ns, last_ns;
	size_t n_points; /* different times */
};

struct show_summary {
	const struct show_options *options;
	const struct show_selection *selection;
	int64_t step_ns;
	struct entry *entries;
	size_t n_entries, capacity;
	struct lp_names lanes; /* "class host" */
	struct reach *reach;
	size_t reach_capacity;
	bool lost;
};

struct show_summary *show_summary_new(const struct show_options *options,
				      const struct show_selection *selection,
				      int64_t step_ns)
{
	struct show_summary *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->options = options;
	s->selection = selection;
	s->step_ns = step_ns;
	return s;
}

void show_summary_free(struct show_summary *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_entries; i++)
		free(s->entries[i].values);
	free(s->entries);
	free(s->reach);
	lp_names_done(&s->lanes);
	free(s);
}

static struct reach *reach_of(struct show_summary *s,
			      const struct show_component *component)
{
	uint32_t before = s->lanes.count, n;
	char key[300];

	snprintf(key, sizeof(key), "%zu %s", component->class, component->host);
	if (lp_grow(&s->reach, &s->reach_capacity, (size_t)before + 1,
		    sizeof(*s->reach)) < 0)
		return NULL;
	n = lp_names_add(&s->lanes, key);
	if (n == LP_NAME_NONE)
		return NULL;
	if (s->lanes.count > before)
		s->reach[n] = (struct reach){ 0 };
	return &s->reach[n];
}

static struct entry *entry_of(struct show_summary *s,
			      const struct show_component *component)
{
	size_t n = component->number;

	if (lp_grow(&s->entries, &s->capacity, n + 1, sizeof(*s->entries)) < 0)
		return NULL;
	while (s->n_entries <= n)
		s->entries[s->n_entries++] = (struct entry){ 0 };
	s->entries[n].component = component;
	return &s->entries[n];
}

void show_summary_row(void *user, const struct show_row *row)
{
	struct show_summary *s = user;
	size_t width = s->selection->classes[row->component->class].n_items;
	struct entry *entry = entry_of(s, row->component);
	struct reach *reach = reach_of(s, row->component);

	if (!entry || !reach ||
	    lp_grow(&entry->values, &entry->capacity, (entry->n + 1) * width,
		    sizeof(double)) < 0) {
		s->lost = true;
		return;
	}
	memcpy(entry->values + entry->n * width, row->value,
	       width * sizeof(double));
	entry->n++;
	if (reach->n_points == 0)
		reach->first_ns = row->time_ns;
	if (reach->n_points == 0 || row->time_ns != reach->last_ns)
		reach->n_points++;
	reach->last_ns = row->time_ns;
}

static bool has_levels(const struct show_class *c)
{
	for (size_t i = 0; i < c->n_items; i++)
		if (!c->items[i].counts)
			return true;
	return false;
}

/*
 * The points at which the host's class could have had a value. Levels have
 * one at the very first, increases do not.
 */
static size_t expected(const struct show_summary *s, const struct reach *reach,
		       const struct show_class *c, size_t item)
{
	size_t n = reach->n_points;

	if (s->step_ns)
		n = ((uint64_t)reach->last_ns - (uint64_t)reach->first_ns) /
			    (uint64_t)s->step_ns +
		    1;
	return n - (c->items[item].counts && has_levels(c) ? 1 : 0);
}

struct figures {
	size_t n, missing;
	double mean, median, p95, max;
};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static int compute(struct show_summary *s, const struct entry *entry,
		   size_t item, struct figures *f)
{
	const struct show_class *c =
		&s->selection->classes[entry->component->class];
	lp_auto_free double *x = calloc(entry->n + 1, sizeof(*x));
	const struct reach *reach = reach_of(s, entry->component);
	double sum = 0;
	size_t points;

	if (!x || !reach)
		return -ENOMEM;
	*f = (struct figures){ .mean = NAN, .max = NAN };
	for (size_t i = 0; i < entry->n; i++) {
		double v = entry->values[i * c->n_items + item];

		if (isnan(v))
			continue;
		x[f->n++] = v;
		sum += v;
	}
	qsort(x, f->n, sizeof(*x), ascending);
	if (f->n) {
		f->mean = sum / (double)f->n;
		f->max = x[f->n - 1];
	}
	f->median = lp_quantile_sorted(x, f->n, 0.5);
	f->p95 = lp_quantile_sorted(x, f->n, 0.95);
	points = expected(s, reach, c, item);
	f->missing = points > f->n ? points - f->n : 0;
	return 0;
}

static void put_text_line(const struct show_component *component,
			  const struct show_item *item, const struct figures *f)
{
	const double v[] = { f->mean, f->median, f->p95, f->max };

	printf("%-24s %-12s %8zu %8zu", component->display, item->name, f->n,
	       f->missing);
	for (size_t i = 0; i < lp_array_size(v); i++)
		if (isnan(v[i]))
			printf(" %12s", "-");
		else
			printf(" %12.*f", fabs(v[i]) >= 1e5 ? 0 : 2, v[i]);
	printf("  %s\n", item->unit);
}

static void put_csv_line(const struct show_component *component,
			 const char *class_name, const struct show_item *item,
			 const struct figures *f)
{
	const double v[] = { f->mean, f->median, f->p95, f->max };
	char number[LP_NUMBER_TEXT];

	show_csv_text(component->host);
	printf(",%s,", class_name);
	show_csv_text(component->display);
	printf(",%s,%zu,%zu", item->name, f->n, f->missing);
	for (size_t i = 0; i < lp_array_size(v); i++)
		printf(",%s", lp_format_double(v[i], number));
	putchar('\n');
}

static void put_number(struct lp_json *json, const char *key, double v)
{
	lp_json_key(json, key);
	lp_json_double(json, v);
}

static void put_json_line(const struct show_component *component,
			  const char *class_name, const struct show_item *item,
			  const struct figures *f)
{
	const char *const texts[][2] = {
		{ "host", component->host },
		{ "class", class_name },
		{ "component", component->display },
		{ "id", component->id },
		{ "metric", item->name },
		{ "unit", item->unit },
	};
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_object(&json);
	for (size_t i = 0; i < lp_array_size(texts); i++) {
		lp_json_key(&json, texts[i][0]);
		lp_json_string(&json, texts[i][1]);
	}
	lp_json_key(&json, "n");
	lp_json_u64(&json, f->n);
	lp_json_key(&json, "missing");
	lp_json_u64(&json, f->missing);
	put_number(&json, "mean", f->mean);
	put_number(&json, "median", f->median);
	put_number(&json, "p95", f->p95);
	put_number(&json, "max", f->max);
	lp_json_end(&json);
	putchar('\n');
}

static int by_component(const void *a, const void *b)
{
	const struct show_component *x = ((const struct entry *)a)->component;
	const struct show_component *y = ((const struct entry *)b)->component;
	int order;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	order = strverscmp(x->host, y->host);
	return order ? order : strverscmp(x->display, y->display);
}

static int put_entry(struct show_summary *s, const struct entry *entry)
{
	const struct show_class *c =
		&s->selection->classes[entry->component->class];

	for (size_t i = 0; i < c->n_items; i++) {
		struct figures f;

		if (compute(s, entry, i, &f) < 0)
			return -ENOMEM;
		if (s->options->json)
			put_json_line(entry->component, c->class->name,
				      &c->items[i], &f);
		else if (s->options->csv)
			put_csv_line(entry->component, c->class->name,
				     &c->items[i], &f);
		else if (f.n)
			put_text_line(entry->component, &c->items[i], &f);
	}
	return 0;
}

int show_summary_print(struct show_summary *s)
{
	int r = s->lost ? -ENOMEM : 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n_entries; i++)
		if (s->entries[i].component)
			s->entries[n++] = s->entries[i];
	s->n_entries = n;
	if (n > 0)
		qsort(s->entries, n, sizeof(*s->entries), by_component);
	if (s->options->csv)
		puts("host,class,component,metric,n,missing,mean,median,p95,"
		     "max");
	else if (!s->options->json)
		printf("%-24s %-12s %8s %8s %12s %12s %12s %12s  %s\n",
		       "component", "metric", "n", "missing", "mean", "median",
		       "p95", "max", "unit");
	for (size_t i = 0; i < s->n_entries && r == 0; i++)
		r = put_entry(s, &s->entries[i]);
	return r;
}
