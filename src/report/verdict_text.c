/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict as text:
 *
 *     One component differs from its peers.
 *
 *     oss3/sdc  disk-busy  since 2026-11-14T03:10:00Z for 6 h  score 120
 *       Requests take longer than on its peers.
 *         metric   this one    peers      IQR distance threshold  windows
 *         await         182      9.1      2.2     45.1        12    11/11  ms
 *       peers: oss1/sdb oss1/sdc ... and 83 more
 *       next:  look at the disk's own log ...
 */
#include "report/verdict.h"
#include "report/wrap.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define PEERS_SHOWN 12
#define CONTEXT_SHOWN 8

enum colour { PLAIN, BAD, GOOD, DIM };

static void paint(const struct lp_verdict_report *r, FILE *out, enum colour c)
{
	static const char *const codes[] = { "\033[0m", "\033[1;31m",
					     "\033[1;32m", "\033[2m" };

	if (r->colour)
		fputs(codes[c], out);
}

const char *lp_value_text(double v, char text[LP_VALUE_TEXT])
{
	double size = fabs(v);

	if (isnan(v))
		snprintf(text, LP_VALUE_TEXT, "-");
	else if (size >= 1e7 || (size > 0 && size < 0.001))
		snprintf(text, LP_VALUE_TEXT, "%.2e", v);
	else if (size >= 100)
		snprintf(text, LP_VALUE_TEXT, "%.0f", v);
	else
		snprintf(text, LP_VALUE_TEXT, "%.3g", v);
	return text;
}

const char *lp_verdict_methods(const struct lp_diagnosis *d,
			       char text[LP_METHODS_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < d->n_units; i++) {
		const char *name = d->units[i].detector->name;
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = d->units[j].detector == d->units[i].detector;
		if (!seen && used < LP_METHODS_TEXT)
			used += (size_t)snprintf(text + used,
						 LP_METHODS_TEXT - used, "%s%s",
						 used ? ", " : "", name);
	}
	return text;
}

/* ---- one finding ---- */

/*
 * Long names would push the numbers out of their columns: the metric is what
 * matters, the component is the finding's own as a rule.
 */
static void print_evidence(const struct lp_evidence *e, FILE *out)
{
	char value[LP_VALUE_TEXT], peers[LP_VALUE_TEXT], iqr[LP_VALUE_TEXT];
	char distance[LP_VALUE_TEXT], threshold[LP_VALUE_TEXT];
	char windows[32] = "-";

	if (e->windows)
		snprintf(windows, sizeof(windows), "%zu/%zu", e->flagged,
			 e->windows);
	fprintf(out, "    %-8s %8s %8s %8s %8s %9s %8s  %s\n", e->metric->name,
		lp_value_text(e->value, value),
		lp_value_text(e->peers_median, peers),
		lp_value_text(e->peers_iqr, iqr),
		lp_value_text(e->distance, distance),
		lp_value_text(e->threshold, threshold), windows,
		e->metric->unit);
}

static void print_all_evidence(const struct lp_verdict_report *r,
			       const struct lp_finding *f, FILE *out)
{
	/* Of a part of many, the first evidence is one component's. */
	const char *component = f->component;
	size_t context = 0;

	paint(r, out, DIM);
	fprintf(out, "    %-8s %8s %8s %8s %8s %9s %8s\n", "metric", "this one",
		"peers", "IQR", "distance", "threshold", "windows");
	paint(r, out, PLAIN);
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct lp_evidence *e = &f->evidence[i];

		if (!e->method && context++ >= CONTEXT_SHOWN && !r->all)
			continue;
		if (strcmp(e->component, component) != 0)
			fprintf(out, "    %s:\n", e->component);
		component = e->component;
		print_evidence(e, out);
	}
}

static void print_names(FILE *out, const char *head, const char *const *names,
			size_t n, size_t most)
{
	struct lp_wrap wrap;
	char more[64];

	lp_wrap_begin(&wrap, out, head);
	for (size_t i = 0; i < n && i < most; i++)
		lp_wrap_word(&wrap, names[i], strlen(names[i]));
	if (n > most) {
		snprintf(more, sizeof(more), "and %zu more", n - most);
		lp_wrap_word(&wrap, more, strlen(more));
	}
	lp_wrap_end(&wrap);
}

static void print_clause(const struct lp_finding *f, FILE *out)
{
	char text[512];

	snprintf(text, sizeof(text), "%s%s.", lp_finding_text(f),
		 f->workload ? "; latency and throughput differ together: a "
			       "load on it, rather than a bad component"
			     : "");
	text[0] = (char)toupper((unsigned char)text[0]);
	lp_wrap(out, "  ", text);
}

static void print_finding(const struct lp_verdict_report *r,
			  const struct lp_finding *f, FILE *out)
{
	char since[LP_TIME_TEXT], lasted[LP_TIME_TEXT];
	size_t peers = r->all ? f->n_peers : PEERS_SHOWN;

	paint(r, out, BAD);
	fprintf(out, "%s  %s", f->component, lp_cause_name(f->cause));
	paint(r, out, PLAIN);
	fprintf(out, "  since %s%s%s  score %.0f\n",
		lp_time_format(f->since_ns, since),
		f->lasting ? ", until the end: " : " for ",
		lp_duration_format(f->until_ns - f->since_ns, lasted),
		f->score);
	print_clause(f, out);
	if (f->part)
		lp_wrap(out, "  part:  ", f->part);
	if (f->n_parts)
		print_names(out, "  of it: ", f->parts, f->n_parts,
			    r->all ? f->n_parts : PEERS_SHOWN);
	print_all_evidence(r, f, out);
	print_names(out, "  peers: ", f->peers, f->n_peers, peers);
	lp_wrap(out, "  next:  ", f->next);
	fputc('\n', out);
}

/* ---- the whole ---- */

static void print_headline(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;
	char text[600];

	switch (d->outcome) {
	case LP_OUTCOME_FAULT:
		paint(r, out, BAD);
		if (lp_diagnosis_components(d) == 1)
			fputs("One component differs from its peers.", out);
		else
			fprintf(out, "%zu components differ from their peers.",
				lp_diagnosis_components(d));
		break;
	case LP_OUTCOME_NONE:
		paint(r, out, GOOD);
		fputs("No component differs from its peers.", out);
		break;
	default:
		paint(r, out, BAD);
		snprintf(text, sizeof(text), "%s.", d->reason);
		lp_wrap(out, "Cannot tell: ", text);
		paint(r, out, PLAIN);
		fputc('\n', out);
		return;
	}
	paint(r, out, PLAIN);
	fputs("\n\n", out);
}

static bool is_first_of_group(const struct lp_diagnosis *d, size_t unit)
{
	for (size_t i = 0; i < unit; i++)
		if (d->units[i].group_index == d->units[unit].group_index)
			return false;
	return true;
}

static void print_compared(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;
	const char *head = "compared: ";

	for (size_t i = 0; i < d->n_units; i++) {
		char text[512];
		size_t used;

		if (!is_first_of_group(d, i))
			continue;
		used = (size_t)snprintf(text, sizeof(text),
					"%s:", d->units[i].group->name);
		for (size_t j = i; j < d->n_units && used < sizeof(text); j++)
			if (d->units[j].group_index == d->units[i].group_index)
				used += (size_t)snprintf(
					text + used, sizeof(text) - used, " %s",
					d->units[j].metric->name);
		lp_wrap(out, head, text);
		head = "          ";
	}
}

/* "cdf 12 (untrained)": thresholds differ by component when trained. */
static void print_method(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;
	const struct lp_reach *reach = &d->reach;
	char text[600], methods[LP_METHODS_TEXT], step[LP_TIME_TEXT];
	const char *origin =
		r->thresholds ? lp_thresholds_origin(r->thresholds) : "";

	snprintf(text, sizeof(text),
		 "%s; step %s, windows of %u every %u, %u of %u must differ; "
		 "thresholds %s%s",
		 lp_verdict_methods(d, methods),
		 lp_duration_format(d->step_ns, step), reach->window,
		 reach->shift, reach->k, reach->of,
		 d->trained ? "trained on " : "untrained",
		 d->trained ? (*origin ? origin : "other data") : "");
	lp_wrap(out, "method:   ", text);
}

static void print_reach(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;
	char text[300], sure[LP_TIME_TEXT], least[LP_TIME_TEXT];
	char from[LP_TIME_TEXT], to[LP_TIME_TEXT];

	snprintf(text, sizeof(text), "%s to %s",
		 lp_time_format(d->first_ns, from),
		 lp_time_format(d->last_ns, to));
	lp_wrap(out, "time:     ", text);
	snprintf(text, sizeof(text),
		 "a fault of %s or longer; from %s on with luck, shorter ones "
		 "only if extreme",
		 lp_duration_format(d->reach.sure_ns, sure),
		 lp_duration_format(d->reach.least_ns, least));
	lp_wrap(out, "visible:  ", text);
}

static void print_left_out(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_plan *plan = r->plan;
	char text[300];

	if (!plan->n_left_out)
		return;
	if (!r->all) {
		snprintf(text, sizeof(text),
			 "%zu components; 'limpid inventory' says which and "
			 "why",
			 plan->n_left_out);
		lp_wrap(out, "left out: ", text);
		return;
	}
	for (size_t i = 0; i < plan->n_left_out; i++) {
		snprintf(text, sizeof(text), "%s: %s", plan->left_out[i].label,
			 plan->left_out[i].reason);
		lp_wrap(out, i ? "          " : "left out: ", text);
	}
}

static void print_notes(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;

	for (size_t i = 0; r->notes && r->notes[i]; i++)
		if (r->notes[i][0])
			lp_wrap(out, "note:     ", r->notes[i]);
	for (size_t i = 0; i < d->n_notes; i++)
		lp_wrap(out, "note:     ", d->notes[i]);
	for (size_t i = 0; i < r->plan->n_notes; i++)
		lp_wrap(out, "note:     ", r->plan->notes[i]);
}

void lp_verdict_text(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;

	print_headline(r, out);
	for (size_t i = 0; i < d->n_findings && i < r->top; i++)
		print_finding(r, &d->findings[i], out);
	if (d->n_findings > r->top)
		fprintf(out,
			"%zu weaker findings are not shown; --top %zu "
			"shows all.\n\n",
			d->n_findings - r->top, d->n_findings);
	if (d->n_units) {
		print_compared(r, out);
		print_method(r, out);
		print_reach(r, out);
	}
	print_left_out(r, out);
	print_notes(r, out);
}

void lp_verdict_hourly(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;
	size_t shown = 0;
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < d->n_hourly; i++) {
		const struct lp_persistent *p = &d->hourly[i];
		char time[LP_TIME_TEXT];

		if (p->time_ns != last)
			shown = 0;
		last = p->time_ns;
		if (shown++ >= r->top)
			continue;
		fprintf(out, "%-20s %6zu  %-30s %s\n",
			shown == 1 ? lp_time_format(p->time_ns, time) : "",
			p->value, p->component, p->group);
	}
}
