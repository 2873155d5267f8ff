/* SPDX-License-Identifier: Apache-2.0 */
#include "base/timestamp.h"
#include "io/model/trace.h"
#include "io/report/io_figures.h"
#include "io/report/io_words.h"
#include "report/html_page.h"
#include "report/markup.h"

#include <inttypes.h>
#include <math.h>

#define DENSITIES 6 /* pictures of them */
#define FILES 200   /* rows */

struct page {
	FILE *out;
	const struct lp_io_report *report;
	const struct lp_io_judgement *j;
	unsigned id;
};

static void cell(FILE *out, const char *text, bool number)
{
	fputs(number ? "<td class=\"n\">" : "<td>", out);
	lp_markup_text(out, text);
	fputs("</td>", out);
}

static void count_cell(FILE *out, uint64_t n)
{
	char text[LP_IO_WORD];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	cell(out, text, true);
}

/* ---- the head ---- */

static void put_note(FILE *out, const char *note)
{
	fputs("<p class=\"reason\">", out);
	lp_markup_text(out, note);
	fputs(".</p>\n", out);
}

static void put_verdict(struct page *p)
{
	char remarks[LP_IO_REMARKS][LP_IO_REMARK];
	const struct lp_io_trace *t = p->j->trace;
	char text[512], at[LP_PEOPLE_TEXT], span[LP_IO_WORD];
	struct lp_io_gain gain = lp_io_whole_gain(p->j);
	const char *css = gain.judged.n == 0                   ? ""
			  : gain.n == 0 && lp_io_is_sure(p->j) ? " none"
							       : " undecided";
	size_t n;

	fprintf(p->out, "<header class=\"verdict%s\"><h1>", css);
	lp_markup_text(p->out, lp_io_headline(p->j, text, sizeof(text)));
	fputs("</h1>\n<p class=\"soft\">", p->out);
	if (t->command && *t->command) {
		fputs("<code>", p->out);
		lp_markup_text(p->out, t->command);
		fputs("</code> ", p->out);
	}
	if (t->host && *t->host) {
		fputs("on ", p->out);
		lp_markup_text(p->out, t->host);
	}
	fprintf(p->out, ", %s, %s from the first operation to the last.</p>\n",
		lp_people_time(t->start_ns, at),
		lp_io_time_text((double)p->j->span_ns, span));
	n = lp_io_remarks(p->j, remarks);
	for (size_t i = 0; i < n; i++)
		put_note(p->out, remarks[i]);
	for (size_t i = 0; p->report->notes && p->report->notes[i]; i++)
		put_note(p->out, p->report->notes[i]);
	fputs("</header>\n", p->out);
}

/* ---- tables ---- */

static void put_row(FILE *out, const char *name, const char *css,
		    const struct lp_io_tally *t, const struct lp_io_tally *of)
{
	char text[LP_IO_WORD];

	fputs("<tr><td>", out);
	if (css)
		lp_html_key(out, css, true, name);
	else
		lp_markup_text(out, name);
	fputs("</td>", out);
	count_cell(out, t->n);
	cell(out, lp_io_share_text((double)t->n, (double)of->n, text), true);
	cell(out, lp_io_time_text((double)t->time_ns, text), true);
	cell(out,
	     lp_io_share_text((double)t->time_ns, (double)of->time_ns, text),
	     true);
	cell(out,
	     t->bytes ? lp_io_rate_text((double)t->bytes, (double)t->time_ns,
					text)
		      : "",
	     true);
	fputs("</tr>\n", out);
}

static void open_table(FILE *out, const char *caption, const char *first)
{
	fprintf(out,
		"<div class=\"scroll\" "
		"tabindex=\"0\"><table><caption>%s</caption><thead><tr>"
		"<th>%s</th><th class=\"n\">operations</th><th></th>"
		"<th class=\"n\">time</th><th></th><th class=\"n\">bytes/s"
		"</th></tr></thead><tbody>\n",
		caption, first);
}

static void close_table(FILE *out)
{
	fputs("</tbody></table></div>\n", out);
}

static void put_kinds(struct page *p)
{
	struct lp_io_tally all = lp_io_whole_tally(p->j);

	open_table(p->out, "All operations", "operation");
	for (unsigned kind = 0; kind < LP_IO_KINDS; kind++)
		if (p->j->kind[kind].n > 0)
			put_row(p->out, lp_io_kind_name(kind), NULL,
				&p->j->kind[kind], &all);
	if (p->j->failed.n > 0)
		put_row(p->out, "of these, failed", NULL, &p->j->failed, &all);
	close_table(p->out);
}

static void put_gain(struct page *p, unsigned kind)
{
	const struct lp_io_gain *g = &p->j->gain[kind];
	char real[LP_IO_WORD], can[LP_IO_WORD], save[LP_IO_WORD];

	if (!p->j->has_gain[kind] || g->judged.n == 0)
		return;
	fprintf(p->out, "<p>They moved <strong>%s</strong>; ",
		lp_io_rate_text((double)g->judged.bytes,
				(double)g->judged.time_ns, real));
	fprintf(p->out, "if all are %s, this system reaches %s. ",
		p->j->model->reference,
		lp_io_rate_text((double)g->judged.bytes, g->usual_ns, can));
	fprintf(p->out,
		"%" PRIu64
		" took longer than %s ones. If they were as fast as %s ones, "
		"this would save <strong>%s</strong>.</p>\n",
		g->n, p->j->model->reference, p->j->model->reference,
		lp_io_time_text(g->saving_ns, save));
}

static void put_classes(struct page *p, unsigned kind)
{
	const struct lp_io_judgement *j = p->j;
	struct lp_io_tally all = { .n = 0 };

	if (!j->model || j->classifier.kind[kind].n == 0)
		return;
	for (size_t i = 0; i < j->classifier.n_classes; i++) {
		all.n += j->by_class[kind][i].n;
		all.time_ns += j->by_class[kind][i].time_ns;
	}
	if (all.n == 0)
		return;
	fprintf(p->out, "<h2>%ss by their likely cause</h2>\n",
		kind == LP_IO_READ ? "Read" : "Write");
	open_table(p->out, "", "cause");
	for (size_t i = 0; i < j->classifier.n_classes; i++) {
		char css[24];

		snprintf(css, sizeof(css), "area %s",
			 lp_io_colour(i, j->classifier.n_classes));
		put_row(p->out, j->classifier.name[i], css,
			&j->by_class[kind][i], &all);
	}
	close_table(p->out);
	put_gain(p, kind);
}

/* ---- slow ones, files ---- */

static void put_slow_words(struct page *p)
{
	const struct lp_io_judgement *j = p->j;
	char text[512];

	fprintf(p->out, "<p>%s.", lp_io_slow_text(j, text, sizeof(text)));
	if (*lp_io_lone_text(j, text, sizeof(text))) {
		const struct lp_io_operation *lone =
			&j->trace->operation[j->longest_lone];

		fprintf(p->out, " %s: ", text);
		lp_markup_text(p->out, j->trace->file[lone->file].path);
		fputc('.', p->out);
	}
	fputs("</p>\n", p->out);
}

static void put_slow(struct page *p)
{
	const struct lp_io_judgement *j = p->j;
	char text[LP_IO_WORD];

	fputs("<h2>Unexpectedly slow operations</h2>\n", p->out);
	put_slow_words(p);
	if (j->slow.n == 0)
		return;
	fputs("<div class=\"scroll\" tabindex=\"0\">"
	      "<table><thead><tr><th class=\"n\">at</th><th>operation</th>"
	      "<th class=\"n\">bytes</th><th class=\"n\">offset</th>"
	      "<th class=\"n\">took</th><th class=\"n\">slow over</th>"
	      "<th>file</th></tr></thead><tbody>\n",
	      p->out);
	for (size_t i = 0; i < j->n_slowest; i++) {
		const struct lp_io_operation *o =
			&j->trace->operation[j->slowest[i].operation];

		fputs("<tr>", p->out);
		cell(p->out, lp_io_time_text((double)o->start_ns, text), true);
		cell(p->out, lp_io_kind_name(o->kind), false);
		cell(p->out, lp_io_size_text(o->result, text), true);
		if (o->offset < 0)
			cell(p->out, "–", true);
		else
			count_cell(p->out, (uint64_t)o->offset);
		cell(p->out, lp_io_time_text((double)o->duration_ns, text),
		     true);
		cell(p->out,
		     lp_io_time_text((double)j->slowest[i].limit_ns, text),
		     true);
		cell(p->out, j->trace->file[o->file].path, false);
		fputs("</tr>\n", p->out);
	}
	close_table(p->out);
}

static void put_file_row(struct page *p, const struct lp_io_file_verdict *f)
{
	char text[LP_IO_WORD];

	fputs("<tr><td class=\"wide\">", p->out);
	lp_markup_text(p->out, p->j->trace->file[f->file].path);
	fputs("</td>", p->out);
	count_cell(p->out, f->all.n);
	cell(p->out, lp_io_time_text((double)f->all.time_ns, text), true);
	cell(p->out,
	     lp_io_rate_text((double)f->judged.bytes, (double)f->judged.time_ns,
			     text),
	     true);
	count_cell(p->out, f->slow.n);
	if (f->class) {
		cell(p->out, lp_io_time_text(f->saving_ns, text), true);
		for (size_t i = 0; i < p->j->classifier.n_classes; i++)
			cell(p->out,
			     lp_io_share_text((double)f->class[i].n,
					      (double)f->judged.n, text),
			     true);
	}
	fputs("</tr>\n", p->out);
}

static void put_files(struct page *p)
{
	const struct lp_io_judgement *j = p->j;

	fputs("<h2>Files</h2>\n<div class=\"scroll\" "
	      "tabindex=\"0\"><table><thead><tr>"
	      "<th>file</th><th class=\"n\">operations</th>"
	      "<th class=\"n\">time</th><th class=\"n\">bytes/s</th>"
	      "<th class=\"n\">slow</th>",
	      p->out);
	if (j->model)
		fputs("<th class=\"n\">could save</th>", p->out);
	for (size_t i = 0; j->model && i < j->classifier.n_classes; i++) {
		fputs("<th class=\"n\">", p->out);
		lp_markup_text(p->out, j->classifier.name[i]);
		fputs("</th>", p->out);
	}
	fputs("</tr></thead><tbody>\n", p->out);
	for (size_t i = 0; i < j->n_files && i < FILES; i++)
		if (j->file[i].all.n > 0)
			put_file_row(p, &j->file[i]);
	close_table(p->out);
	if (j->n_files > FILES)
		fprintf(p->out, "<p>%zu more are left out.</p>\n",
			j->n_files - FILES);
}

/* ---- pictures ---- */

static void put_legend(struct page *p)
{
	const struct lp_io_judgement *j = p->j;

	fputs("<div class=\"legend\">", p->out);
	for (size_t i = 0; j->model && i < j->classifier.n_classes; i++) {
		char css[24];

		snprintf(css, sizeof(css), "line %s",
			 lp_io_colour(i, j->classifier.n_classes));
		lp_html_key(p->out, css, false, j->classifier.name[i]);
	}
	if (!j->model) {
		lp_html_key(p->out, "line f0", false, "usual");
		lp_html_key(p->out, "line f7", false, "unexpectedly slow");
	}
	fputs("</div>\n", p->out);
}

static int put_timeline(struct page *p)
{
	int status;

	fputs("<h2>Durations over time</h2>\n<figure>", p->out);
	status = lp_io_draw_timeline(p->out, ++p->id, p->j);
	put_legend(p);
	fputs("</figure>\n", p->out);
	return status;
}

static void put_density(struct page *p, const struct lp_io_group *g)
{
	const struct lp_io_classifier *c =
		p->j->model ? &p->j->classifier : NULL;
	char title[96], size[LP_IO_WORD], time[LP_IO_WORD];

	snprintf(title, sizeof(title), "%zu %s operations of %s bytes, %s",
		 g->series->n, lp_io_kind_name(g->series->kind),
		 lp_io_size_text(g->series->bytes, size),
		 lp_io_time_text((double)g->time_ns, time));
	fputs("<div><h3>", p->out);
	lp_markup_text(p->out, title);
	fputs("</h3>", p->out);
	lp_io_draw_density(p->out, ++p->id, title, &g->clusters, c,
			   g->series->kind, g->series->bytes);
	fputs("</div>\n", p->out);
}

static void put_densities(struct page *p)
{
	const struct lp_io_judgement *j = p->j;

	if (j->n_groups == 0)
		return;
	fputs("<h2>How durations are distributed</h2>\n<figure>"
	      "<div class=\"halves\">\n",
	      p->out);
	for (size_t i = 0; i < j->n_groups && i < DENSITIES; i++)
		put_density(p, &j->group[i]);
	fputs("</div><div class=\"legend\">", p->out);
	lp_html_key(p->out, "curve", false, "density of log durations");
	lp_html_key(p->out, "split", false, "divides two classes");
	fputs("<span class=\"key\"><svg viewBox=\"0 0 22 12\" "
	      "aria-hidden=\"true\"><rect class=\"span\" width=\"22\" "
	      "height=\"12\"/></svg>unexpectedly slow</span></div>\n",
	      p->out);
	if (j->model)
		fputs("<figcaption>Coloured vertical lines show the longest "
		      "duration that the model expects for each "
		      "cause.</figcaption>",
		      p->out);
	fputs("</figure>\n", p->out);
	if (j->n_groups > DENSITIES)
		fprintf(p->out,
			"<p class=\"soft\">The %d of %zu that took most "
			"time.</p>\n",
			DENSITIES, j->n_groups);
}

static void put_models(struct page *p)
{
	const struct lp_io_judgement *j = p->j;
	char at[LP_PEOPLE_TEXT];

	if (!j->model)
		return;
	fputs("<h2>The model</h2>\n<p class=\"soft\">Made on ", p->out);
	lp_markup_text(p->out, j->model->origin.host);
	if (*j->model->origin.directory) {
		fputs(" in ", p->out);
		lp_markup_text(p->out, j->model->origin.directory);
		fputs(" (", p->out);
		lp_markup_text(p->out, j->model->origin.file_system);
		fputs(")", p->out);
	}
	if (j->model->origin.made_ns)
		fprintf(p->out, ", %s",
			lp_people_time(j->model->origin.made_ns, at));
	fputs(".</p>\n<figure><div class=\"halves\">", p->out);
	for (unsigned kind = 0; kind < 2; kind++) {
		if (j->classifier.kind[kind].n == 0)
			continue;
		fprintf(p->out, "<div><h3>%s</h3>", lp_io_kind_name(kind));
		lp_io_draw_model(p->out, ++p->id, &j->classifier, kind);
		fputs("</div>\n", p->out);
	}
	fputs("</div>", p->out);
	put_legend(p);
	fputs("</figure>\n", p->out);
}

int lp_report_io_html(FILE *out, const struct lp_io_report *report,
		      struct lp_error *err)
{
	struct page p = { out, report, report->judgement, 0 };
	char title[160];
	int status;

	snprintf(title, sizeof(title), "limpid: I/O of %.100s",
		 *p.j->trace->command ? p.j->trace->command : report->name);
	lp_html_head(out, title);
	put_verdict(&p);
	put_kinds(&p);
	put_classes(&p, LP_IO_READ);
	put_classes(&p, LP_IO_WRITE);
	status = put_timeline(&p);
	put_densities(&p);
	put_slow(&p);
	put_files(&p);
	put_models(&p);
	fputs("</main></body></html>\n", out);
	return status < 0 ? lp_fail_memory(err) : 0;
}
