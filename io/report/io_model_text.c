/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"
#include "base/timestamp.h"
#include "base/visible.h"
#include "io/model/trace.h"
#include "io/report/io_reports.h"
#include "io/report/io_words.h"
#include "report/wrap.h"

#include <math.h>
#include <string.h>

static int name_width(const struct lp_io_model *m)
{
	size_t width = 6;

	for (size_t i = 0; i < m->n_factors; i++)
		if (strlen(m->factor[i].name) > width)
			width = strlen(m->factor[i].name);
	return (int)width;
}

static void put_name(FILE *out, const char *before, const char *name)
{
	fputs(before, out);
	lp_visible_put(out, name);
}

static void put_origin(FILE *out, const struct lp_io_model *m)
{
	const struct lp_io_origin *o = &m->origin;
	char at[LP_TIME_TEXT], clock[LP_IO_WORD];

	if (o->made_ns)
		fprintf(out, "made:      %s\n", lp_time_format(o->made_ns, at));
	if (*o->host) {
		put_name(out, "host:      ", o->host);
		put_name(out, *o->kernel ? ", Linux " : "", o->kernel);
		fputc('\n', out);
	}
	if (*o->directory) {
		put_name(out, "directory: ", o->directory);
		put_name(out, " (", o->file_system);
		fputs(")\n", out);
	}
	if (m->resolution_ns > 1)
		fprintf(out,
			"clock:     resolution of %s; shorter durations are "
			"unknown\n",
			lp_io_clock_text(m->resolution_ns, clock));
	fprintf(out, "beyond:    %s\n", m->beyond);
	if (*m->reference)
		fprintf(out, "reference: %s\n", m->reference);
}

/* ---- table 3 ---- */

static void put_segment(FILE *out, const struct lp_io_factor *f, bool large,
			int width)
{
	const struct lp_io_segment *s = large ? &f->large : &f->small;
	char text[LP_IO_WORD];

	lp_io_cell(out, lp_io_kind_name(f->kind), -5);
	lp_io_cell(out, f->name, -width);
	lp_io_cell(out, large ? "> 4K" : "<= 4K", -5);
	lp_io_cell(out, lp_io_time_text(s->line.intercept, text), 9);
	snprintf(text, sizeof(text), "%.3g", s->line.slope);
	lp_io_cell(out, text, 8);
	lp_io_cell(out, lp_io_time_text(s->error_ns, text), 9);
	lp_io_cell(out, lp_io_share_text(s->error, 1, text), 7);
	lp_io_cell(out, lp_io_share_text(s->slow, 1, text), 7);
	fprintf(out, "%s\n", lp_io_share_text(s->unexplained, 1, text));
}

static void put_lines(FILE *out, const struct lp_io_model *m)
{
	int width = name_width(m);

	fprintf(out,
		"\nMaximum duration by cause:\n"
		"%*s intercept  ns/byte     error  error %%    slow "
		"unexplained\n",
		12 + width, "");
	for (size_t i = 0; i < m->n_factors; i++) {
		put_segment(out, &m->factor[i], false, width);
		put_segment(out, &m->factor[i], true, width);
	}
}

static void put_odd(FILE *out, const struct lp_io_factor *f,
		    const struct lp_io_size *s)
{
	char size[LP_IO_WORD], limit[LP_IO_WORD], line[LP_IO_WORD];
	char text[512], head[LP_IO_NAME_MAX + 4];

	snprintf(head, sizeof(head), "%s: ", f->name);
	snprintf(text, sizeof(text),
		 "%ss of %s do not fit: they take up to %s, but the other "
		 "sizes predict %s. The line is fitted without them.",
		 lp_io_kind_name(f->kind), lp_io_size_text(s->bytes, size),
		 lp_io_time_text(s->limit_ns, limit),
		 lp_io_time_text(lp_io_limit(f, s->bytes), line));
	fputc('\n', out);
	lp_wrap(out, head, text);
}

static void put_remarks(FILE *out, const struct lp_io_model *m)
{
	for (size_t i = 0; i < m->n_factors; i++) {
		const struct lp_io_factor *f = &m->factor[i];

		for (size_t k = 0; k < f->n_sizes; k++)
			if (f->size[k].use == LP_IO_ODD)
				put_odd(out, f, &f->size[k]);
		if (f->n_few > 0)
			fprintf(out,
				"\n%s: %zu %s of %ss left out: too few "
				"operations for a density.\n",
				f->name, f->n_few,
				lp_plural(f->n_few, "size", "sizes"),
				lp_io_kind_name(f->kind));
	}
}

/* ---- table 1 ---- */

const struct lp_io_size *lp_io_size_of(const struct lp_io_factor *factor,
				       int64_t bytes)
{
	for (size_t i = 0; i < factor->n_sizes; i++)
		if (factor->size[i].bytes == bytes)
			return &factor->size[i];
	return NULL;
}

static int64_t next_size(const struct lp_io_model *m, int64_t above)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < m->n_factors; i++)
		for (size_t k = 0; k < m->factor[i].n_sizes; k++) {
			int64_t bytes = m->factor[i].size[k].bytes;

			if (bytes > above && bytes < next)
				next = bytes;
		}
	return next;
}

size_t lp_io_model_columns(const struct lp_io_model *model,
			   int64_t bytes[LP_IO_COLUMNS])
{
	size_t all = 0, seen = 0, n = 0;

	for (int64_t b = next_size(model, 0); b != INT64_MAX;
	     b = next_size(model, b))
		all++;
	/* Evenly among them, the smallest and the largest always. */
	for (int64_t b = next_size(model, 0);
	     b != INT64_MAX && n < LP_IO_COLUMNS; b = next_size(model, b)) {
		size_t want = all <= LP_IO_COLUMNS
				      ? n
				      : n * (all - 1) / (LP_IO_COLUMNS - 1);

		if (seen++ == want)
			bytes[n++] = b;
	}
	return n;
}

static void put_rates(FILE *out, const struct lp_io_model *m, bool with_slow)
{
	int64_t columns[LP_IO_COLUMNS];
	size_t n = lp_io_model_columns(m, columns);
	int width = name_width(m);
	char text[LP_IO_WORD];

	fprintf(out, "\nThroughput %s, by size:\n%*s ",
		with_slow ? "with the slow operations"
			  : "without unexpectedly slow operations",
		6 + width, "");
	for (size_t c = 0; c < n; c++)
		lp_io_cell(out, lp_io_size_text(columns[c], text), 9);
	fputc('\n', out);
	for (size_t i = 0; i < m->n_factors; i++) {
		lp_io_cell(out, lp_io_kind_name(m->factor[i].kind), -5);
		lp_io_cell(out, m->factor[i].name, -width);
		for (size_t c = 0; c < n; c++) {
			const struct lp_io_size *s =
				lp_io_size_of(&m->factor[i], columns[c]);
			double ns = !s          ? NAN
				    : with_slow ? s->mean_ns
						: s->kept_mean_ns;

			lp_io_cell(
				out,
				lp_io_rate_text((double)columns[c], ns, text),
				9);
		}
		fputc('\n', out);
	}
}

void lp_report_io_model_text(FILE *out, const struct lp_io_model *model)
{
	put_origin(out, model);
	put_lines(out, model);
	put_remarks(out, model);
	put_rates(out, model, false);
	put_rates(out, model, true);
}
