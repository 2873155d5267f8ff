/* SPDX-License-Identifier: Apache-2.0 */
/* The spread as a graph: for Graphviz, and as a page. */
#include "logs/report/log_spread.h"

#include "base/visible.h"
#include "report/markup.h"

#include <math.h>

static const char *node_of(const struct lp_log_spread *s,
			   const struct lp_log_step *step)
{
	return lp_log_node_name(s->study, step->what->node);
}

/* ---- dot ---- */

static void put_quoted(FILE *out, const char *text)
{
	char shown[1024];

	lp_visible_text(shown, sizeof(shown), text);
	for (const char *at = shown; *at; at++) {
		if (*at == '"' || *at == '\\')
			fputc('\\', out);
		fputc(*at, out);
	}
}

void lp_log_spread_dot(const struct lp_log_spread *s, FILE *out)
{
	fputs("digraph spread {\n  rankdir=LR;\n  node [shape=box];\n", out);
	for (size_t i = 0; i < s->n; i++) {
		const struct lp_log_step *step = &s->steps[i];

		fprintf(out, "  n%zu [label=\"", i);
		put_quoted(out, node_of(s, step));
		fputs("\\n", out);
		put_quoted(out, lp_log_says(step->what));
		fprintf(out, "\\n%+.3f s\"];\n",
			(double)step->after_ns / LP_NS_PER_S);
		if (step->because)
			fprintf(out, "  n%td -> n%zu [label=\"%+.3f s\"];\n",
				step->because - s->steps, i,
				(double)(step->after_ns -
					 step->because->after_ns) /
					LP_NS_PER_S);
	}
	fputs("}\n", out);
}

/* ---- the page ---- */

#define LANE 36
#define LEFT 140
#define WIDTH 760
#define TOP 20

struct drawing {
	const struct lp_log_spread *spread;
	double most; /* of the scale, see place() */
};

/* Milliseconds and minutes on one axis: it is logarithmic from 10 ms on. */
static double place(const struct drawing *d, const struct lp_log_step *step)
{
	double s = (double)step->after_ns / LP_NS_PER_S;

	return LEFT + (WIDTH - LEFT - 20) * log1p(s * 100) / d->most;
}

static void draw_step(const struct drawing *d, const struct lp_log_step *step,
		      FILE *out)
{
	double x = place(d, step), y = TOP + step->lane * LANE;

	if (step->is_first) {
		fprintf(out, "<text x=\"0\" y=\"%.0f\">", y + 4);
		lp_markup_text_cut(out, node_of(d->spread, step), 18);
		fprintf(out,
			"</text><line x1=\"%d\" y1=\"%.0f\" x2=\"%d\" "
			"y2=\"%.0f\" class=\"lane\"/>\n",
			LEFT, y, WIDTH, y);
	}
	if (step->because)
		fprintf(out,
			"<line x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" "
			"y2=\"%.0f\" class=\"edge\"/>\n",
			place(d, step->because),
			TOP + (double)step->because->lane * LANE, x, y);
	fprintf(out, "<circle cx=\"%.1f\" cy=\"%.0f\" r=\"4\"><title>%+.3f s ",
		x, y, (double)step->after_ns / LP_NS_PER_S);
	lp_markup_text(out, lp_log_says(step->what));
	fputs("</title></circle>\n", out);
}

static void draw(const struct lp_log_spread *s, FILE *out)
{
	struct drawing d = { .spread = s, .most = 1 };

	if (s->n > 0 && s->steps[s->n - 1].after_ns > 0)
		d.most = log1p((double)s->steps[s->n - 1].after_ns /
			       LP_NS_PER_S * 100);
	fprintf(out,
		"<svg role=\"img\" aria-label=\"Who said what first\" "
		"viewBox=\"0 0 %d %u\">\n",
		WIDTH, TOP + s->n_lanes * LANE);
	for (size_t i = 0; i < s->n; i++)
		draw_step(&d, &s->steps[i], out);
	fputs("</svg>\n", out);
}

static void put_row(const struct lp_log_spread *s,
		    const struct lp_log_step *step, FILE *out)
{
	const struct lp_log_evidence *e = step->what;

	fprintf(out, "<tr><td>%+.3f s</td><td>",
		(double)step->after_ns / LP_NS_PER_S);
	lp_markup_text(out, node_of(s, step));
	fputs("</td><td>", out);
	lp_markup_text(out, lp_log_says(e));
	if (e->peer) {
		fputs(": ", out);
		lp_markup_text(out, lp_log_node_name(s->study, e->peer_node));
	}
	fprintf(out, "</td><td>%llu</td><td>", (unsigned long long)e->count);
	lp_markup_text(out, e->file);
	fprintf(out, ":%llu<br><code>", (unsigned long long)e->number_of_line);
	lp_markup_text_cut(out, e->text, 300);
	fputs("</code></td></tr>\n", out);
}

void lp_log_spread_html(const struct lp_log_spread *s, FILE *out)
{
	char text[LP_PEOPLE_TEXT];

	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
	      "charset=\"utf-8\"><title>limpid: who said what first</title>\n"
	      "<style>body{font:15px sans-serif;max-width:60em;margin:2em "
	      "auto}td{vertical-align:top;padding:.2em .6em}svg{width:100%}"
	      ".lane{stroke:#ccc}.edge{stroke:#b33}code{font-size:85%;"
	      "overflow-wrap:anywhere}</style></head><body>\n"
	      "<h1>Who said what first</h1>\n",
	      out);
	if (s->n == 0)
		fputs("<p>The logs say nothing that is new.</p>\n", out);
	else
		fprintf(out,
			"<p>The first line is of %s. A line leads from the "
			"node that is spoken of to who speaks.</p>\n",
			lp_people_time(s->begin_ns, text));
	draw(s, out);
	fputs("<table><tr><th>after</th><th>node</th><th>says</th><th>lines"
	      "</th><th>first line</th></tr>\n",
	      out);
	for (size_t i = 0; i < s->n; i++)
		put_row(s, &s->steps[i], out);
	fputs("</table></body></html>\n", out);
}
