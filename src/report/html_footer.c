/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COMPARISONS 400 /* rows of the table of what was compared */

static void put_own_method(FILE *out, const struct lp_findings *d,
			   const struct lp_method *p)
{
	char limit[LP_LIMIT_TEXT], block[LP_TIME_TEXT];

	fputs("<li><strong>", out);
	lp_markup_text(out, p->name);
	fputs("</strong> (", out);
	lp_markup_text(out, p->help);
	fprintf(out, "): in blocks of %s. ",
		lp_duration_format(p->block_ns, block));
	lp_markup_text(out, lp_verdict_limit(d, limit));
	fputs(".</li>\n", out);
}

static void put_method(FILE *out, const struct lp_findings *d,
		       const struct lp_method *p)
{
	char step[LP_TIME_TEXT], window[LP_TIME_TEXT], shift[LP_TIME_TEXT];

	fputs("<li><strong>", out);
	lp_markup_text(out, p->name);
	fputs("</strong> (", out);
	lp_markup_text(out, p->help);
	fprintf(out,
		"): one value every %s, moving average over %zu %s. "
		"Windows have %zu %s (%s), and a new one begins every %zu "
		"(%s). ",
		lp_duration_format(d->step_ns, step), p->smooth,
		lp_plural(p->smooth, "value", "values"), p->window,
		lp_plural(p->window, "value", "values"),
		lp_duration_format((int64_t)p->window * d->step_ns, window),
		p->shift,
		lp_duration_format((int64_t)p->shift * d->step_ns, shift));
	if (p->k == 1)
		fputs("A component is anomalous if one window differs.</li>\n",
		      out);
	else
		fprintf(out,
			"A component is anomalous if %zu of %zu windows "
			"differ.</li>\n",
			p->k, 2 * p->k - 1);
}

static void put_thresholds(struct lp_page *page)
{
	FILE *out = page->out;

	if (!page->findings->trained) {
		fputs("<li>Thresholds: the defaults, not trained. <code>limpid "
		      "train</code> can fit them to hours of healthy "
		      "recordings.</li>\n",
		      out);
		return;
	}
	fputs("<li>Thresholds: trained", out);
	if (*page->findings->trained_on) {
		fputs(" on ", out);
		lp_markup_text(out, page->findings->trained_on);
	}
	fputs(". The table below says how many components have a trained "
	      "one.</li>\n",
	      out);
}

static void put_methods(struct lp_page *page)
{
	const struct lp_findings *d = page->findings;

	fputs("<h3>Method</h3><ul>\n", page->out);
	for (size_t i = 0; i < d->n_methods; i++) {
		if (d->methods[i].block_ns > 0)
			put_own_method(page->out, d, &d->methods[i]);
		else
			put_method(page->out, d, &d->methods[i]);
	}
	if (!lp_verdict_is_own(d) || d->n_methods > 1)
		put_thresholds(page);
	fputs("</ul>\n", page->out);
}

static void put_reach(FILE *out, const struct lp_findings *d)
{
	char least[LP_TIME_TEXT], sure[LP_TIME_TEXT], needed[LP_TIME_TEXT];
	char seen[LP_SEEN_TEXT];

	if (*lp_verdict_seen(d, seen)) {
		fprintf(out,
			"<h3>What can be detected</h3><p>The least that would "
			"have been accused: %s.</p>\n",
			seen);
		return;
	}
	if (d->sure_ns <= 0)
		return;
	fprintf(out,
		"<h3>What can be detected</h3><p>A fault must last %s to be "
		"detected sometimes, unless it is extreme. If it lasts %s and "
		"is strong enough, it is always detected. A recording must "
		"cover at least %s.</p>\n",
		lp_duration_format(d->least_ns, least),
		lp_duration_format(d->sure_ns, sure),
		lp_duration_format(d->needed_ns, needed));
}

static void put_comparison(FILE *out, const struct lp_comparison *c)
{
	char number[LP_PEOPLE_TEXT];

	fputs("<tr><td class=\"wide\">", out);
	lp_markup_text(out, c->group);
	fputs("</td><td>", out);
	lp_markup_text(out, c->metric);
	if (!c->values)
		fputs(" (no values)", out);
	fprintf(out, "</td><td class=\"n\">%zu</td><td>", c->n);
	lp_markup_text(out, c->method);
	fputs("</td><td>", out);
	if (c->n_trained == 0)
		fprintf(out, "%s, default",
			lp_people_number(c->threshold, number));
	else
		fprintf(out, "%zu of %zu trained", c->n_trained, c->n);
	fprintf(out,
		"</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td>"
		"<td class=\"n\">%zu</td></tr>\n",
		c->windows, c->n_compared, c->n_split);
}

static size_t count_compared(const struct lp_findings *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_comparisons; i++)
		n += d->comparisons[i].values;
	return n;
}

static void put_compared(FILE *out, const struct lp_findings *d)
{
	fprintf(out,
		"<details><summary>What was compared: %zu combinations of a "
		"metric and a peer group</summary><div "
		"class=\"scroll\" tabindex=\"0\"><table><thead><tr>"
		"<th>peer group</th><th>metric</th><th class=\"n\">components"
		"</th><th>method</th><th>threshold</th><th class=\"n\">windows"
		"</th><th class=\"n\">compared</th><th class=\"n\">undecided"
		"</th></tr></thead><tbody>\n",
		count_compared(d));
	for (size_t i = 0; i < d->n_comparisons && i < COMPARISONS; i++)
		put_comparison(out, &d->comparisons[i]);
	fputs("</tbody></table></div>", out);
	if (d->n_comparisons > COMPARISONS)
		fprintf(out, "<p>and %zu more</p>",
			d->n_comparisons - COMPARISONS);
	fputs("</details>\n", out);
}

/* ---- what was left out, by reason ---- */

static int by_reason(const void *a, const void *b)
{
	const struct lp_not_compared *x =
		*(const struct lp_not_compared *const *)a;
	const struct lp_not_compared *y =
		*(const struct lp_not_compared *const *)b;
	int order = strcmp(x->reason, y->reason);

	return order ? order : strverscmp(x->component, y->component);
}

/* The names that share the reason of the first; how many there are. */
static size_t put_reason(FILE *out, const struct lp_not_compared *const *list,
			 size_t n, size_t room)
{
	size_t same = 1;

	while (same < n && strcmp(list[same]->reason, list[0]->reason) == 0)
		same++;
	fputs("<h4>", out);
	lp_markup_text(out, list[0]->reason);
	fprintf(out, " (%zu)</h4><ul class=\"names\">", same);
	for (size_t i = 0; i < same && i < room; i++) {
		fputs("<li>", out);
		lp_markup_text(out, list[i]->component);
		fputs("</li>\n", out);
	}
	if (same > room)
		fprintf(out, "<li>and %zu more</li>", same - room);
	fputs("</ul>\n", out);
	return same;
}

static int put_left_out(FILE *out, const struct lp_findings *d)
{
	size_t n = d->n_left_out;
	lp_auto_free const struct lp_not_compared **list =
		calloc(n + 1, sizeof(*list));
	size_t room = LP_HTML_NAMES;

	if (!list)
		return -ENOMEM;
	if (n == 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		list[i] = &d->left_out[i];
	qsort(list, n, sizeof(const void *), by_reason);
	fprintf(out,
		"<details id=\"left-out\"><summary>What was left out: %zu "
		"%s</summary>\n",
		n, lp_plural(n, "component", "components"));
	for (size_t i = 0, same; i < n; i += same) {
		same = put_reason(out, list + i, n - i, room);
		room -= same < room ? same : room;
	}
	fputs("</details>\n", out);
	return 0;
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

static void put_notes(FILE *out, const struct lp_findings *d)
{
	size_t n = 0;

	fputs("<h3>Notes</h3><ul>\n", out);
	for (size_t i = 0; i < d->n_notes; i++)
		n += put_note(out, d->notes[i]);
	fputs(n ? "</ul>\n" : "<li>none</li></ul>\n", out);
}

int lp_html_footer(struct lp_page *page)
{
	FILE *out = page->out;
	int status;

	fputs("<footer id=\"method\"><h2>How it was found</h2>\n", out);
	if (page->findings->n_comparisons > 0) {
		put_methods(page);
		put_reach(out, page->findings);
	}
	put_notes(out, page->findings);
	put_compared(out, page->findings);
	status = put_left_out(out, page->findings);
	fprintf(out,
		"<p>Limits of this page: %d points per line, %d peers per "
		"picture, pictures of the first %d findings, %d rows in the "
		"map. Where "
		"a limit leaves something out, the page says so. Times are "
		"UTC. To read values from a picture, point at it, or select it "
		"with the Tab key and press the arrow keys.</p>"
		"<p><a href=\"#top\">Back to the top</a> · limpid %s</p>"
		"</footer>\n",
		LP_PICTURE_POINTS, LP_PICTURE_LINES, LP_PICTURE_FINDINGS,
		LP_MAP_ROWS, LIMPID_VERSION);
	return status;
}
