/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict as text:
 *
 *     One component differs from its peers.
 *
 *     oss3/sdc  SLOW DISK (disk-busy)
 *       When:      2026-11-14T03:10:00Z to 2026-11-14T09:10:00Z (6 h)
 *       What:      Each request takes longer than on its peers. Time per
 *                  request: 182 ms; its 95 peers: 8.3 ms to 9.9 ms.
 *       Peers:     oss1/sdb oss1/sdc ... and 83 more
 *       Next step: Read the disk's own log ...
 *       More:      limpid why oss3/sdc FILE
 *         metric   this one    peers      IQR distance threshold  windows
 *         latency       182      9.1        -     45.1       6.1    61/61  ms
 */
#include "report/verdict.h"

#include "base/number.h"
#include "base/visible.h"
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

const char *lp_verdict_methods(const struct lp_findings *d,
			       char text[LP_METHODS_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < d->n_methods && used < LP_METHODS_TEXT; i++)
		used += (size_t)snprintf(text + used, LP_METHODS_TEXT - used,
					 "%s%s", used ? ", " : "",
					 d->methods[i].name);
	return text;
}

/* ---- one finding ---- */

/* Distances and thresholds of two methods are of different kinds. */
static bool mixes_methods(const struct lp_finding *f)
{
	const char *method = NULL;

	for (size_t i = 0; i < f->n_evidence; i++) {
		const char *own = f->evidence[i].method;

		if (own && method && strcmp(own, method) != 0)
			return true;
		method = own ? own : method;
	}
	return false;
}

static void print_columns(const struct lp_verdict_report *r, FILE *out)
{
	paint(r, out, DIM);
	fprintf(out, "    %-8s %8s %8s %8s %8s %9s %8s\n", "metric", "this one",
		"peers", "IQR", "distance", "threshold", "windows");
	paint(r, out, PLAIN);
}

/* A table of what has columns, and sentences of the rest. */
static void print_all_evidence(const struct lp_verdict_report *r,
			       const struct lp_finding *f, FILE *out)
{
	/* Of a part of many, the first evidence is one component's. */
	const char *component = f->component;
	struct lp_evidence_view view = {
		.finding = f,
		.name_method =
			lp_findings_several(r->findings) || mixes_methods(f),
	};
	size_t context = 0;
	bool headed = false;

	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct lp_evidence *e = &f->evidence[i];
		const struct lp_evidence_kind *kind =
			lp_evidence_kind_of(r->kinds, e);
		char text[LP_SENTENCE_TEXT];

		if (!e->accuses && !e->method && context++ >= CONTEXT_SHOWN &&
		    !r->all)
			continue;
		if (kind->line && !headed)
			print_columns(r, out);
		headed |= kind->line != NULL;
		if (strcmp(e->component, component) != 0)
			fprintf(out, "    %s:\n", lp_shown(e->component));
		component = e->component;
		if (kind->line)
			kind->line(e, &view, out);
		else
			lp_wrap(out, "    ",
				lp_evidence_sentence(kind, e, &view, text));
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

/* "SLOW DISK (disk-busy)" */
static void print_cause(const struct lp_cause_words *cause, FILE *out)
{
	for (const char *c = lp_shown(cause->title); *c; c++)
		fputc(toupper((unsigned char)*c), out);
	if (strcmp(cause->title, cause->name) != 0)
		fprintf(out, " (%s)", lp_shown(cause->name));
}

static void print_when(const struct lp_verdict_report *r,
		       const struct lp_finding *f, FILE *out)
{
	char since[LP_TIME_TEXT], until[LP_TIME_TEXT], lasted[LP_TIME_TEXT];
	char bounds[LP_BOUNDS_TEXT];
	char text[3 * LP_TIME_TEXT + LP_BOUNDS_TEXT + 64];

	lp_verdict_bounds(f, r->zone, bounds);
	snprintf(text, sizeof(text), "%s to %s%s (%s%s)%s%s",
		 lp_zone_format(r->zone, f->since_ns, since),
		 lp_zone_format(r->zone, f->until_ns, until),
		 f->lasting ? ", the end of the recording" : "",
		 lp_duration_format(f->until_ns - f->since_ns, lasted),
		 f->unjudged ? " or longer" : "", *bounds ? ". " : "", bounds);
	lp_wrap(out, "  When:      ", text);
}

/* What the first evidence says, unless the finding's own text does. */
static const char *main_sentence(const struct lp_verdict_report *r,
				 const struct lp_finding *f,
				 char text[LP_SENTENCE_TEXT])
{
	const struct lp_evidence_view view = { .finding = f };
	const struct lp_evidence_kind *kind;

	if (f->n_evidence == 0)
		return "";
	kind = lp_evidence_kind_of(r->kinds, f->evidence);
	if (kind->told)
		return "";
	lp_evidence_sentence(kind, f->evidence, &view, text);
	/* Words begin a sentence; names of metrics stay as they are. */
	if (f->evidence[0].reference)
		text[0] = (char)toupper((unsigned char)text[0]);
	return text;
}

static void print_what(const struct lp_verdict_report *r,
		       const struct lp_finding *f, FILE *out)
{
	char text[600], numbers[LP_SENTENCE_TEXT];
	const char *sentence = main_sentence(r, f, numbers);

	snprintf(text, sizeof(text), "%s.%s%s%s%s", f->words.text,
		 *sentence ? " " : "", sentence, *sentence ? "." : "",
		 f->workload ? " It is slower and also moves more data: "
			       "probably extra load, not a bad component."
			     : "");
	lp_wrap(out, "  What:      ", text);
}

const char *lp_verdict_unjudged(const struct lp_finding *f,
				const struct lp_zone *zone,
				char text[LP_UNJUDGED_TEXT])
{
	char since[LP_TIME_TEXT], until[LP_TIME_TEXT];

	snprintf(text, LP_UNJUDGED_TEXT,
		 "It may go on. From %s to %s, %zu of the %zu components of "
		 "its group differ from the rest. The method cannot judge a "
		 "group if a quarter or more of it differs.",
		 lp_zone_format(zone, f->unjudged_since_ns, since),
		 lp_zone_format(zone, f->unjudged_until_ns, until),
		 f->n_unjudged, f->of_unjudged);
	return text;
}

/* Who was never recorded has no values to look at. */
static void print_more(const struct lp_finding *f, FILE *out)
{
	char text[300];

	if (f->known_by || !f->n_evidence)
		return;
	snprintf(text, sizeof(text), "limpid why %s FILE",
		 lp_shown(f->evidence[0].component));
	lp_wrap(out, "  More:      ", text);
}

static void print_finding(const struct lp_verdict_report *r,
			  const struct lp_finding *f, FILE *out)
{
	char unjudged[LP_UNJUDGED_TEXT];
	size_t shown = r->all ? SIZE_MAX : PEERS_SHOWN;

	paint(r, out, BAD);
	fprintf(out, "%s  ", lp_shown(f->component));
	print_cause(&f->words, out);
	paint(r, out, PLAIN);
	fputc('\n', out);
	print_when(r, f, out);
	print_what(r, f, out);
	if (f->unjudged)
		lp_wrap(out, "             ",
			lp_verdict_unjudged(f, r->zone, unjudged));
	if (f->known_by)
		lp_wrap(out, "  Known by:  ", f->known_by);
	if (f->part)
		lp_wrap(out, "  Part:      ", f->part);
	if (f->n_parts)
		print_names(out, "  Parts:     ", f->parts, f->n_parts, shown);
	if (f->n_peers)
		print_names(out, "  Peers:     ", f->peers, f->n_peers, shown);
	if (f->next)
		lp_wrap(out, "  Next step: ", f->next);
	print_more(f, out);
	if (r->all)
		fprintf(out, "  Score:     %.0f (for ranking)\n", f->score);
	if (f->n_evidence)
		print_all_evidence(r, f, out);
	fputc('\n', out);
}

/* ---- the whole ---- */

static void print_headline(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_findings *d = r->findings;
	char text[600];

	switch (d->outcome) {
	case LP_OUTCOME_FAULT:
		paint(r, out, BAD);
		if (lp_findings_components(d) == 1)
			fputs("One component differs from its peers", out);
		else
			fprintf(out, "%zu components differ from their peers",
				lp_findings_components(d));
		break;
	case LP_OUTCOME_NONE:
		paint(r, out, GOOD);
		fputs("No component differs from its peers", out);
		break;
	default:
		paint(r, out, BAD);
		snprintf(text, sizeof(text), "%s.", d->reason);
		lp_wrap(out, "Cannot tell: ", text);
		paint(r, out, PLAIN);
		fputc('\n', out);
		return;
	}
	fprintf(out, "%s.", lp_verdict_ground(d));
	paint(r, out, PLAIN);
	fputs("\n\n", out);
}

const char *lp_verdict_ground(const struct lp_findings *d)
{
	static const char *const texts[] = {
		[LP_PEERS_STATED] = "",
		[LP_PEERS_LOAD] = " (disks, taken for peers by their load)",
		[LP_PEERS_NAMES] = (" (disks, taken for peers by their names; "
				    "their load differs)"),
	};

	return texts[lp_findings_ground(d)];
}

static bool is_first_of_group(const struct lp_findings *d, size_t comparison)
{
	size_t number = d->comparisons[comparison].group_number;

	for (size_t i = 0; i < comparison; i++)
		if (d->comparisons[i].group_number == number)
			return false;
	return true;
}

/* The metrics of a group that have values, or those that have none. */
static size_t list_metrics(const struct lp_findings *d, size_t first,
			   bool values, char *text, size_t size)
{
	size_t number = d->comparisons[first].group_number, used = 0;

	text[0] = '\0';
	for (size_t i = first; i < d->n_comparisons && used < size; i++)
		if (d->comparisons[i].group_number == number &&
		    !lp_findings_judged_before(d, i) &&
		    d->comparisons[i].values == values)
			used += (size_t)snprintf(text + used, size - used,
						 " %s",
						 d->comparisons[i].metric);
	return used;
}

static void print_compared(const struct lp_findings *d, FILE *out)
{
	const char *head = "Compared: ";

	for (size_t i = 0; i < d->n_comparisons; i++) {
		const char *ground = d->comparisons[i].ground;
		char text[1024], with[300], without[300];
		size_t n, missing;

		if (!is_first_of_group(d, i))
			continue;
		n = list_metrics(d, i, true, with, sizeof(with));
		missing = list_metrics(d, i, false, without, sizeof(without));
		snprintf(text, sizeof(text), "%s%s%s:%s%s%s%s",
			 d->comparisons[i].group, ground ? ", " : "",
			 ground ? ground : "", with, n && missing ? ";" : "",
			 missing ? " no values of" : "", without);
		lp_wrap(out, head, text);
		head = "          ";
	}
}

/* limpid's own method has no windows to be chosen and no thresholds. */
static void print_own_method(const struct lp_findings *d, FILE *out)
{
	char text[LP_LIMIT_TEXT + LP_METHODS_TEXT + 80];
	char methods[LP_METHODS_TEXT], limit[LP_LIMIT_TEXT];
	char block[LP_TIME_TEXT];

	snprintf(text, sizeof(text),
		 "%s, in blocks of %s and windows of several lengths. %s",
		 lp_verdict_methods(d, methods),
		 lp_duration_format(d->methods[0].block_ns, block),
		 lp_verdict_limit(d, limit));
	lp_wrap(out, "Method:   ", text);
}

/* "cdf 12 (untrained)": thresholds differ by component when trained. */
static void print_method(const struct lp_findings *d, FILE *out)
{
	char text[600], methods[LP_METHODS_TEXT], step[LP_TIME_TEXT];
	const char *origin = *d->trained_on ? d->trained_on : "other data";

	if (d->n_methods && d->methods[0].block_ns > 0) {
		print_own_method(d, out);
		return;
	}
	snprintf(text, sizeof(text),
		 "%s, in steps of %s: windows of %zu steps, a new one every "
		 "%zu steps. %zu of %zu windows must differ. Thresholds: %s%s",
		 lp_verdict_methods(d, methods),
		 lp_duration_format(d->step_ns, step), d->window, d->shift,
		 d->k, d->of,
		 d->trained ? "trained on " : "defaults, not trained",
		 d->trained ? origin : "");
	lp_wrap(out, "Method:   ", text);
}

static void print_reach(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_findings *d = r->findings;
	char text[300], sure[LP_TIME_TEXT], least[LP_TIME_TEXT];
	char seen[LP_SEEN_TEXT];
	char from[LP_TIME_TEXT], to[LP_TIME_TEXT];

	snprintf(text, sizeof(text), "%s to %s",
		 lp_zone_format(r->zone, d->first_ns, from),
		 lp_zone_format(r->zone, d->last_ns, to));
	lp_wrap(out, "Time:     ", text);
	if (lp_verdict_is_own(d)) {
		if (*lp_verdict_seen(d, seen))
			lp_wrap(out, "Detects:  ", seen);
		return;
	}
	snprintf(text, sizeof(text),
		 "faults of %s or longer always; faults of %s or longer "
		 "sometimes; shorter ones only if they are extreme",
		 lp_duration_format(d->sure_ns, sure),
		 lp_duration_format(d->least_ns, least));
	lp_wrap(out, "Detects:  ", text);
}

static void print_left_out(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_findings *d = r->findings;
	char text[300];

	if (!d->n_left_out)
		return;
	if (!r->all) {
		snprintf(text, sizeof(text),
			 "%zu %s; 'limpid inventory' lists them, with reasons",
			 d->n_left_out,
			 lp_plural(d->n_left_out, "component", "components"));
		lp_wrap(out, "Left out: ", text);
		return;
	}
	for (size_t i = 0; i < d->n_left_out; i++) {
		snprintf(text, sizeof(text), "%s: %s", d->left_out[i].component,
			 d->left_out[i].reason);
		lp_wrap(out, i ? "          " : "Left out: ", text);
	}
}

void lp_verdict_text(const struct lp_verdict_report *r, FILE *out)
{
	static const char columns[] =
		"peers: their median. IQR: the range of their middle half. "
		"distance: how far its values are from theirs (0: no "
		"difference). A window differs if the distance is above the "
		"threshold. windows: how many differ";
	const struct lp_findings *d = r->findings;

	print_headline(r, out);
	for (size_t i = 0; i < d->n && i < r->top; i++)
		print_finding(r, &d->items[i], out);
	if (d->n > r->top)
		fprintf(out,
			"%zu weaker %s not shown; --top %zu shows all.\n\n",
			d->n - r->top,
			lp_plural(d->n - r->top, "finding is", "findings are"),
			d->n);
	if (d->n)
		lp_wrap(out, "Columns:  ", columns);
	if (d->n_comparisons) {
		print_compared(d, out);
		print_method(d, out);
		print_reach(r, out);
	}
	print_left_out(r, out);
	for (size_t i = 0; i < d->n_notes; i++)
		lp_wrap(out, "Note:     ", d->notes[i]);
}
