/* SPDX-License-Identifier: Apache-2.0 */
#include "base/names.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fields that need no quotes: no comma, quote, line end, or outer blank. */
static bool is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr(",\"\n\r", text[i]) || text[i] == '\0')
			return false;
	return n == 0 || (text[0] != ' ' && text[0] != '\t' &&
			  text[n - 1] != ' ' && text[n - 1] != '\t');
}

static void put_field(FILE *out, const char *text, size_t n)
{
	if (is_plain(text, n)) {
		fwrite(text, 1, n, out);
		return;
	}
	fputc('"', out);
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"')
			fputc('"', out);
		fputc(text[i], out);
	}
	fputc('"', out);
}

static void put_text(FILE *out, const char *text)
{
	put_field(out, text, strlen(text));
}

struct last {
	bool any;
	int64_t time_ns;
};

struct lp_export_csv {
	const struct lp_seen_class *class;
	int *column; /* of the chunk's panel, by column of the file; -1: none */
	struct lp_names hosts;
	struct last *last; /* sample, by host */
	size_t capacity;
};

struct lp_export_csv *lp_export_csv_new(const struct lp_seen_class *class)
{
	struct lp_export_csv *csv = calloc(1, sizeof(*csv));

	if (!csv)
		return NULL;
	csv->class = class;
	csv->column = calloc(class->n_columns + 1, sizeof(*csv->column));
	if (!csv->column) {
		free(csv);
		return NULL;
	}
	return csv;
}

void lp_export_csv_free(struct lp_export_csv *csv)
{
	if (!csv)
		return;
	lp_names_done(&csv->hosts);
	free(csv->last);
	free(csv->column);
	free(csv);
}

void lp_export_csv_header(const struct lp_export_csv *csv, FILE *out)
{
	const struct lp_seen_class *class = csv->class;
	char name[LP_EXPORT_NAME];

	fputs("time,host", out);
	if (class->class && class->class->two_ended)
		fputs(",local", out);
	if (!lp_class_is_host(class->class))
		fprintf(out, ",%s",
			class->class ? class->class->noun : "component");
	for (size_t c = 0; c < class->n_columns; c++) {
		fputc(',', out);
		put_text(out, lp_export_name(class->class, &class->columns[c],
					     name));
	}
	fputc('\n', out);
}

static void put_instance(FILE *out, const struct lp_class *class,
			 const char *instance)
{
	size_t local = lp_export_local(class, instance);

	if (lp_class_is_host(class))
		return;
	fputc(',', out);
	if (class && class->two_ended) {
		put_field(out, instance, local);
		fputc(',', out);
	}
	put_text(out, local ? instance + local + 1 : instance);
}

static void put_value(FILE *out, const struct lp_chunk *chunk,
		      const struct lp_column *column, uint64_t bits)
{
	char text[LP_NUMBER_TEXT];

	if (column->type == LP_TEXT)
		put_text(out, chunk->texts[bits]);
	else if (column->type == LP_U64)
		fprintf(out, "%" PRIu64, bits);
	else if (isfinite(lp_bits_double(bits)))
		fputs(lp_format_double(lp_bits_double(bits), text), out);
}

struct rows {
	FILE *out;
	const struct lp_export_csv *csv;
	const struct lp_chunk *chunk;
	const struct lp_panel *panel;
};

static void match_columns(struct lp_export_csv *csv,
			  const struct lp_panel *panel)
{
	for (size_t c = 0; c < csv->class->n_columns; c++) {
		const struct lp_column *wanted = &csv->class->columns[c];
		int at = lp_panel_column(panel, wanted->name);

		if (at >= 0 && (panel->columns[at].type != wanted->type ||
				panel->columns[at].kind != wanted->kind))
			at = -1;
		csv->column[c] = at;
	}
}

static void put_row(const struct rows *r, const char *time,
		    const struct lp_series *series, size_t sample)
{
	fputs(time, r->out);
	fputc(',', r->out);
	put_text(r->out, r->chunk->host);
	put_instance(r->out, r->csv->class->class, series ? series->name : "");
	for (size_t c = 0; c < r->csv->class->n_columns; c++) {
		int at = r->csv->column[c];

		fputc(',', r->out);
		if (series && at >= 0 &&
		    lp_values_has(&series->values[at], sample))
			put_value(r->out, r->chunk, &r->panel->columns[at],
				  series->values[at].bits[sample]);
	}
	fputc('\n', r->out);
}

/* `again`: the sample before has the same time, so this one is parted. */
static void put_sample(const struct rows *r,
		       const struct lp_selection *selection, size_t sample,
		       bool again)
{
	char time[LP_TIME_TEXT];
	bool any = again;

	lp_time_format(r->chunk->time_ns[sample], time);
	if (again)
		put_row(r, time, NULL, sample);
	for (size_t s = 0; s < r->panel->n_series; s++) {
		const struct lp_series *series = &r->panel->series[s];

		if (!lp_selection_device(selection, series->name) ||
		    !lp_series_has(r->panel, series, sample))
			continue;
		put_row(r, time, series, sample);
		any = true;
	}
	/* A sample in which nothing could be read is a sample, too. */
	if (!any && selection->devices.count == 0)
		put_row(r, time, NULL, sample);
}

static struct last *last_of(struct lp_export_csv *csv, const char *host)
{
	uint32_t count = csv->hosts.count;
	uint32_t id = lp_names_add(&csv->hosts, host);

	if (id == LP_NAME_NONE ||
	    lp_grow(&csv->last, &csv->capacity, csv->hosts.count,
		    sizeof(*csv->last)) < 0)
		return NULL;
	if (id == count)
		csv->last[id] = (struct last){ 0 };
	return &csv->last[id];
}

int lp_export_csv_chunk(struct lp_export_csv *csv,
			const struct lp_selection *selection,
			const struct lp_chunk *chunk, FILE *out)
{
	struct rows r = { .out = out, .csv = csv, .chunk = chunk };
	struct last *last;

	r.panel = lp_chunk_panel(chunk, csv->class->name);
	if (!r.panel || !lp_selection_host(selection, chunk->host))
		return 0;
	last = last_of(csv, chunk->host);
	if (!last)
		return -ENOMEM;
	match_columns(csv, r.panel);
	for (size_t i = 0; i < chunk->n_samples; i++) {
		int64_t time_ns = chunk->time_ns[i];

		if (!lp_selection_time(selection, time_ns))
			continue;
		put_sample(&r, selection, i,
			   last->any && last->time_ns == time_ns);
		*last = (struct last){ true, time_ns };
	}
	return 0;
}
