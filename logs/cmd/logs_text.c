/* SPDX-License-Identifier: Apache-2.0 */
#include "logs.h"

#include "base/number.h"
#include "base/visible.h"

/* Further lines of evidence that are shown of a node. */
#define MORE_LINES 3
#define LINE_MOST 200

static void print_line(const struct lp_log_evidence *e, FILE *out)
{
	char text[LINE_MOST * 4];

	fprintf(out, "    %s:%llu\n      %.*s\n", lp_shown(e->file),
		(unsigned long long)e->number_of_line, LINE_MOST,
		lp_visible_text(text, sizeof(text), e->text));
}

static void print_when(const struct lp_log_study *s,
		       const struct lp_log_evidence *e, FILE *out)
{
	char text[LP_TIME_TEXT];

	if (e->first_ns != LP_LOG_NO_TIME)
		fprintf(out, "  first at %s\n",
			lp_zone_format(&s->zone, e->first_ns, text));
}

static void print_more(const struct lp_log_study *s,
		       const struct lp_log_accused *a, FILE *out)
{
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < s->n_evidence; i++) {
		const struct lp_log_evidence *e = &s->evidence[i];

		if (e->node != a->node || e == a->first)
			continue;
		if (shown == MORE_LINES) {
			left++;
			continue;
		}
		shown++;
		fprintf(out, "    %llu %s: ", (unsigned long long)e->count,
			lp_plural(e->count, "line", "lines"));
		lp_visible_put(out, e->rule && e->rule->meaning
					    ? e->rule->meaning
					    : lp_log_kinds[e->kind].says);
		fprintf(out, "%s%s\n", e->peer ? ": " : "",
			e->peer ? lp_shown(e->peer) : "");
	}
	if (left > 0)
		fprintf(out, "    and %zu more kinds of lines\n", left);
}

static void print_accused(const struct lp_log_study *s,
			  const struct lp_log_verdict *v,
			  const struct lp_log_accused *a, FILE *out)
{
	const struct lp_log_class_row *row = &lp_log_classes[a->class];

	fprintf(out, "\n  %s   %s\n", lp_shown(lp_log_node_name(s, a->node)),
		row->title);
	fprintf(out, "  %s.", row->says);
	if (a->reporters > 0)
		fprintf(out, " Reported by %u of %u other %s.", a->reporters,
			v->with_logs - (s->nodes[a->node].lines > 0),
			lp_plural(v->with_logs, "node", "nodes"));
	if (s->nodes[a->node].lines == 0)
		fputs(" It has no log here.", out);
	else if (!a->by_itself)
		fputs(" Its own log does not say so.", out);
	fputc('\n', out);
	print_when(s, a->first, out);
	print_line(a->first, out);
	print_more(s, a, out);
	fprintf(out, "  Next: %s\n", row->next);
}

/* Silence is a finding, too. */
static void print_silence(const struct lp_log_verdict *v, FILE *out)
{
	bool silent = v->class == LP_LOG_CLASS_NONE && v->silent;

	if (silent && v->fresh == 0) {
		fputs("The logs say nothing: nothing", out);
	} else {
		if (silent)
			fputs("The logs say nothing at warning or above.\n",
			      out);
		fprintf(out, "%llu new %s, %llu at warning or above,",
			(unsigned long long)v->fresh,
			lp_plural(v->fresh, "line", "lines"),
			(unsigned long long)v->warnings);
	}
	fprintf(out, " in %llu %s of %u %s%s.\n", (unsigned long long)v->lines,
		lp_plural(v->lines, "line", "lines"), v->with_logs,
		lp_plural(v->with_logs, "node", "nodes"),
		silent && v->fresh == 0 ? " is new" : "");
}

static void print_head(const struct lp_log_verdict *v, FILE *out)
{
	if (v->class == LP_LOG_CLASS_NONE)
		fputs("No failure in these logs.\n", out);
	else if (v->class == LP_LOG_CLASS_UNKNOWN)
		fputs("Something is new in these logs, and no rule knows "
		      "what it is.\n",
		      out);
	else
		fprintf(out, "%zu %s: %s.\n", v->n_accused,
			lp_plural(v->n_accused, "node fails", "nodes fail"),
			lp_log_classes[v->class].title);
}

void lp_logs_text(const struct lp_log_study *s, const struct lp_log_verdict *v,
		  FILE *out)
{
	if (v->lines == 0) {
		fputs("Cannot tell: there is no line in these logs.\n", out);
		return;
	}
	print_head(v, out);
	for (size_t i = 0; i < v->n_accused; i++)
		print_accused(s, v, &v->accused[i], out);
	if (v->n_accused > 0)
		fputc('\n', out);
	print_silence(v, out);
	if (!s->has_model)
		fputs("No model of healthy logs was given: every line counts "
		      "as new. See limpid logs learn.\n",
		      out);
}
