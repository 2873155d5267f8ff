/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per component and metric: how many values, how many missing, and how they
 * are spread.
 */
#include "screen.h"
#include "show.h"

#include "base/json.h"
#include "base/number.h"
#include "base/visible.h"
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
		reach->first_ns = row->point_ns;
	if (reach->n_points == 0 || row->point_ns != reach->last_ns)
		reach->n_points++;
	reach->last_ns = row->point_ns;
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

static int compute(struct show_summary *s, const struct entry *entry,
		   size_t item, struct figures *f)
{
	const struct show_class *c =
		&s->selection->classes[entry->component->class];
	lp_auto_free double *x = calloc(2 * entry->n + 1, sizeof(*x));
	const struct reach *reach = reach_of(s, entry->component);
	double sum = 0, *spare;
	size_t points;

	if (!x || !reach)
		return -ENOMEM;
	spare = x + entry->n; /* a quantile spoils its input */
	*f = (struct figures){ .mean = NAN, .max = NAN };
	for (size_t i = 0; i < entry->n; i++) {
		double v = entry->values[i * c->n_items + item];

		if (isnan(v))
			continue;
		x[f->n++] = v;
		sum += v;
		f->max = f->max >= v ? f->max : v; /* NaN is below all */
	}
	if (f->n)
		f->mean = sum / (double)f->n;
	memcpy(spare, x, f->n * sizeof(*x));
	f->median = lp_quantile(x, f->n, 0.5);
	f->p95 = lp_quantile(spare, f->n, 0.95);
	points = expected(s, reach, c, item);
	f->missing = points > f->n ? points - f->n : 0;
	return 0;
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
	lp_json_put_double(&json, "mean", f->mean);
	lp_json_put_double(&json, "median", f->median);
	lp_json_put_double(&json, "p95", f->p95);
	lp_json_put_double(&json, "max", f->max);
	lp_json_end(&json);
	putchar('\n');
}

/* ---- lines, in order ---- */

/* One component and metric. */
struct line {
	const struct show_component *component;
	const struct show_class *class;
	const struct show_item *item;
	double sorted_by; /* of the component; NaN: last */
	size_t number;    /* of the item, so that items keep their order */
	struct figures f;
};

static double figure_of(const struct figures *f, enum show_figure figure)
{
	return figure == SHOW_MEDIAN ? f->median
	       : figure == SHOW_P95  ? f->p95
	       : figure == SHOW_MAX  ? f->max
				     : f->mean;
}

static int by_component(const struct line *a, const struct line *b)
{
	const struct show_component *x = a->component, *y = b->component;
	int order;

	order = strverscmp(x->host, y->host);
	if (!order)
		order = strverscmp(x->display, y->display);
	if (!order && x != y)
		order = x->number < y->number ? -1 : 1;
	return order ? order : a->number < b->number ? -1 : 1;
}

static int by_line(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->component->class != y->component->class)
		return x->component->class < y->component->class ? -1 : 1;
	if (isnan(x->sorted_by) != isnan(y->sorted_by))
		return isnan(x->sorted_by) ? 1 : -1;
	if (!isnan(x->sorted_by) && x->sorted_by != y->sorted_by)
		return x->sorted_by > y->sorted_by ? -1 : 1;
	return by_component(x, y);
}

static int make_lines(struct show_summary *s, const struct entry *entry,
		      struct line *lines)
{
	const struct show_class *c =
		&s->selection->classes[entry->component->class];

	for (size_t i = 0; i < c->n_items; i++) {
		lines[i] = (struct line){ .component = entry->component,
					  .class = c,
					  .item = &c->items[i],
					  .sorted_by = NAN,
					  .number = i };
		if (compute(s, entry, i, &lines[i].f) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; s->options->sort && i < c->n_items; i++)
		lines[i].sorted_by =
			figure_of(&lines[c->sort].f, s->selection->figure);
	return 0;
}

/* Lines of the first components of each class; returns how many stay. */
static size_t keep_top(struct line *lines, size_t n, unsigned long top)
{
	size_t kept = 0, rank = 0;

	for (size_t i = 0; i < n; i++) {
		if (i && lines[i].class != lines[i - 1].class)
			rank = 0;
		else if (i && lines[i].component != lines[i - 1].component)
			rank++;
		if (!top || rank < top)
			lines[kept++] = lines[i];
	}
	return kept;
}

/* ---- the table ---- */

enum { NAME, METRIC, COUNT, MISSING, MEAN, MEDIAN, P95, MAX, UNIT, COLUMNS };
#define CELL_TEXT LP_VISIBLE_TEXT

static const char *const titles[COLUMNS] = {
	"component", "metric", "n",   "missing", "mean",
	"median",    "p95",    "max", "unit",
};

static void put_cell(const struct line *line, bool human, int column,
		     char text[CELL_TEXT])
{
	const double v[] = { line->f.mean, line->f.median, line->f.p95,
			     line->f.max };
	char number[SHOW_NUMBER_TEXT];

	if (column == NAME)
		snprintf(text, CELL_TEXT, "%s",
			 lp_shown(line->component->display));
	else if (column == METRIC)
		snprintf(text, CELL_TEXT, "%s", line->item->name);
	else if (column == COUNT || column == MISSING)
		snprintf(text, CELL_TEXT, "%zu",
			 column == COUNT ? line->f.n : line->f.missing);
	else if (column == UNIT)
		snprintf(text, CELL_TEXT, "%s", show_unit(line->item, human));
	else
		snprintf(text, CELL_TEXT, "%s",
			 show_number(line->item, human, v[column - MEAN],
				     number));
}

/* Every column as wide as it needs, and no wider. */
static void measure(const struct line *lines, size_t n, bool human,
		    int width[COLUMNS])
{
	char text[CELL_TEXT];

	for (int c = 0; c < COLUMNS; c++)
		width[c] = (int)strlen(titles[c]);
	for (size_t i = 0; i < n; i++)
		for (int c = 0; c < COLUMNS && lines[i].f.n; c++) {
			put_cell(&lines[i], human, c, text);
			if ((int)strlen(text) > width[c])
				width[c] = (int)strlen(text);
		}
}

/* The columns that go first where a terminal has no room. */
static const int spare[] = { MISSING, COUNT, MEDIAN, UNIT };

/* They then have width 0. Returns how many of them. */
static size_t fit(int width[COLUMNS], size_t room)
{
	size_t sum = 0, hidden = 0;

	for (int c = 0; c < COLUMNS; c++)
		sum += (size_t)width[c] + (c > 0) + (c > METRIC);
	for (; room && sum > room && hidden < lp_array_size(spare); hidden++) {
		sum -= (size_t)width[spare[hidden]] + 2;
		width[spare[hidden]] = 0;
	}
	return hidden;
}

static void say_hidden(size_t hidden)
{
	for (size_t i = 0; i < hidden; i++)
		fprintf(stderr, "%s%s",
			i ? ", " : "limpid show: ", titles[spare[i]]);
	if (hidden)
		fprintf(stderr, " left out to fit the terminal; a pipe gets "
				"all\n");
}

static void put_row(const struct line *line, bool human,
		    const int width[COLUMNS])
{
	char text[CELL_TEXT];

	for (int c = 0; c < COLUMNS; c++) {
		bool left = c == NAME || c == METRIC || c == UNIT;

		if (!width[c])
			continue;
		if (line)
			put_cell(line, human, c, text);
		else
			snprintf(text, sizeof(text), "%s", titles[c]);
		fputs(c == NAME ? "" : c == METRIC ? " " : "  ", stdout);
		if (c == UNIT)
			fputs(text, stdout);
		else
			printf("%*s", left ? -width[c] : width[c], text);
	}
	putchar('\n');
}

static void put_table(const struct show_summary *s, const struct line *lines,
		      size_t n)
{
	bool human = s->options->human;
	int width[COLUMNS];
	size_t hidden;

	measure(lines, n, human, width);
	hidden = fit(width, lp_screen_columns());
	put_row(NULL, human, width);
	for (size_t i = 0; i < n; i++)
		if (lines[i].f.n)
			put_row(&lines[i], human, width);
	fflush(stdout);
	say_hidden(hidden);
}

static void put_lines(const struct show_summary *s, const struct line *lines,
		      size_t n)
{
	if (s->options->csv)
		puts("host,class,component,metric,n,missing,mean,median,p95,"
		     "max");
	for (size_t i = 0; i < n; i++)
		(s->options->csv ? put_csv_line : put_json_line)(
			lines[i].component, lines[i].class->class->name,
			lines[i].item, &lines[i].f);
}

int show_summary_print(struct show_summary *s)
{
	lp_auto_free struct line *lines =
		calloc(s->n_entries * s->selection->widest + 1, sizeof(*lines));
	size_t n = 0;

	if (s->lost || !lines)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_entries; i++) {
		const struct show_component *c = s->entries[i].component;

		if (!c)
			continue;
		if (make_lines(s, &s->entries[i], lines + n) < 0)
			return -ENOMEM;
		n += s->selection->classes[c->class].n_items;
	}
	qsort(lines, n, sizeof(*lines), by_line);
	n = keep_top(lines, n, s->options->top);
	if (s->options->csv || s->options->json)
		put_lines(s, lines, n);
	else
		put_table(s, lines, n);
	return 0;
}
