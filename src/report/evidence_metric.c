/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evidence that looks at a metric over a time, beside the peers: also absence,
 * idleness and load that moved, which are seen in a metric.
 */
#include "report/evidence_kind.h"

#include "base/visible.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/verdict.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Less than a percent is no difference. */
#define LIKE_PEERS 0.01

/* ---- text ---- */

/* " (before: 2 % more)": what was, of times that have changed. */
static const char *what_was(const struct lp_evidence *e, char *text,
			    size_t size)
{
	bool times =
		e->metric->role == LP_SERVICE || e->metric->role == LP_LATENCY;

	text[0] = '\0';
	if (times && fabs(e->before) < LIKE_PEERS)
		snprintf(text, size, "; before, it was like them");
	else if (times && !isnan(e->before))
		snprintf(text, size, "; before, it was %.0f %% %s",
			 fabs(100 * expm1(e->before)),
			 e->before > 0 ? "slower" : "faster");
	return text;
}

#define SECTOR_BYTES 512

/* What people read: "17.2 MB/s" for 17200000 B/s. */
static double people_value(const struct lp_metric *metric, double v,
			   const char **unit)
{
	static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s" };
	bool sectors = strcmp(metric->unit, "sectors/s") == 0;
	size_t i = 0;

	*unit = metric->unit;
	if (!sectors && strcmp(metric->unit, "B/s") != 0)
		return v;
	v *= sectors ? SECTOR_BYTES : 1;
	while (i + 1 < sizeof(units) / sizeof(*units) && v >= 1000) {
		v /= 1000;
		i++;
	}
	*unit = units[i];
	return v;
}

static const char *people_text(const struct lp_metric *metric, double v,
			       char text[2 * LP_VALUE_TEXT])
{
	char number[LP_VALUE_TEXT];
	const char *unit;

	v = people_value(metric, v, &unit);
	snprintf(text, (size_t)2 * LP_VALUE_TEXT, "%s %s",
		 lp_value_text(v, number), unit);
	return text;
}

/* "busy time per request: 47 ms; its 5 peers: 41 ms to 43 ms" */
static const char *compare_range(const struct lp_evidence *e,
				 const struct lp_evidence_view *view,
				 char text[LP_SENTENCE_TEXT])
{
	char own[2 * LP_VALUE_TEXT], low[2 * LP_VALUE_TEXT];
	char high[2 * LP_VALUE_TEXT], more[64];
	bool other = strcmp(e->component, view->finding->component) != 0;
	bool equal = e->peers_low == e->peers_high;

	people_text(e->metric, e->peers_low, low);
	people_text(e->metric, e->peers_high, high);
	snprintf(text, LP_SENTENCE_TEXT, "%s%s%s: %s; its %zu peers: %s%s%s%s",
		 e->metric->title ? e->metric->title : e->metric->name,
		 other ? " of " : "", other ? e->component : "",
		 people_text(e->metric, e->value, own), e->n_peers, low,
		 equal ? "" : " to ", equal ? "" : high,
		 what_was(e, more, sizeof(more)));
	return text;
}

/* "await of oss3/sdc: 182 ms; the median of its 95 peers: 9.1 ms" */
static const char *compare(const struct lp_evidence *e,
			   const struct lp_evidence_view *view,
			   char text[LP_SENTENCE_TEXT])
{
	char own[LP_VALUE_TEXT], peers[LP_VALUE_TEXT];
	bool other = strcmp(e->component, view->finding->component) != 0;

	text[0] = '\0';
	if (!isnan(e->value) && e->reference)
		return compare_range(e, view, text);
	if (!isnan(e->value) && !isnan(e->peers_median))
		snprintf(text, LP_SENTENCE_TEXT,
			 "%s%s%s: %s %s; the median of its %zu peers: %s %s",
			 e->metric->name, other ? " of " : "",
			 other ? e->component : "",
			 lp_value_text(e->value, own), e->metric->unit,
			 e->n_peers, lp_value_text(e->peers_median, peers),
			 e->metric->unit);
	return text;
}

/* "await: no samples, while its 95 peers have some" */
static const char *say_absent(const struct lp_evidence *e,
			      const struct lp_evidence_view *view,
			      char text[LP_SENTENCE_TEXT])
{
	bool other = strcmp(e->component, view->finding->component) != 0;

	snprintf(text, LP_SENTENCE_TEXT,
		 "%s%s%s: no samples, while its %zu peers have some",
		 e->metric->name, other ? " of " : "",
		 other ? e->component : "", e->n_peers);
	return text;
}

/*
 * Long names would push the numbers out of their columns: the metric is what
 * matters, the component is the finding's own as a rule.
 */
static void print_line(const struct lp_evidence *e,
		       const struct lp_evidence_view *view, FILE *out)
{
	bool name_method = view->name_method && e->method;
	char value[LP_VALUE_TEXT], peers[LP_VALUE_TEXT], iqr[LP_VALUE_TEXT];
	char distance[LP_VALUE_TEXT], threshold[LP_VALUE_TEXT];
	char windows[32] = "-";

	if (e->windows)
		snprintf(windows, sizeof(windows), "%zu/%zu", e->flagged,
			 e->windows);
	fprintf(out, "    %-8s %8s %8s %8s %8s %9s %8s  %s%s%s%s\n",
		lp_shown(e->metric->name), lp_value_text(e->value, value),
		lp_value_text(e->peers_median, peers),
		lp_value_text(e->peers_iqr, iqr),
		lp_value_text(e->distance, distance),
		lp_value_text(e->threshold, threshold), windows,
		lp_shown(e->metric->unit), e->means ? ", mean" : "",
		name_method ? ", by " : "",
		name_method ? lp_shown(e->method) : "");
}

/* ---- the page ---- */

/* "Busy time per request: 47 ms; its 5 peers: 41 ms to 43 ms." */
static void put_range(const struct lp_evidence *e, FILE *out)
{
	const char *title =
		e->metric->title ? e->metric->title : e->metric->name;
	char text[2 * LP_VALUE_TEXT], more[64];

	fputc(toupper((unsigned char)*title), out);
	lp_markup_text(out, title + 1);
	fputs(": <strong>", out);
	lp_markup_text(out, people_text(e->metric, e->value, text));
	fprintf(out, "</strong>; its %zu peers: ", e->n_peers);
	lp_markup_text(out, people_text(e->metric, e->peers_low, text));
	if (e->peers_low != e->peers_high) {
		fputs(" to ", out);
		lp_markup_text(out,
			       people_text(e->metric, e->peers_high, text));
	}
	fputs(what_was(e, more, sizeof(more)), out);
	fputc('.', out);
}

/* "await: 41 ms; the median of its 11 peers is 10 ms (IQR 2.5)." */
static void put_numbers(const struct lp_evidence *e,
			const struct lp_evidence_view *view, FILE *out)
{
	char own[LP_PEOPLE_TEXT], peers[LP_PEOPLE_TEXT], iqr[LP_PEOPLE_TEXT];

	(void)view;
	if (e->reference) {
		put_range(e, out);
		return;
	}
	lp_markup_text(out, e->metric->name);
	fprintf(out, ": <strong>%s ", lp_people_number(e->value, own));
	lp_markup_text(out, e->metric->unit);
	fprintf(out, "</strong>; the median of its %zu peers is %s ",
		e->n_peers, lp_people_number(e->peers_median, peers));
	lp_markup_text(out, e->metric->unit);
	fprintf(out, " (IQR %s).", lp_people_number(e->peers_iqr, iqr));
}

static void put_number(FILE *out, double v)
{
	char text[LP_PEOPLE_TEXT];

	fprintf(out, "<td class=\"n\">%s</td>", lp_people_number(v, text));
}

/* "8.4 ×": how many times the peers' median. */
static void put_ratio(FILE *out, const struct lp_evidence *e)
{
	double ratio = e->value / e->peers_median;
	char text[LP_PEOPLE_TEXT];

	if (isfinite(ratio) && e->peers_median > 0)
		fprintf(out, "<td class=\"n\">%s ×</td>",
			lp_people_number(ratio, text));
	else
		put_number(out, NAN);
}

static const char *verdict_of(const struct lp_evidence *e)
{
	if (e->accuses)
		return "accuses";
	if (e->anomalous)
		return "differs, supports";
	return e->method ? "does not differ" : "for comparison";
}

static void put_threshold(FILE *out, const struct lp_evidence *e)
{
	char text[LP_PEOPLE_TEXT];

	if (!e->method) {
		fputs("<td class=\"n\">–</td><td class=\"n\">–</td>"
		      "<td class=\"n\">–</td><td class=\"n\">–</td>",
		      out);
		return;
	}
	put_number(out, e->distance);
	fprintf(out, "<td class=\"n\">%s <span class=\"soft\">%s</span></td>",
		lp_people_number(e->threshold, text),
		e->trained ? "trained" : "default");
	if (isnan(e->share_over))
		put_number(out, NAN);
	else
		fprintf(out, "<td class=\"n\">%.0f %%</td>",
			100 * e->share_over);
	fprintf(out, "<td class=\"n\">%zu of %zu</td>", e->flagged, e->windows);
}

static void put_row(const struct lp_evidence *e,
		    const struct lp_evidence_view *view, FILE *out)
{
	fprintf(out, "<tr%s><td title=\"",
		e->accuses ? " class=\"accuses\"" : "");
	lp_markup_text(out, e->metric->help);
	fputs("\">", out);
	lp_markup_text(out, e->metric->name);
	if (strcmp(e->component, view->finding->component) != 0) {
		fputs(" <span class=\"soft\">of ", out);
		lp_markup_text(out, e->component);
		fputs("</span>", out);
	}
	fputs("</td>", out);
	put_number(out, e->value);
	put_number(out, e->peers_median);
	put_ratio(out, e);
	put_number(out, e->peers_iqr);
	fputs("<td>", out);
	lp_markup_text(out, e->metric->unit);
	if (e->means)
		fputs(", mean", out);
	fputs("</td>", out);
	put_threshold(out, e);
	fprintf(out, "<td>%s", verdict_of(e));
	if (e->method) {
		fputs(" <span class=\"soft\">by ", out);
		lp_markup_text(out, e->method);
		fputs("</span>", out);
	}
	fputs("</td></tr>\n", out);
}

static int put_figure(const struct lp_evidence *e, struct lp_page *page)
{
	return e->picture ? lp_html_figures(page, e) : 0;
}

/* ---- the kinds ---- */

const struct lp_evidence_kind lp_evidence_metric = {
	.name = LP_EVIDENCE_METRIC,
	.of_metric = true,
	.sentence = compare,
	.line = print_line,
	.row = put_row,
	.summary = put_numbers,
	.figure = put_figure,
};

const struct lp_evidence_kind lp_evidence_absence = {
	.name = LP_EVIDENCE_ABSENCE,
	.told = true,
	.of_metric = true,
	.sentence = say_absent,
	.line = print_line,
	.row = put_row,
	.figure = put_figure,
};

const struct lp_evidence_kind lp_evidence_idleness = {
	.name = LP_EVIDENCE_IDLENESS,
	.of_metric = true,
	.sentence = compare,
	.line = print_line,
	.row = put_row,
	.summary = put_numbers,
	.figure = put_figure,
};

const struct lp_evidence_kind lp_evidence_moved = {
	.name = LP_EVIDENCE_MOVED,
	.of_metric = true,
	.sentence = compare,
	.line = print_line,
	.row = put_row,
	.summary = put_numbers,
	.figure = put_figure,
};
