/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/count.h"

#include "stats/poisson.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define CONFIDENCE 0.95

static void add(struct lp_share *share, bool hit, bool counts)
{
	share->hits += hit && counts;
	share->of += counts;
}

double lp_share_percent(struct lp_share share)
{
	return share.of == 0 ? NAN
			     : 100.0 * (double)share.hits / (double)share.of;
}

/* NaN is none. */
static int put(struct lp_sample *sample, double v)
{
	if (lp_grow(&sample->items, &sample->capacity, sample->n + 1,
		    sizeof(double)) < 0)
		return -ENOMEM;
	if (!isnan(v))
		sample->items[sample->n++] = v;
	return 0;
}

double lp_sample_quantile(const struct lp_sample *sample, double p)
{
	return lp_quantile(sample->items, sample->n, p);
}

int lp_tally_add(struct lp_tally *t, const struct lp_score *score)
{
	double latency_s =
		score->latency_ns < 0 ? NAN : (double)score->latency_ns / 1e9;

	if (put(&t->latency_s, latency_s) < 0 ||
	    put(&t->start_off_s, fabs(score->start_error_s)) < 0 ||
	    put(&t->end_off_s, fabs(score->end_error_s)) < 0 ||
	    put(&t->bounds_s, score->start_width_s) < 0 ||
	    put(&t->bounds_s, score->end_width_s) < 0)
		return -ENOMEM;
	add(&t->bounds, score->start_holds, !isnan(score->start_width_s));
	add(&t->bounds, score->end_holds, !isnan(score->end_width_s));
	add(&t->itp, score->itp, !score->control);
	add(&t->ifp, score->ifp, true);
	add(&t->dtp, score->dtp, !score->control && score->has_cause);
	add(&t->dfp, score->dfp, score->has_cause);
	t->runs++;
	t->controls += score->control;
	t->false_alarms += score->false_alarms;
	t->server_hours += score->server_hours;
	t->healthy_hours += score->healthy_hours;
	return 0;
}

void lp_tally_done(struct lp_tally *tally)
{
	free(tally->latency_s.items);
	free(tally->start_off_s.items);
	free(tally->end_off_s.items);
	free(tally->bounds_s.items);
	*tally = (struct lp_tally){ 0 };
}

struct lp_rate lp_tally_rate(const struct lp_tally *tally)
{
	struct lp_rate rate = { NAN, NAN, NAN };
	double hours = tally->healthy_hours;

	if (!(hours > 0))
		return rate;
	lp_poisson_interval(tally->false_alarms, CONFIDENCE, &rate.low,
			    &rate.high);
	rate.per_hour = (double)tally->false_alarms / hours;
	rate.low /= hours;
	rate.high /= hours;
	return rate;
}
