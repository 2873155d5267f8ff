/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/number.h"
#include "base/timestamp.h"
#include "report/assets.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/verdict.h"

#include <math.h>

/* Nothing is loaded, and nothing runs but our own script: names come from
   outside, and this holds even if one were not escaped. */
void lp_html_head(FILE *out, const char *title)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head>"
		"<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" "
		"content=\"default-src 'none'; style-src '%s'; "
		"script-src '%s'\">\n"
		"<meta name=\"viewport\" "
		"content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"generator\" content=\"limpid %s\">\n<title>",
		lp_asset_report_css_hash, lp_asset_report_js_hash,
		LIMPID_VERSION);
	lp_markup_text(out, title);
	fprintf(out, "</title><style>%s</style></head>\n<body><main>\n",
		lp_asset_report_css);
}

/* ---- the verdict ---- */

static void put_headline(FILE *out, const struct lp_findings *d)
{
	const struct lp_finding *worst = d->items;

	fputs("<h1>", out);
	if (d->outcome == LP_OUTCOME_UNDECIDED) {
		fputs("Cannot tell", out);
	} else if (d->n == 0) {
		fputs("No component differs from its peers", out);
	} else if (lp_findings_components(d) == 1) {
		lp_markup_text(out, worst->component);
		fputs(": ", out);
		lp_markup_text(out, worst->words.title);
	} else {
		fprintf(out,
			"%zu components differ from their peers. The worst: ",
			lp_findings_components(d));
		lp_markup_text(out, worst->component);
		fputs(", ", out);
		lp_markup_text(out, worst->words.title);
	}
	if (d->outcome != LP_OUTCOME_UNDECIDED)
		fputs(lp_verdict_ground(d), out);
	fputs("</h1>\n", out);
	if (d->outcome == LP_OUTCOME_UNDECIDED) {
		fputs("<p class=\"reason\">", out);
		lp_markup_text(out, d->reason);
		fputs("</p>\n", out);
	}
}

/* What the first evidence says, unless the finding's own text does. */
static void put_first(const struct lp_page *page, const struct lp_finding *f)
{
	const struct lp_evidence_view view = { .finding = f };
	const struct lp_evidence *e = f->evidence;
	const struct lp_evidence_kind *kind =
		lp_evidence_kind_of(page->kinds, e);
	char text[LP_SENTENCE_TEXT];
	const char *sentence = lp_evidence_sentence(kind, e, &view, text);

	if (kind->told || !*sentence)
		return;
	fputc(' ', page->out);
	if (kind->summary) {
		kind->summary(e, &view, page->out);
		return;
	}
	lp_markup_text(page->out, sentence);
	fputc('.', page->out);
}

static void put_worst(const struct lp_page *page)
{
	const struct lp_findings *d = page->findings;
	FILE *out = page->out;
	const struct lp_finding *f = d->items;
	static const struct lp_zone utc;
	char since[LP_PEOPLE_TEXT], until[LP_PEOPLE_TEXT];
	char duration[LP_TIME_TEXT], bounds[LP_BOUNDS_TEXT];

	if (d->n == 0)
		return;
	fputs("<p>", out);
	lp_markup_text(out, f->words.text);
	fprintf(out, ". From %s to %s%s (%s%s).",
		lp_people_time(f->since_ns, since),
		lp_people_time(f->until_ns, until),
		f->lasting ? ", the end of the recording" : "",
		lp_duration_format(f->until_ns - f->since_ns, duration),
		f->unjudged ? " or longer" : "");
	fprintf(out, "%s%s", f->dated ? " " : "",
		lp_verdict_bounds(f, &utc, bounds));
	if (f->n_evidence > 0)
		put_first(page, f);
	fputs("</p>\n", out);
}

static void put_scope(FILE *out, const struct lp_findings *d)
{
	char from[LP_PEOPLE_TEXT], to[LP_PEOPLE_TEXT], span[LP_TIME_TEXT];

	fputs("<p class=\"soft\">", out);
	if (d->last_ns > d->first_ns)
		fprintf(out, "Recorded from %s to %s (%s). ",
			lp_people_time(d->first_ns, from),
			lp_people_time(d->last_ns, to),
			lp_duration_format(d->last_ns - d->first_ns, span));
	fprintf(out, "%zu %s, %zu %s in %zu %s.</p>\n", d->n_hosts,
		lp_plural(d->n_hosts, "host", "hosts"), d->n_components,
		lp_plural(d->n_components, "component", "components"),
		d->n_groups,
		lp_plural(d->n_groups, "peer group", "peer groups"));
}

static void put_verdict(struct lp_page *page)
{
	const struct lp_findings *d = page->findings;
	FILE *out = page->out;

	fprintf(out,
		"<header id=\"top\" class=\"verdict %s\" "
		"data-verdict=\"%s\">",
		lp_outcome_name(d->outcome), lp_outcome_name(d->outcome));
	put_headline(out, d);
	put_worst(page);
	put_scope(out, d);
	fputs("</header>\n", out);
}

/* ---- all findings at a glance ---- */

static void put_line(FILE *out, const struct lp_finding *f, size_t number)
{
	char since[LP_PEOPLE_TEXT], score[LP_PEOPLE_TEXT];
	char duration[LP_TIME_TEXT];

	fprintf(out,
		"<tr><td class=\"n\">%zu</td><td><a class=\"name\" "
		"href=\"#f%zu\">",
		number, number);
	lp_markup_text(out, f->component);
	fputs("</a></td><td>", out);
	lp_markup_text(out, f->words.title);
	fprintf(out,
		"%s</td><td>%s</td><td>%s%s</td>"
		"<td class=\"n\">%s</td></tr>\n",
		f->workload ? " (workload)" : "",
		lp_people_time(f->since_ns, since),
		lp_duration_format(f->until_ns - f->since_ns, duration),
		f->lasting    ? ", lasting"
		: f->unjudged ? " or longer"
			      : "",
		lp_people_number(f->score, score));
}

static void put_list(FILE *out, const struct lp_findings *d)
{
	if (d->n < 2)
		return;
	fputs("<section id=\"findings\"><h2>Findings, the worst first</h2>\n"
	      "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th "
	      "class=\"n\">#</th>"
	      "<th>component</th><th>cause</th><th>since</th><th>for</th>"
	      "<th class=\"n\">score</th></tr></thead><tbody>\n",
	      out);
	for (size_t i = 0; i < d->n && i < LP_HTML_FINDINGS; i++)
		put_line(out, &d->items[i], i + 1);
	fputs("</tbody></table></div>\n", out);
	if (d->n > LP_HTML_FINDINGS)
		fprintf(out, "<p>%zu more are left out of this page.</p>\n",
			d->n - LP_HTML_FINDINGS);
	fputs("</section>\n", out);
}

/* ---- where things are ---- */

static void put_contents(FILE *out, const struct lp_findings *d)
{
	fputs("<nav aria-label=\"Contents\"><ul>", out);
	if (d->map)
		fputs("<li><a href=\"#map\">When each component differed</a>"
		      "</li>",
		      out);
	if (d->n > 1)
		fprintf(out, "<li><a href=\"#findings\">%zu findings</a></li>",
			d->n);
	else if (d->n == 1)
		fputs("<li><a href=\"#f1\">The finding and its evidence</a>"
		      "</li>",
		      out);
	if (d->n_hourly > 0)
		fputs("<li><a href=\"#hourly\">Hour by hour</a></li>", out);
	fputs("<li><a href=\"#method\">How it was found, and what was left "
	      "out</a></li></ul></nav>\n",
	      out);
}

static const char *title_of(const struct lp_findings *d, char text[128])
{
	if (d->n == 0)
		snprintf(text, 128, "limpid: %s",
			 d->outcome == LP_OUTCOME_UNDECIDED
				 ? "cannot tell"
				 : "no component differs");
	else
		snprintf(text, 128, "limpid: %s, %s", d->items->component,
			 d->items->words.name);
	return text;
}

const struct lp_outkind lp_outkind_page = {
	.name = "an HTML page by limpid",
	.beginnings = (const char *const[]){ "<!DOCTYPE html>", NULL },
	.holds = "<meta name=\"generator\" content=\"limpid ",
};

int lp_report_html(FILE *out, const struct lp_findings *d,
		   const struct lp_evidence_kind *const *kinds,
		   struct lp_error *err)
{
	struct lp_page page = { .out = out, .findings = d, .kinds = kinds };
	char title[128];
	int status = 0;

	lp_html_head(out, title_of(d, title));
	put_verdict(&page);
	put_contents(out, d);
	status = lp_html_map(&page);
	put_list(out, d);
	for (size_t i = 0; i < d->n && i < LP_HTML_FINDINGS && status == 0; i++)
		status = lp_html_finding(&page, i);
	lp_html_hourly(&page);
	fputs("</main>\n", out);
	if (status == 0)
		status = lp_html_footer(&page);
	fprintf(out, "<script>%s</script></body></html>\n", lp_asset_report_js);
	return status < 0 ? lp_fail_memory(err) : 0;
}
