/* SPDX-License-Identifier: Apache-2.0 */
#include "base/timestamp.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/slots.h"

#define UNITS 400 /* rows of the table of what was compared */

static bool is_first_of_method(const struct lp_diagnosis *d, size_t u)
{
	for (size_t i = 0; i < u; i++)
		if (d->units[i].detector == d->units[u].detector)
			return false;
	return true;
}

static void put_method(FILE *out, const struct lp_diagnosis *d,
		       const struct lp_unit *unit)
{
	const struct lp_detector_params *p = &unit->params;
	char step[LP_TIME_TEXT], window[LP_TIME_TEXT], shift[LP_TIME_TEXT];

	fputs("<li><strong>", out);
	lp_markup_text(out, unit->detector->name);
	fputs("</strong> (", out);
	lp_markup_text(out, unit->detector->help);
	fprintf(out,
		"): values every %s, moving average over %zu, windows of %zu "
		"(%s) shifted by %zu (%s); anomalous if %u of %u windows are "
		"flagged.</li>\n",
		lp_duration_format(d->step_ns, step), p->smooth, p->window,
		lp_duration_format((int64_t)p->window * d->step_ns, window),
		p->shift,
		lp_duration_format((int64_t)p->shift * d->step_ns, shift), p->k,
		2 * p->k - 1);
}

static void put_thresholds(struct lp_page *page)
{
	FILE *out = page->out;

	if (!page->diagnosis->trained) {
		fputs("<li>Thresholds: untrained defaults; <code>limpid train"
		      "</code> on a healthy stress test makes them fit.</li>\n",
		      out);
		return;
	}
	fputs("<li>Thresholds: trained", out);
	if (page->report->trained_on && *page->report->trained_on) {
		fputs(" on ", out);
		lp_markup_text(out, page->report->trained_on);
	}
	fputs("; the table below says for how many.</li>\n", out);
}

static void put_methods(struct lp_page *page)
{
	const struct lp_diagnosis *d = page->diagnosis;

	fputs("<h3>Method</h3><ul>\n", page->out);
	for (size_t u = 0; u < d->n_units; u++)
		if (is_first_of_method(d, u))
			put_method(page->out, d, &d->units[u]);
	put_thresholds(page);
	fputs("</ul>\n", page->out);
}

static void put_reach(FILE *out, const struct lp_diagnosis *d)
{
	char least[LP_TIME_TEXT], sure[LP_TIME_TEXT], needed[LP_TIME_TEXT];

	if (d->reach.sure_ns <= 0)
		return;
	fprintf(out,
		"<h3>What could be seen</h3><p>The shortest fault that could "
		"have been seen lasts %s, unless it is extreme; one of %s is "
		"seen for certain if it is strong enough. A recording must "
		"last %s at least.</p>\n",
		lp_duration_format(d->reach.least_ns, least),
		lp_duration_format(d->reach.sure_ns, sure),
		lp_duration_format(d->reach.needed_ns, needed));
}

static void put_unit(FILE *out, const struct lp_unit *unit)
{
	char number[LP_PEOPLE_TEXT];

	fputs("<tr><td class=\"wide\">", out);
	lp_markup_text(out, unit->group->name);
	fputs("</td><td>", out);
	lp_markup_text(out, unit->metric->name);
	fprintf(out, "</td><td class=\"n\">%zu</td><td>%s</td><td>",
		unit->group->n, unit->detector->name);
	if (unit->n_trained == 0)
		fprintf(out, "%s, default",
			lp_people_number(unit->params.threshold, number));
	else
		fprintf(out, "%zu of %zu trained", unit->n_trained,
			unit->group->n);
	fprintf(out,
		"</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td>"
		"<td class=\"n\">%zu</td></tr>\n",
		unit->windows, unit->n_compared, unit->n_split);
}

static void put_compared(FILE *out, const struct lp_diagnosis *d)
{
	fprintf(out,
		"<details><summary>What was compared: %zu times a metric of a "
		"peer group</summary><div class=\"scroll\"><table><thead><tr>"
		"<th>peer group</th><th>metric</th><th class=\"n\">components"
		"</th><th>method</th><th>threshold</th><th class=\"n\">windows"
		"</th><th class=\"n\">compared</th><th class=\"n\">undecided"
		"</th></tr></thead><tbody>\n",
		d->n_units);
	for (size_t u = 0; u < d->n_units && u < UNITS; u++)
		put_unit(out, &d->units[u]);
	fputs("</tbody></table></div>", out);
	if (d->n_units > UNITS)
		fprintf(out, "<p>and %zu more</p>", d->n_units - UNITS);
	fputs("</details>\n", out);
}

static void put_left_out(FILE *out, const struct lp_plan *plan)
{
	if (plan->n_left_out == 0)
		return;
	fprintf(out,
		"<details><summary>What was left out: %zu components</summary>"
		"<ul class=\"names\">",
		plan->n_left_out);
	for (size_t i = 0; i < plan->n_left_out && i < LP_HTML_NAMES; i++) {
		fputs("<li>", out);
		lp_markup_text(out, plan->left_out[i].label);
		fputs(": ", out);
		lp_markup_text(out, plan->left_out[i].reason);
		fputs("</li>\n", out);
	}
	if (plan->n_left_out > LP_HTML_NAMES)
		fprintf(out, "<li>and %zu more</li>",
			plan->n_left_out - LP_HTML_NAMES);
	fputs("</ul></details>\n", out);
}

static size_t put_note(FILE *out, const char *note)
{
	if (!*note)
		return 0;
	fputs("<li>", out);
	lp_markup_text(out, note);
	fputs("</li>\n", out);
	return 1;
}

static void put_notes(struct lp_page *page)
{
	const char *const *given = page->report->notes;
	const struct lp_diagnosis *d = page->diagnosis;
	const struct lp_plan *plan = page->input->plan;
	FILE *out = page->out;
	size_t n = 0;

	fputs("<h3>Notes</h3><ul>\n", out);
	for (size_t i = 0; given && given[i]; i++)
		n += put_note(out, given[i]);
	for (size_t i = 0; i < d->n_notes; i++)
		n += put_note(out, d->notes[i]);
	for (size_t i = 0; i < plan->n_notes; i++)
		n += put_note(out, plan->notes[i]);
	fputs(n ? "</ul>\n" : "<li>none</li></ul>\n", out);
}

void lp_html_footer(struct lp_page *page)
{
	FILE *out = page->out;

	fputs("<footer><h2>How it was found</h2>\n", out);
	if (page->diagnosis->n_units > 0) {
		put_methods(page);
		put_reach(out, page->diagnosis);
	}
	put_notes(page);
	put_compared(out, page->diagnosis);
	put_left_out(out, page->input->plan);
	fprintf(out,
		"<p>This page draws at most %d points a line, %d peers a "
		"figure, figures of the first %d findings and %d rows of the "
		"map; where that leaves something out, it says so. Times are "
		"UTC. IQR: third less first quartile.</p>"
		"<p>limpid %s</p></footer>\n",
		LP_SLOT_POINTS, LP_HTML_PEERS, LP_HTML_PICTURED, LP_HTML_ROWS,
		LIMPID_VERSION);
}
