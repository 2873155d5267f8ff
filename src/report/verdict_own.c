/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid's own method says of itself: how often it errs, and how small a
 * difference it would have seen.
 */
#include "base/number.h"
#include "report/verdict.h"

#include <math.h>
#include <string.h>

static const struct lp_method *own_method(const struct lp_findings *d)
{
	for (size_t i = 0; i < d->n_methods; i++)
		if (d->methods[i].block_ns > 0)
			return &d->methods[i];
	return NULL;
}

bool lp_verdict_is_own(const struct lp_findings *d)
{
	return own_method(d) != NULL;
}

/* ---- limits ---- */

/* The comparison whose limit rests on the least: the lab before a site. */
static const struct lp_comparison *weakest_limit(const struct lp_findings *d)
{
	const struct lp_comparison *found = NULL;

	for (size_t i = 0; i < d->n_comparisons; i++) {
		const struct lp_comparison *c = &d->comparisons[i];

		if (!c->limit_by || !c->values)
			continue;
		if (strcmp(c->limit_by, "lab") == 0)
			return c;
		if (!found || c->tail_hours < found->tail_hours)
			found = c;
	}
	return found;
}

static void limits_of(const struct lp_findings *d, double *low, double *high)
{
	*low = INFINITY;
	*high = 0;
	for (size_t i = 0; i < d->n_comparisons; i++)
		if (d->comparisons[i].limit_by && d->comparisons[i].values) {
			*low = fmin(*low, d->comparisons[i].threshold);
			*high = fmax(*high, d->comparisons[i].threshold);
		}
}

const char *lp_verdict_limit(const struct lp_findings *d,
			     char text[LP_LIMIT_TEXT])
{
	const struct lp_comparison *c = weakest_limit(d);
	char ground[120] = "";
	double low, high;
	size_t used;

	text[0] = '\0';
	if (!c)
		return text;
	limits_of(d, &low, &high);
	used = (size_t)snprintf(text, LP_LIMIT_TEXT,
				"A distance above %.1f accuses", low);
	if (high - low >= 0.05)
		used += (size_t)snprintf(text + used, LP_LIMIT_TEXT - used,
					 " (in some groups above %.1f)", high);
	if (!d->budget)
		return text;
	if (strcmp(c->limit_by, "lab") == 0)
		snprintf(ground, sizeof(ground), "as measured in limpid's lab");
	else
		snprintf(ground, sizeof(ground),
			 "as measured on %.0f hours of healthy components of "
			 "%s",
			 c->tail_hours,
			 strcmp(c->limit_by, "site") == 0 ? "this site"
							  : "this recording");
	snprintf(text + used, LP_LIMIT_TEXT - used, ": about %s, %s", d->budget,
		 ground);
	return text;
}

/* ---- what would have been seen ---- */

/* Who would have to be ten times worse is not seen at all. */
#define TOO_MUCH 2.302585092994046 /* ln 10 */

/* The largest of all groups of a class with a quantity; NaN: unknown. */
static double largest(const struct lp_findings *d, const char *metric,
		      bool change)
{
	double most = NAN;

	for (size_t i = 0; i < d->n_comparisons; i++) {
		const struct lp_comparison *c = &d->comparisons[i];

		if (c->limit_by && strcmp(c->metric, metric) == 0)
			most = fmax(most,
				    change ? c->least_change : c->least_level);
	}
	return most;
}

/* Which quantity of this role is judged, and how small it may be. */
struct seen {
	const struct lp_metric *metric;
	double level, change;
};

static struct seen see(const struct lp_findings *d, enum lp_metric_role role,
		       enum lp_resource resource)
{
	struct seen seen = { NULL, NAN, NAN };

	for (size_t c = 0; lp_classes[c]; c++)
		for (size_t q = 0; q < lp_classes[c]->n_quantities; q++) {
			const struct lp_metric *m =
				&lp_classes[c]->quantities[q];

			if (m->role != role || m->resource != resource)
				continue;
			seen.metric = m;
			seen.level =
				fmax(seen.level, largest(d, m->name, false));
			seen.change =
				fmax(seen.change, largest(d, m->name, true));
		}
	if (seen.level > TOO_MUCH)
		seen.level = NAN;
	if (seen.change > TOO_MUCH)
		seen.change = NAN;
	return seen;
}

/* A new part of the sentence, behind those before. */
static void add(char text[LP_SEEN_TEXT], const char *part)
{
	size_t used = strlen(text);

	snprintf(text + used, LP_SEEN_TEXT - used, "%s%s", used ? "; " : "",
		 part);
}

static void see_times(const struct lp_findings *d, char text[LP_SEEN_TEXT])
{
	struct seen s = see(d, LP_SERVICE, LP_STORAGE);
	char part[120];

	if (isnan(s.level))
		s = see(d, LP_LATENCY, LP_STORAGE);
	if (isnan(s.level))
		return;
	if (isnan(s.change))
		snprintf(part, sizeof(part),
			 "a disk that was %.0f %% slower than its peers",
			 ceil(100 * expm1(s.level)));
	else
		snprintf(part, sizeof(part),
			 "a disk that became %.0f %% slower, or was %.0f %% "
			 "slower all the time",
			 ceil(100 * expm1(s.change)),
			 ceil(100 * expm1(s.level)));
	add(text, part);
}

static void see_load(const struct lp_findings *d, enum lp_resource resource,
		     const char *what, char text[LP_SEEN_TEXT])
{
	struct seen s = see(d, LP_LOAD, resource);
	char part[120];

	if (isnan(s.level))
		return;
	snprintf(part, sizeof(part), "%.0f %% more load on %s",
		 ceil(100 * s.level), what);
	add(text, part);
}

static void see_loss(const struct lp_findings *d, char text[LP_SEEN_TEXT])
{
	struct seen s = see(d, LP_LOSS, LP_NETWORK);
	char part[120];

	if (isnan(s.level))
		return;
	snprintf(part, sizeof(part), "%.2g %% of bytes retransmitted",
		 100 * s.level);
	add(text, part);
}

const char *lp_verdict_seen(const struct lp_findings *d,
			    char text[LP_SEEN_TEXT])
{
	text[0] = '\0';
	see_times(d, text);
	see_load(d, LP_STORAGE, "a disk", text);
	see_load(d, LP_NETWORK, "an interface", text);
	see_loss(d, text);
	return text;
}
