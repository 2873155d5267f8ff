/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"
#include "base/timestamp.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/verdict.h"

#include <math.h>
#include <string.h>

void lp_html_names(FILE *out, const char *const *names, size_t n)
{
	fputs("<ul class=\"names\">", out);
	for (size_t i = 0; i < n && i < LP_HTML_NAMES; i++) {
		fputs("<li>", out);
		lp_markup_text(out, names[i]);
		fputs("</li>\n", out);
	}
	if (n > LP_HTML_NAMES)
		fprintf(out, "<li>and %zu more</li>", n - LP_HTML_NAMES);
	fputs("</ul>\n", out);
}

static void put_fact(FILE *out, const char *what, const char *text)
{
	fprintf(out, "<dt>%s</dt><dd>", what);
	lp_markup_text(out, text);
	fputs("</dd>\n", out);
}

static void put_times(FILE *out, const struct lp_finding *f)
{
	static const struct lp_zone utc;
	char time[LP_PEOPLE_TEXT], duration[LP_TIME_TEXT], text[160];
	char bounds[LP_BOUNDS_TEXT];

	put_fact(out, "From", lp_people_time(f->since_ns, time));
	snprintf(text, sizeof(text), "%s (%s)%s",
		 lp_people_time(f->until_ns, time),
		 lp_duration_format(f->until_ns - f->since_ns, duration),
		 f->lasting    ? ", the end of the recording"
		 : f->unjudged ? ", or later"
			       : "");
	put_fact(out, "To", text);
	if (f->dated)
		put_fact(out, "Bounds", lp_verdict_bounds(f, &utc, bounds));
}

/* "slow disk (disk-busy, storage)" */
static void put_cause(const struct lp_finding *f, char *text, size_t size)
{
	const char *title = f->words.title;
	const char *name = f->words.name;
	bool same = strcmp(title, name) == 0;

	snprintf(text, size, "%s (%s%s%s)", title, same ? "" : name,
		 same ? "" : ", ", lp_resource_name(f->resource));
}

static void put_facts(FILE *out, const struct lp_finding *f)
{
	char number[LP_PEOPLE_TEXT], text[160];

	fputs("<dl class=\"facts\">", out);
	put_cause(f, text, sizeof(text));
	put_fact(out, "Likely cause", text);
	if (f->known_by)
		put_fact(out, "Known by", f->known_by);
	if (f->part)
		put_fact(out, "Part", f->part);
	put_times(out, f);
	snprintf(text, sizeof(text),
		 "%s: how strongly it differs, times the %zu %s for which it "
		 "does; only for ranking",
		 lp_people_number(f->score, number), f->persistence,
		 lp_plural(f->persistence, "window", "windows"));
	put_fact(out, "Score", text);
	if (f->n_peers) {
		fprintf(out, "<dt>Peers</dt><dd>%zu others of: ", f->n_peers);
		lp_markup_text(out, f->group ? f->group : "");
		fputs("</dd>", out);
	}
	fputs("</dl>\n", out);
}

/* ---- the evidence ---- */

static void put_evidence(const struct lp_page *page, const struct lp_finding *f,
			 const struct lp_evidence *e)
{
	const struct lp_evidence_kind *kind =
		lp_evidence_kind_of(page->kinds, e);
	const struct lp_evidence_view view = { .finding = f };
	char text[LP_SENTENCE_TEXT];

	if (kind->row) {
		kind->row(e, &view, page->out);
		return;
	}
	fprintf(page->out, "<tr%s><td colspan=\"%d\">",
		e->accuses ? " class=\"accuses\"" : "", LP_EVIDENCE_COLUMNS);
	lp_markup_text(page->out, lp_evidence_sentence(kind, e, &view, text));
	fputs("</td></tr>\n", page->out);
}

static void put_terms(FILE *out)
{
	fputs("<p class=\"terms\"><strong>IQR</strong>: the range that holds "
	      "the middle half of the peers. <strong>Distance</strong>: how "
	      "far its values are from those of its peers, as the method "
	      "measures it. 0 means no difference. A window differs if the "
	      "distance is above the <strong>threshold</strong>. <strong>Peers "
	      "beyond</strong>: the share of the peers to which the distance "
	      "is above the threshold. <strong>Windows</strong>: how many of "
	      "them differ. Metrics “for comparison” accuse nobody, but show "
	      "what else was different at that time.</p>\n",
	      out);
}

static void put_table(struct lp_page *page, const struct lp_finding *f)
{
	FILE *out = page->out;

	fputs("<div class=\"scroll\" tabindex=\"0\"><table><caption>Evidence, "
	      "over the time "
	      "of the finding</caption><thead><tr><th>metric</th>"
	      "<th class=\"n\">this one</th><th class=\"n\">peers’ median</th>"
	      "<th class=\"n\">ratio</th><th class=\"n\">peers’ "
	      "IQR</th><th>unit</th>"
	      "<th class=\"n\">distance</th><th class=\"n\">threshold</th>"
	      "<th class=\"n\">peers beyond</th><th class=\"n\">windows</th>"
	      "<th>says</th></tr></thead><tbody>\n",
	      out);
	for (size_t i = 0; i < f->n_evidence; i++)
		put_evidence(page, f, &f->evidence[i]);
	fputs("</tbody></table></div>\n", out);
	put_terms(out);
}

static void put_lists(FILE *out, const struct lp_finding *f)
{
	if (f->n_parts > 0) {
		fprintf(out,
			"<details><summary>The %zu %s that this "
			"finding is made of</summary>",
			f->n_parts,
			lp_plural(f->n_parts, "component", "components"));
		lp_html_names(out, f->parts, f->n_parts);
		fputs("</details>\n", out);
	}
	if (!f->n_peers)
		return;
	fprintf(out, "<details><summary>The %zu peers</summary>", f->n_peers);
	lp_html_names(out, f->peers, f->n_peers);
	fputs("</details>\n", out);
}

static int put_figures(struct lp_page *page, const struct lp_finding *f)
{
	int status = 0;

	for (size_t i = 0; i < f->n_evidence && status == 0; i++) {
		const struct lp_evidence *e = &f->evidence[i];
		const struct lp_evidence_kind *kind =
			lp_evidence_kind_of(page->kinds, e);

		if (kind->figure)
			status = kind->figure(e, page);
	}
	return status;
}

int lp_html_finding(struct lp_page *page, size_t number)
{
	const struct lp_finding *f = &page->findings->items[number];
	FILE *out = page->out;
	const struct lp_zone utc = { 0 };
	char unjudged[LP_UNJUDGED_TEXT];
	int status;

	fprintf(out, "<section class=\"finding\" id=\"f%zu\" data-cause=\"",
		number + 1);
	lp_markup_text(out, f->words.name);
	fprintf(out, "\"><h2>%zu. <span class=\"name\">", number + 1);
	lp_markup_text(out, f->component);
	fputs("</span>: ", out);
	lp_markup_text(out, f->words.title);
	fputs("</h2>\n<p>", out);
	lp_markup_text(out, f->words.text);
	fprintf(out, ".%s</p>\n",
		f->workload ? " It is slower and also moves more data: "
			      "probably extra load, not a bad component."
			    : "");
	if (f->unjudged) {
		fputs("<p class=\"unjudged\">", out);
		lp_markup_text(out, lp_verdict_unjudged(f, &utc, unjudged));
		fputs("</p>\n", out);
	}
	put_facts(out, f);
	if (f->next) {
		fputs("<p class=\"next\"><strong>Next step:</strong> ", out);
		lp_markup_text(out, f->next);
		fputs("</p>\n", out);
	}
	put_table(page, f);
	status = put_figures(page, f);
	put_lists(out, f);
	fputs("<p class=\"up\"><a href=\"#top\">Back to the top</a></p>"
	      "</section>\n",
	      out);
	return status;
}
