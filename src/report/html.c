/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/timestamp.h"
#include "report/assets.h"
#include "report/html_page.h"
#include "report/markup.h"

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

static void put_headline(FILE *out, const struct lp_diagnosis *d)
{
	const struct lp_finding *worst = d->findings;

	fputs("<h1>", out);
	if (d->outcome == LP_OUTCOME_UNDECIDED) {
		fputs("Cannot tell", out);
	} else if (d->n_findings == 0) {
		fputs("No component differs from its peers", out);
	} else if (lp_diagnosis_components(d) == 1) {
		lp_markup_text(out, worst->component);
		fprintf(out, " differs from its peers: %s",
			lp_finding_text(worst));
	} else {
		fprintf(out,
			"%zu components differ from their peers, the worst is ",
			lp_diagnosis_components(d));
		lp_markup_text(out, worst->component);
	}
	fputs("</h1>\n", out);
	if (d->outcome == LP_OUTCOME_UNDECIDED) {
		fputs("<p class=\"reason\">", out);
		lp_markup_text(out, d->reason);
		fputs("</p>\n", out);
	}
}

/* "await: 41 ms; the median of its 11 peers is 10 ms (IQR 2.5)." */
static void put_numbers(FILE *out, const struct lp_evidence *e)
{
	char own[LP_PEOPLE_TEXT], peers[LP_PEOPLE_TEXT], iqr[LP_PEOPLE_TEXT];

	if (isnan(e->value) || isnan(e->peers_median))
		return;
	fprintf(out, " %s: <strong>%s %s</strong>; ", e->metric->name,
		lp_people_number(e->value, own), e->metric->unit);
	fprintf(out, "the median of its %zu peers is %s %s (IQR %s).",
		e->n_peers, lp_people_number(e->peers_median, peers),
		e->metric->unit, lp_people_number(e->peers_iqr, iqr));
}

static void put_worst(FILE *out, const struct lp_diagnosis *d)
{
	const struct lp_finding *f = d->findings;
	char since[LP_PEOPLE_TEXT], duration[LP_TIME_TEXT];

	if (d->n_findings == 0)
		return;
	fprintf(out, "<p>Cause: <strong>%s</strong>, since %s, for %s%s.",
		lp_cause_name(f->cause), lp_people_time(f->since_ns, since),
		lp_duration_format(f->until_ns - f->since_ns, duration),
		f->lasting ? ", to the end of the recording" : "");
	if (f->n_evidence > 0)
		put_numbers(out, f->evidence);
	fputs("</p>\n", out);
}

static size_t compared(const struct lp_plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_groups; i++)
		if (plan->groups[i].kind == LP_PEERS)
			n += plan->groups[i].n;
	return n;
}

static size_t peer_groups(const struct lp_plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_groups; i++)
		n += plan->groups[i].kind == LP_PEERS;
	return n;
}

static void put_scope(FILE *out, const struct lp_diagnose_input *input,
		      const struct lp_diagnosis *d)
{
	char from[LP_PEOPLE_TEXT], to[LP_PEOPLE_TEXT], span[LP_TIME_TEXT];

	fputs("<p class=\"soft\">", out);
	if (d->last_ns > d->first_ns)
		fprintf(out, "Recorded from %s to %s (%s). ",
			lp_people_time(d->first_ns, from),
			lp_people_time(d->last_ns, to),
			lp_duration_format(d->last_ns - d->first_ns, span));
	fprintf(out, "%zu host%s, %zu components in %zu peer group%s.</p>\n",
		input->plan->n_hosts, input->plan->n_hosts == 1 ? "" : "s",
		compared(input->plan), peer_groups(input->plan),
		peer_groups(input->plan) == 1 ? "" : "s");
}

static void put_verdict(struct lp_page *page)
{
	const struct lp_diagnosis *d = page->diagnosis;
	FILE *out = page->out;

	fprintf(out, "<header class=\"verdict %s\" data-verdict=\"%s\">",
		lp_outcome_name(d->outcome), lp_outcome_name(d->outcome));
	put_headline(out, d);
	put_worst(out, d);
	put_scope(out, page->input, d);
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
	fprintf(out,
		"</a></td><td>%s%s</td><td>%s</td><td>%s%s</td>"
		"<td class=\"n\">%s</td></tr>\n",
		lp_cause_name(f->cause), f->workload ? " (workload)" : "",
		lp_people_time(f->since_ns, since),
		lp_duration_format(f->until_ns - f->since_ns, duration),
		f->lasting ? ", lasting" : "",
		lp_people_number(f->score, score));
}

static void put_list(FILE *out, const struct lp_diagnosis *d)
{
	if (d->n_findings < 2)
		return;
	fputs("<div class=\"scroll\"><table><caption>Findings, the worst "
	      "first</caption><thead><tr><th class=\"n\">#</th>"
	      "<th>component</th><th>cause</th><th>since</th><th>for</th>"
	      "<th class=\"n\">score</th></tr></thead><tbody>\n",
	      out);
	for (size_t i = 0; i < d->n_findings && i < LP_HTML_FINDINGS; i++)
		put_line(out, &d->findings[i], i + 1);
	fputs("</tbody></table></div>\n", out);
	if (d->n_findings > LP_HTML_FINDINGS)
		fprintf(out, "<p>%zu more are left out of this page.</p>\n",
			d->n_findings - LP_HTML_FINDINGS);
}

static const char *title_of(const struct lp_diagnosis *d, char text[128])
{
	if (d->n_findings == 0)
		snprintf(text, 128, "limpid: %s",
			 d->outcome == LP_OUTCOME_UNDECIDED
				 ? "cannot tell"
				 : "no component differs");
	else
		snprintf(text, 128, "limpid: %s, %s", d->findings->component,
			 lp_cause_name(d->findings->cause));
	return text;
}

int lp_report_html(FILE *out, const struct lp_html_report *report,
		   struct lp_error *err)
{
	const struct lp_diagnosis *d = report->diagnosis;
	struct lp_page page = { out, report, report->input, d, 0 };
	char title[128];
	int status = 0;

	lp_html_head(out, title_of(d, title));
	put_verdict(&page);
	put_list(out, d);
	for (size_t i = 0;
	     i < d->n_findings && i < LP_HTML_FINDINGS && status == 0; i++)
		status = lp_html_finding(&page, i);
	if (status == 0)
		status = lp_html_map(&page);
	lp_html_hourly(&page);
	fputs("</main>\n", out);
	lp_html_footer(&page);
	fprintf(out, "<script>%s</script></body></html>\n", lp_asset_report_js);
	return status < 0 ? lp_fail_memory(err) : 0;
}
