/* SPDX-License-Identifier: Apache-2.0 */
#include "why.h"

#include "report/verdict.h"
#include "report/wrap.h"

#include <math.h>
#include <string.h>

#define VALUES "  %-9s %9s %9s %9s %9s  %s"
#define SCORES "  %-9s %-7s %7s %9s %8s %8s %8s  %s%s"
#define PARTS "  %-9s %-7s %7s %9s %8s %8s %8s %8s"

/* What is missing, in a sentence. */
static const char *const sentences[LP_LACKS] = {
	[LP_LACKS_DISTANCE] = "The effect is large enough, but the distance is "
			      "too small: its peers scatter as much.",
	[LP_LACKS_EFFECT] = "The distance is large enough, but the effect is "
			    "too small to matter.",
	[LP_LACKS_BOTH] = "The distance and the effect are too small.",
	[LP_LACKS_LOAD] = "Distance and effect are large enough, but it is "
			  "hardly more loaded than its peers.",
	[LP_LACKS_LEVEL] = "It changed enough, but is now hardly worse than "
			   "its peers: it was better than they are.",
	[LP_LACKS_RATIO] = "Distance and effect are large enough, but the "
			   "share is less than twice that of its peers.",
};

static const char *against(const struct lp_reason *r)
{
	return strcmp(r->kind, "change") == 0 ? "past" : "peers";
}

/* "1 min", "2 h": short, since it stands in a column. */
static const char *window_text(const struct lp_reason *r,
			       char text[LP_TIME_TEXT])
{
	int64_t s = (r->end_ns - r->begin_ns) / LP_NS_PER_S;
	bool hours = s % 3600 == 0;

	if (s % 60)
		return lp_duration_format(r->end_ns - r->begin_ns, text);
	snprintf(text, LP_TIME_TEXT, "%lld %s",
		 (long long)(s / (hours ? 3600 : 60)), hours ? "h" : "min");
	return text;
}

double lp_why_percent(const struct lp_metric *metric, double residual)
{
	bool ratio = metric->role == LP_SERVICE || metric->role == LP_LATENCY;

	return 100 * (ratio ? expm1(residual) : residual);
}

/* So many digits; what rounds to 0 has no sign. */
static const char *fixed(double v, int digits, const char *unit,
			 char text[LP_VALUE_TEXT])
{
	bool none = fabs(v) < 0.5 * pow(10, -digits);

	if (isnan(v))
		snprintf(text, LP_VALUE_TEXT, "-");
	else if (fabs(v) >= 1e5)
		snprintf(text, LP_VALUE_TEXT, "%.0e%s", v, unit);
	else
		snprintf(text, LP_VALUE_TEXT,
			 *unit && !none ? "%+.*f%s" : "%.*f%s", digits,
			 none ? 0 : v, unit);
	return text;
}

/* "+82 %", "+1.4 %"; of loss "+0.05 %". */
static const char *percent(const struct lp_reason *r, double residual,
			   char text[LP_VALUE_TEXT])
{
	double v = lp_why_percent(r->metric, residual);
	int digits = fabs(v) >= 10 ? 0 : r->metric->role == LP_LOSS ? 2 : 1;

	return fixed(v, digits, " %", text);
}

/* ---- tables ---- */

static void print_score(const struct lp_reason *r)
{
	char window[LP_TIME_TEXT], distance[LP_VALUE_TEXT];
	char limit[LP_VALUE_TEXT], effect[LP_VALUE_TEXT], gate[LP_VALUE_TEXT];
	const char *lack = lp_why_lack_name(lp_why_lacks(r));

	printf(SCORES "\n", r->metric->name, against(r), window_text(r, window),
	       fixed(r->distance, 2, "", distance),
	       fixed(r->limit, 2, "", limit), percent(r, r->effect, effect),
	       percent(r, r->gate, gate), lack ? "no: " : "yes",
	       lack ? lack : "");
}

static void print_parts(const struct lp_reason *r)
{
	static const char *const names[] = { "spread", "prior", "between",
					     "within" };
	char window[LP_TIME_TEXT], before[LP_VALUE_TEXT],
		part[4][LP_VALUE_TEXT];

	for (size_t i = 0; i < 4; i++)
		fixed(lp_reason_part(r, names[i]), 4, "", part[i]);
	printf(PARTS "\n", r->metric->name, against(r), window_text(r, window),
	       part[0], part[1], part[2], part[3],
	       percent(r, lp_reason_part(r, "before"), before));
}

static void print_tables(const struct lp_why_scores *s)
{
	printf(SCORES "\n", "quantity", "against", "window", "distance",
	       "needed", "effect", "needed", "accuses", "");
	for (size_t i = 0; i < s->n; i++)
		print_score(&s->reasons[i]);
	printf("  The distance is in units of the spread, which is made of:\n");
	printf(PARTS "\n", "quantity", "against", "window", "spread", "prior",
	       "between", "within", "before");
	for (size_t i = 0; i < s->n; i++)
		print_parts(&s->reasons[i]);
}

/* What it and its peers did in the window that comes nearest. */
static void print_values(const struct lp_why_scores *s)
{
	printf(VALUES "\n", "quantity", "this one", "peers", "lowest",
	       "highest", "unit");
	for (size_t i = 0; i < s->n_values; i++) {
		const struct lp_why_value *v = &s->values[i];
		char value[LP_VALUE_TEXT], peers[LP_VALUE_TEXT];
		char low[LP_VALUE_TEXT], high[LP_VALUE_TEXT];

		if (isnan(v->compared.value))
			continue;
		printf(VALUES "\n", v->quantity->name,
		       lp_value_text(v->compared.value, value),
		       lp_value_text(v->compared.peers_median, peers),
		       lp_value_text(v->compared.peers_low, low),
		       lp_value_text(v->compared.peers_high, high),
		       v->quantity->unit);
	}
}

/* ---- sentences ---- */

static void print_time(const struct lp_why *why, const struct lp_why_scores *s,
		       const struct lp_reason *nearest)
{
	char text[200], begin[LP_TIME_TEXT], end[LP_TIME_TEXT];
	bool accused = nearest->accuses && !s->split;
	const char *which = why->at_ns != LP_TIME_MIN ? ""
			    : accused ? ", when the accusation is surest"
				      : ", when it is nearest to an accusation";

	snprintf(text, sizeof(text),
		 "%s%s. It is accused in %zu of %zu blocks.",
		 lp_zone_format(&why->c.period.zone, s->end_ns, end), which,
		 s->accused, s->blocks);
	lp_wrap(stdout, "  At:        ", text);
	printf("  Its values from %s to %s:\n",
	       lp_zone_format(&why->c.period.zone, nearest->begin_ns, begin),
	       end);
}

static void print_nearest(const struct lp_why_scores *s,
			  const struct lp_reason *r, bool accused)
{
	char text[640], window[LP_TIME_TEXT], distance[LP_VALUE_TEXT];
	char limit[LP_VALUE_TEXT], effect[LP_VALUE_TEXT], gate[LP_VALUE_TEXT];
	enum lp_why_lack lack = lp_why_lacks(r);
	const char *more =
		s->split && r->accuses
			? "More than a third of its group differs at "
			  "this time, so nobody can be named."
		: lack != LP_LACKS_NOTHING ? sentences[lack]
		: accused                  ? ""
			  : "An option or a stronger finding keeps "
			    "it from being accused.";

	snprintf(text, sizeof(text),
		 "Its %s over %s, compared with its %s, %s: distance %s "
		 "(needed: above %s), effect %s (needed: %s).%s%s",
		 r->metric->name, window_text(r, window),
		 strcmp(r->kind, "change") == 0 ? "own past" : "peers",
		 accused && !lack ? "accuses it" : "comes nearest",
		 fixed(r->distance, 2, "", distance),
		 fixed(r->limit, 2, "", limit), percent(r, r->effect, effect),
		 percent(r, r->gate, gate), *more ? " " : "", more);
	lp_wrap(stdout,
		!accused ? "  Why not:   "
		: lack   ? "  Nearest:   "
			 : "  Why:       ",
		text);
}

void lp_why_print_scores(const struct lp_why *why,
			 const struct lp_why_scores *s, bool accused)
{
	const struct lp_reason *nearest = lp_why_nearest(s);

	if (!nearest) {
		lp_wrap(stdout, "  Why not:   ",
			"No score can be made of it at this time: it or its "
			"peers have too few samples, or too little work.");
		return;
	}
	print_nearest(s, nearest, accused);
	print_time(why, s, nearest);
	print_values(s);
	print_tables(s);
}

void lp_why_scores_legend(void)
{
	lp_wrap(stdout, "Columns:  ",
		"peers: their median. lowest, highest: the lowest and the "
		"highest peer. against: compared with its peers, or with its "
		"own past. "
		"distance: how sure the difference is, in units of the spread. "
		"effect: how large it is, beside its peers, or beside its "
		"past. accuses: both must reach what is needed. If not, it "
		"says which is missing: distance, effect or both. load: it "
		"must also be more loaded than its peers. level: it must still "
		"be worse than its peers. ratio: its share of lost bytes must "
		"be twice theirs. prior: the spread that is assumed of any "
		"group. between: how far apart its peers are, or how far they "
		"moved. within: how they scatter from block to block. before: "
		"its effect in the past. limpid-why(1) says more.");
}
