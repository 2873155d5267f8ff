/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What persists, hour by hour (thesis 3.4, figure 5.3): a row an hour, the
 * first of the list with their accumulators.
 */
#include "report/html_page.h"

#include "report/markup.h"

/* Hours from the last one back, and names in each. */
#define HOURS 48
#define NAMES 5

/* The first entry of the hour that holds entry i. */
static size_t hour_begin(const struct lp_findings *d, size_t i)
{
	while (i > 0 && d->hourly[i - 1].time_ns == d->hourly[i].time_ns)
		i--;
	return i;
}

/* Where the list begins when only the last hours are shown. */
static size_t first_shown(const struct lp_findings *d)
{
	size_t first = d->n_hourly;

	for (size_t hours = 0; hours < HOURS && first > 0; hours++)
		first = hour_begin(d, first - 1);
	return first;
}

static void put_entry(FILE *out, const struct lp_persistent *p)
{
	fputs("<td title=\"", out);
	lp_markup_text(out, p->group);
	fputs("\">", out);
	lp_markup_text(out, p->component);
	fprintf(out, " <span class=\"soft\">%zu</span></td>", p->value);
}

/* The row of the hour that begins with entry i; where the next begins. */
static size_t put_hour(FILE *out, const struct lp_findings *d, size_t i)
{
	int64_t time_ns = d->hourly[i].time_ns;
	char text[LP_PEOPLE_TEXT];
	size_t n = 0;

	fprintf(out, "<tr><td>%s</td>", lp_people_time(time_ns, text));
	for (; i < d->n_hourly && d->hourly[i].time_ns == time_ns; i++)
		if (n++ < NAMES)
			put_entry(out, &d->hourly[i]);
	for (size_t k = n; k < NAMES; k++)
		fputs("<td></td>", out);
	fputs("</tr>\n", out);
	return i;
}

void lp_html_hourly(struct lp_page *page)
{
	const struct lp_findings *d = page->findings;
	size_t first = first_shown(d);
	FILE *out = page->out;

	if (d->n_hourly == 0)
		return;
	fprintf(out,
		"<section class=\"hourly\" id=\"hourly\">"
		"<h2>Hour by hour</h2>"
		"<p>Which components differed for longest. The count rises by "
		"one for each window in which a component differs "
		"persistently, and falls by one for each in which it does "
		"not. The table shows the %d highest counts at the end of "
		"each hour%s.</p>\n"
		"<div class=\"scroll\" "
		"tabindex=\"0\"><table><thead><tr><th>hour ending "
		"at</th>"
		"<th colspan=\"%d\">component and count</th></tr></thead>"
		"<tbody>\n",
		NAMES, first > 0 ? "; earlier hours are left out" : "", NAMES);
	while (first < d->n_hourly)
		first = put_hour(out, d, first);
	fputs("</tbody></table></div></section>\n", out);
}
