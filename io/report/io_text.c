/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"
#include "base/timestamp.h"
#include "base/visible.h"
#include "io/model/trace.h"
#include "io/report/io_reports.h"
#include "io/report/io_words.h"
#include "report/wrap.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void lp_io_put_name(FILE *out, const char *head, const char *name)
{
	fputs(head, out);
	lp_visible_put(out, name);
	fputc('\n', out);
}

static void put_note(FILE *out, const char *note)
{
	char text[1024];

	lp_wrap(out, "note:    ", lp_visible_text(text, sizeof(text), note));
}

static void put_head(FILE *out, const struct lp_io_report *r)
{
	const struct lp_io_judgement *j = r->judgement;
	char text[512], start[LP_TIME_TEXT], span[LP_IO_WORD];
	char remarks[LP_IO_REMARKS][LP_IO_REMARK];
	size_t n;

	fprintf(out, "%s\n\n", lp_io_headline(j, text, sizeof(text)));
	if (j->trace->command && *j->trace->command)
		lp_io_put_name(out, "command:  ", j->trace->command);
	if (j->trace->host && *j->trace->host)
		lp_io_put_name(out, "host:     ", j->trace->host);
	fprintf(out, "start:    %s, %s from the first operation to the last\n",
		lp_time_format(j->trace->start_ns, start),
		lp_io_time_text((double)j->span_ns, span));
	n = lp_io_remarks(j, remarks);
	for (size_t i = 0; i < n; i++)
		put_note(out, remarks[i]);
	for (size_t i = 0; r->notes && r->notes[i]; i++)
		put_note(out, r->notes[i]);
}

static void put_tally(FILE *out, const char *name, int width,
		      const struct lp_io_tally *t, const struct lp_io_tally *of)
{
	char text[LP_IO_WORD];

	lp_io_cell(out, name, width);
	snprintf(text, sizeof(text), "%" PRIu64, t->n);
	lp_io_cell(out, text, 10);
	lp_io_cell(out, lp_io_share_text((double)t->n, (double)of->n, text), 7);
	lp_io_cell(out, lp_io_time_text((double)t->time_ns, text), 9);
	lp_io_cell(
		out,
		lp_io_share_text((double)t->time_ns, (double)of->time_ns, text),
		7);
	lp_io_cell(out,
		   t->bytes ? lp_io_rate_text((double)t->bytes,
					      (double)t->time_ns, text)
			    : "",
		   9);
	fputc('\n', out);
}

#define NAME (-20)

static void put_titles(FILE *out, const char *what)
{
	fputc('\n', out);
	lp_io_cell(out, what, NAME);
	lp_io_cell(out, "operations", 10);
	lp_io_cell(out, "", 7);
	lp_io_cell(out, "time", 9);
	lp_io_cell(out, "", 7);
	fprintf(out, "%9s\n", "bytes/s");
}

static void put_kinds(FILE *out, const struct lp_io_judgement *j)
{
	struct lp_io_tally all = lp_io_whole_tally(j);

	put_titles(out, "operation");
	for (unsigned kind = 0; kind < LP_IO_KINDS; kind++)
		if (j->kind[kind].n > 0)
			put_tally(out, lp_io_kind_name(kind), NAME,
				  &j->kind[kind], &all);
	if (j->failed.n > 0)
		put_tally(out, "(of these, failed)", NAME, &j->failed, &all);
}

static struct lp_io_tally sum_of(const struct lp_io_tally *t, size_t n)
{
	struct lp_io_tally sum = { .n = 0 };

	for (size_t i = 0; i < n; i++) {
		sum.n += t[i].n;
		sum.time_ns += t[i].time_ns;
		sum.bytes += t[i].bytes;
	}
	return sum;
}

static void put_classes(FILE *out, const struct lp_io_judgement *j,
			unsigned kind)
{
	size_t n = j->classifier.n_classes;
	struct lp_io_tally all;
	char title[64];

	if (!j->model || j->classifier.kind[kind].n == 0)
		return;
	all = sum_of(j->by_class[kind], n);
	if (all.n == 0)
		return;
	snprintf(title, sizeof(title), "%ss by cause", lp_io_kind_name(kind));
	put_titles(out, title);
	for (size_t i = 0; i < n; i++)
		if (j->by_class[kind][i].n > 0)
			put_tally(out, j->classifier.name[i], NAME,
				  &j->by_class[kind][i], &all);
}

static void put_gain(FILE *out, const struct lp_io_judgement *j, unsigned kind)
{
	const struct lp_io_gain *g = &j->gain[kind];
	char real[LP_IO_WORD], can[LP_IO_WORD], save[LP_IO_WORD];
	char text[512];

	if (!j->has_gain[kind] || g->judged.n == 0)
		return;
	snprintf(text, sizeof(text),
		 "%s; this system reaches %s if all are %s. %" PRIu64
		 " took longer than %s ones. If they were as fast as %s ones, "
		 "this would save %s.",
		 lp_io_rate_text((double)g->judged.bytes,
				 (double)g->judged.time_ns, real),
		 lp_io_rate_text((double)g->judged.bytes, g->usual_ns, can),
		 j->model->reference, g->n, j->model->reference,
		 j->model->reference, lp_io_time_text(g->saving_ns, save));
	fputc('\n', out);
	lp_wrap(out, kind == LP_IO_READ ? "Reads: " : "Writes: ", text);
}

static void put_group(FILE *out, const struct lp_io_group *g,
		      int64_t resolution_ns)
{
	char text[LP_IO_WORD];

	lp_io_cell(out, lp_io_kind_name(g->series->kind), -6);
	lp_io_cell(out, lp_io_size_text(g->series->bytes, text), 9);
	snprintf(text, sizeof(text), "%zu", g->series->n);
	lp_io_cell(out, text, 10);
	lp_io_cell(out, lp_io_time_text((double)g->time_ns, text), 9);
	lp_io_cell(out, lp_io_time_text((double)g->limit_ns, text), 9);
	snprintf(text, sizeof(text), "%zu", g->clusters.n_slow);
	lp_io_cell(out, text, 7);
	for (size_t i = 0; i < g->clusters.n && i < 4; i++) {
		const struct lp_io_cluster *c = &g->clusters.cluster[i];
		char share[LP_IO_WORD];

		fprintf(out, "%s%s (%s)", i ? ", " : " ",
			lp_io_duration_text(exp(c->peak), resolution_ns, text),
			lp_io_share_text((double)c->n, (double)g->series->n,
					 share));
	}
	fputs(g->clusters.n > 4 ? ", ...\n" : "\n", out);
}

static void put_groups(FILE *out, const struct lp_io_judgement *j)
{
	if (j->n_groups == 0)
		return;
	fputs("\noperation   size operations      time  slow over    slow  "
	      "where durations cluster\n",
	      out);
	for (size_t i = 0; i < j->n_groups && i < LP_IO_GROUPS_SHOWN; i++)
		put_group(out, &j->group[i], j->trace->resolution_ns);
	if (j->n_groups > LP_IO_GROUPS_SHOWN)
		fprintf(out, "... and %zu more sizes\n",
			j->n_groups - LP_IO_GROUPS_SHOWN);
}

static void put_slow(FILE *out, const struct lp_io_judgement *j)
{
	char time[LP_IO_WORD], size[LP_IO_WORD], at[LP_IO_WORD];
	char limit[LP_IO_WORD], text[512];
	const struct lp_io_operation *lone;

	fprintf(out, "\n%s.\n", lp_io_slow_text(j, text, sizeof(text)));
	for (size_t i = 0; i < j->n_slowest && i < 10; i++) {
		const struct lp_io_operation *o =
			&j->trace->operation[j->slowest[i].operation];

		fprintf(out,
			"  at %s: %s of %s, offset %" PRId64
			", took %s (slow over %s): ",
			lp_io_time_text((double)o->start_ns, at),
			lp_io_kind_name(o->kind),
			lp_io_size_text(o->result, size), o->offset,
			lp_io_time_text((double)o->duration_ns, time),
			lp_io_time_text((double)j->slowest[i].limit_ns, limit));
		lp_io_put_name(out, "", j->trace->file[o->file].path);
	}
	if (!*lp_io_lone_text(j, text, sizeof(text)))
		return;
	lone = &j->trace->operation[j->longest_lone];
	fprintf(out, "%s, at %s: ", text,
		lp_io_time_text((double)lone->start_ns, at));
	lp_io_put_name(out, "", j->trace->file[lone->file].path);
}

static void put_file(FILE *out, const struct lp_io_judgement *j,
		     const struct lp_io_file_verdict *f)
{
	char text[LP_IO_WORD], share[LP_IO_WORD];

	lp_io_cell(out, lp_io_time_text((double)f->all.time_ns, text), 9);
	snprintf(text, sizeof(text), "%" PRIu64, f->all.n);
	lp_io_cell(out, text, 10);
	lp_io_cell(out,
		   lp_io_rate_text((double)f->judged.bytes,
				   (double)f->judged.time_ns, text),
		   9);
	lp_io_cell(out, j->model ? lp_io_time_text(f->saving_ns, text) : "–",
		   9);
	snprintf(text, sizeof(text), "%" PRIu64, f->slow.n);
	lp_io_cell(out, text, 6);
	lp_io_put_name(out, "", j->trace->file[f->file].path);
	if (!f->class || f->judged.n == 0)
		return;
	fputs("         ", out);
	for (size_t i = 0; i < j->classifier.n_classes; i++)
		if (f->class[i].n > 0)
			fprintf(out, " %s %s", j->classifier.name[i],
				lp_io_share_text((double)f->class[i].n,
						 (double)f->judged.n, share));
	fputc('\n', out);
}

static void put_files(FILE *out, const struct lp_io_judgement *j)
{
	if (j->n_files == 0)
		return;
	fputs("\n     time operations   bytes/s    saving   slow file\n", out);
	for (size_t i = 0; i < j->n_files && i < LP_IO_FILES_SHOWN; i++)
		if (j->file[i].all.n > 0)
			put_file(out, j, &j->file[i]);
	if (j->n_files > LP_IO_FILES_SHOWN)
		fprintf(out, "... and %zu more files\n",
			j->n_files - LP_IO_FILES_SHOWN);
}

void lp_report_io_text(FILE *out, const struct lp_io_report *report)
{
	const struct lp_io_judgement *j = report->judgement;

	put_head(out, report);
	put_kinds(out, j);
	for (unsigned kind = 0; kind < 2; kind++) {
		put_classes(out, j, kind);
		put_gain(out, j, kind);
	}
	if (j->n_outside > 0)
		fprintf(out,
			"\n%" PRIu64 " of them are smaller or larger than all "
			"sizes in the model.\n",
			j->n_outside);
	put_groups(out, j);
	put_slow(out, j);
	put_files(out, j);
}
