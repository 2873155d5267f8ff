/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenMetrics 1.0 text:
 *
 *   # TYPE limpid_disk_rd_seconds counter
 *   # UNIT limpid_disk_rd_seconds seconds
 *   # HELP limpid_disk_rd_seconds time that reads took, summed over requests
 *   limpid_disk_rd_seconds_total{instance="oss1",device="sda"} 4.711 1794775514
 */
#include "base/names.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "export/export.h"
#include "model/base_unit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME LP_BASE_NAME

struct point {
	uint32_t series, text;
	int64_t time_ns;
	uint64_t bits;
	size_t order; /* as recorded */
};

struct lp_openmetrics {
	const struct lp_seen_class *class;
	const struct lp_column *column;
	struct lp_names series; /* "HOST\nINSTANCE" */
	struct lp_names texts;  /* of state columns */
	struct point *points;
	size_t n, capacity;
};

struct lp_openmetrics *lp_openmetrics_new(const struct lp_seen_class *class,
					  const struct lp_column *column)
{
	struct lp_openmetrics *m = calloc(1, sizeof(*m));

	if (m) {
		m->class = class;
		m->column = column;
	}
	return m;
}

void lp_openmetrics_free(struct lp_openmetrics *m)
{
	if (!m)
		return;
	lp_names_done(&m->series);
	lp_names_done(&m->texts);
	free(m->points);
	free(m);
}

static int add_point(struct lp_openmetrics *m, const struct lp_chunk *chunk,
		     uint32_t series, const struct lp_values *v, size_t sample)
{
	struct point p = { .series = series,
			   .time_ns = chunk->time_ns[sample],
			   .bits = v->bits[sample],
			   .order = m->n };

	if (m->column->type == LP_TEXT) {
		p.text = lp_names_add(&m->texts, chunk->texts[p.bits]);
		if (p.text == LP_NAME_NONE)
			return -ENOMEM;
	}
	if (lp_grow(&m->points, &m->capacity, m->n + 1, sizeof(p)) < 0)
		return -ENOMEM;
	m->points[m->n++] = p;
	return 0;
}

static int add_series(struct lp_openmetrics *m,
		      const struct lp_selection *selection,
		      const struct lp_chunk *chunk,
		      const struct lp_series *series, size_t column)
{
	const struct lp_values *v = &series->values[column];
	char *key;
	uint32_t id;

	if (asprintf(&key, "%s\n%s", chunk->host, series->name) < 0)
		return -ENOMEM;
	id = lp_names_add(&m->series, key);
	free(key);
	if (id == LP_NAME_NONE)
		return -ENOMEM;
	for (size_t i = 0; i < chunk->n_samples; i++)
		if (lp_values_has(v, i) &&
		    lp_selection_time(selection, chunk->time_ns[i]) &&
		    add_point(m, chunk, id, v, i) < 0)
			return -ENOMEM;
	return 0;
}

int lp_openmetrics_add(struct lp_openmetrics *m,
		       const struct lp_selection *selection,
		       const struct lp_chunk *chunk)
{
	const struct lp_panel *panel = lp_chunk_panel(chunk, m->class->name);
	int c = panel ? lp_panel_column(panel, m->column->name) : -1;

	if (c < 0 || !lp_selection_host(selection, chunk->host) ||
	    panel->columns[c].type != m->column->type ||
	    panel->columns[c].kind != m->column->kind)
		return 0;
	for (size_t s = 0; s < panel->n_series; s++)
		if (lp_selection_device(selection, panel->series[s].name) &&
		    add_series(m, selection, chunk, &panel->series[s],
			       (size_t)c) < 0)
			return -ENOMEM;
	return 0;
}

static bool ends_in_total(const char *name)
{
	size_t n = strlen(name);

	return n > 6 && strcmp(name + n - 6, "_total") == 0;
}

/* "rd_ms" -> "rd_seconds", "%util" -> "util_percent" */
static void family_name(const struct lp_openmetrics *m, char name[NAME])
{
	char plain[LP_EXPORT_NAME];
	const struct lp_class *class = m->class->class;
	bool clash = class && lp_class_column(class, m->column->name) >= 0 &&
		     strchr(lp_export_name(class, m->column, plain), ':');

	lp_base_name(m->class->name, m->column, name);
	if (clash)
		snprintf(name + strlen(name), NAME - strlen(name), "_metric");
	/* "_total" is for counters alone. */
	if (m->column->kind > LP_SATURATING && ends_in_total(name))
		snprintf(name + strlen(name), NAME - strlen(name), "_level");
}

static const char *type_name(enum lp_kind kind)
{
	switch (kind) {
	case LP_COUNTER:
	case LP_SATURATING:
		return "counter";
	case LP_GAUGE:
	case LP_WEIGHTED:
		return "gauge";
	case LP_STATE:
		return "info";
	default:
		return "unknown";
	}
}

static const char *suffix(enum lp_kind kind)
{
	if (kind == LP_STATE)
		return "_info";
	return kind <= LP_SATURATING ? "_total" : "";
}

/* The unit, if the name ends in it, as the format demands; else "". */
static const char *unit_of(const struct lp_openmetrics *m, const char *family)
{
	const char *unit = lp_base_unit_of(m->class->name, m->column).name;
	size_t n = strlen(family), u = strlen(unit);

	return u && n > u && family[n - u - 1] == '_' &&
			       strcmp(family + n - u, unit) == 0
		       ? unit
		       : "";
}

static const char *help_of(const struct lp_openmetrics *m)
{
	const struct lp_class *class = m->class->class;
	int c = class ? lp_class_column(class, m->column->name) : -1;
	const struct lp_metric *metric =
		class ? lp_class_metric(class, m->column->name) : NULL;

	if (c >= 0 && class->columns[c].kind == m->column->kind)
		return class->columns[c].help;
	return metric ? metric->help : "";
}

static void put_escaped(FILE *out, const char *text, bool quotes)
{
	while (*text) {
		size_t n = lp_utf8_length(text);

		if (n == 0)
			fputs(LP_UTF8_REPLACEMENT, out);
		else if (*text == '\\' || (quotes && *text == '"'))
			fprintf(out, "\\%c", *text);
		else if (*text == '\n')
			fputs("\\n", out);
		else
			fwrite(text, 1, n, out);
		text += n ? n : 1;
	}
}

static void put_header(const struct lp_openmetrics *m, const char *family,
		       FILE *out)
{
	const char *unit = unit_of(m, family);

	fprintf(out, "# TYPE %s %s\n", family, type_name(m->column->kind));
	if (*unit)
		fprintf(out, "# UNIT %s %s\n", family, unit);
	fprintf(out, "# HELP %s ", family);
	put_escaped(out, help_of(m), true);
	if (!*unit && m->column->unit[0]) {
		fputs(" (", out);
		put_escaped(out, m->column->unit, true);
		fputc(')', out);
	}
	fputc('\n', out);
}

static void put_label(FILE *out, const char *name, const char *value, size_t n)
{
	lp_auto_free char *copy = strndup(value, n);

	fprintf(out, "%s=\"", name);
	put_escaped(out, copy ? copy : "", true);
	fputc('"', out);
}

static void put_labels(const struct lp_openmetrics *m, uint32_t series,
		       FILE *out)
{
	const struct lp_class *class = m->class->class;
	const char *host = m->series.text[series];
	const char *instance = strchr(host, '\n');
	size_t n = instance ? (size_t)(instance - host) : strlen(host), local;

	put_label(out, "instance", host, n);
	if (lp_class_is_host(class) || !instance)
		return;
	instance++;
	local = lp_export_local(class, instance);
	if (local) {
		fputc(',', out);
		put_label(out, "local", instance, local);
		instance += local + 1;
	}
	fputc(',', out);
	put_label(out, class ? class->noun : "component", instance,
		  strlen(instance));
}

/* Epoch seconds, exact. */
static void put_time(int64_t time_ns, FILE *out)
{
	int64_t s = time_ns / LP_NS_PER_S, ns = time_ns % LP_NS_PER_S;
	char fraction[16];
	size_t n = 9;

	if (time_ns < 0) {
		s = -s;
		ns = -ns;
	}
	fprintf(out, " %s%" PRId64, time_ns < 0 ? "-" : "", s);
	if (ns == 0)
		return;
	snprintf(fraction, sizeof(fraction), "%09" PRId64, ns);
	while (fraction[n - 1] == '0')
		n--;
	fprintf(out, ".%.*s", (int)n, fraction);
}

/* In the base unit; a count that needs no division stays exact. */
static void put_value(const struct lp_openmetrics *m, uint64_t bits, FILE *out)
{
	struct lp_base_unit unit = lp_base_unit_of(m->class->name, m->column);
	char text[LP_NUMBER_TEXT];
	double v =
		m->column->type == LP_U64 ? (double)bits : lp_bits_double(bits);

	if (m->column->type == LP_U64 && unit.by == 1 &&
	    bits <= UINT64_MAX / unit.times)
		fprintf(out, "%" PRIu64, bits * unit.times);
	else
		fputs(lp_format_double(v * (double)unit.times / (double)unit.by,
				       text),
		      out);
}

static void put_point(const struct lp_openmetrics *m, const char *family,
		      const struct point *p, FILE *out)
{
	fprintf(out, "%s%s{", family, suffix(m->column->kind));
	put_labels(m, p->series, out);
	if (m->column->type == LP_TEXT) {
		fputc(',', out);
		put_label(out, m->column->name, m->texts.text[p->text],
			  strlen(m->texts.text[p->text]));
	}
	fputs("} ", out);
	if (m->column->type == LP_TEXT)
		fputc('1', out);
	else
		put_value(m, p->bits, out);
	put_time(p->time_ns, out);
	fputc('\n', out);
}

static int compare(const struct point *x, const struct point *y)
{
	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	if (x->text != y->text)
		return x->text < y->text ? -1 : 1;
	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static int by_series(const void *a, const void *b)
{
	const struct point *x = a, *y = b;
	int order = compare(x, y);

	return order ? order : x->order < y->order ? -1 : 1;
}

/* The format has no repeated times: the last one recorded is kept. */
static bool is_writable(const struct lp_openmetrics *m, size_t i)
{
	const struct point *p = &m->points[i];

	if (m->column->type == LP_F64 && !isfinite(lp_bits_double(p->bits)))
		return false;
	return i + 1 == m->n || compare(p, p + 1) != 0;
}

void lp_openmetrics_write(struct lp_openmetrics *m, FILE *out)
{
	char family[NAME];

	if (m->n == 0)
		return;
	family_name(m, family);
	put_header(m, family, out);
	qsort(m->points, m->n, sizeof(*m->points), by_series);
	for (size_t i = 0; i < m->n; i++)
		if (is_writable(m, i))
			put_point(m, family, &m->points[i], out);
}

void lp_openmetrics_end(FILE *out)
{
	fputs("# EOF\n", out);
}
