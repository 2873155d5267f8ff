/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/episodes.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define VOTE_MAX 16
#define NORMAL_MAD 1.4826

/* ---- windows ---- */

int lp_windows_init(struct lp_windows *w, const struct lp_judged_run *run,
		    size_t length, size_t shift)
{
	int64_t every = (int64_t)shift * run->step_ns;

	*w = (struct lp_windows){ .length = length };
	w->ends = calloc(run->points / shift + 2, sizeof(*w->ends));
	if (!w->ends)
		return -ENOMEM;
	for (size_t k = length - 1; k < run->points; k++)
		if ((run->first_ns + (int64_t)k * run->step_ns) % every == 0)
			w->ends[w->n++] = k;
	return 0;
}

void lp_windows_done(struct lp_windows *w)
{
	free(w->ends);
	*w = (struct lp_windows){ 0 };
}

int64_t lp_window_end_ns(const struct lp_windows *w,
			 const struct lp_judged_run *run, size_t i)
{
	return run->first_ns + (int64_t)w->ends[i] * run->step_ns;
}

int64_t lp_window_begin_ns(const struct lp_windows *w,
			   const struct lp_judged_run *run, size_t i)
{
	return lp_window_end_ns(w, run, i) - (int64_t)w->length * run->step_ns;
}

double lp_window_sum(const struct lp_judged_group *group,
		     enum lp_quantity quantity, size_t peer,
		     const struct lp_windows *w, size_t i, size_t *seen)
{
	const double *values = group->values[quantity];
	size_t end = w->ends[i] + 1, known = 0;
	double sum = 0;

	for (size_t k = end - w->length; values && k < end; k++) {
		double v = values[k * group->n + peer];

		known += isnan(v) ? 0 : 1;
		sum += isnan(v) ? 0 : v;
	}
	if (seen)
		*seen = known;
	return known == 0 || 2 * known < w->length ? NAN : sum;
}

/* ---- the others ---- */

static size_t gather_others(const double *x, size_t n, size_t peer,
			    double *scratch)
{
	size_t others = 0;

	for (size_t i = 0; i < n; i++)
		if (i != peer && !isnan(x[i]))
			scratch[others++] = x[i];
	return others;
}

double lp_median_of_others(const double *x, size_t n, size_t peer,
			   double *scratch)
{
	size_t others = gather_others(x, n, peer, scratch);

	return others < 2 ? NAN : lp_median(scratch, others);
}

double lp_spread_of_others(const double *x, size_t n, size_t peer,
			   double *scratch)
{
	size_t others = gather_others(x, n, peer, scratch);

	return others < 2 ? NAN : NORMAL_MAD * lp_mad(scratch, others);
}

/* ---- votes ---- */

/* The k-th largest of the last 2k - 1 scores: above the limit, k are. */
static double voted(const double *scores, size_t i, unsigned k)
{
	size_t span = 2 * (size_t)k - 1,
	       first = i + 1 > span ? i + 1 - span : 0;
	double known[2 * VOTE_MAX];
	size_t n = 0;

	for (size_t j = first; j <= i; j++)
		if (!isnan(scores[j]))
			known[n++] = scores[j];
	return n < k ? -INFINITY : lp_select(known, n, n - k);
}

/* The first window above the limit of those that vote in window i. */
static size_t first_over(const double *scores, size_t i, unsigned k,
			 double limit)
{
	size_t span = 2 * (size_t)k - 1, j = i + 1 > span ? i + 1 - span : 0;

	while (j < i && !(scores[j] > limit))
		j++;
	return j;
}

int lp_episodes_add(const struct lp_judged_run *run, const struct lp_windows *w,
		    const double *scores, unsigned k, double limit,
		    const struct lp_indictment *who, struct lp_alarms *alarms)
{
	struct lp_indictment alarm = *who;
	bool open = false;
	int status = 0;

	for (size_t i = 0; i < w->n && status == 0; i++) {
		double score = voted(scores, i, k);
		int64_t end_ns = lp_window_end_ns(w, run, i);

		if (open && !(score > limit))
			status = lp_alarms_add(alarms, &alarm);
		if (!open && score > limit) {
			alarm.known_ns = end_ns;
			alarm.since_ns = lp_window_begin_ns(
				w, run, first_over(scores, i, k, limit));
			alarm.score = score;
		}
		open = score > limit;
		if (open && scores[i] > limit)
			alarm.until_ns = end_ns;
		if (open && score > alarm.score)
			alarm.score = score;
	}
	alarm.lasting = open && w->n > 0 && scores[w->n - 1] > limit;
	return open && status == 0 ? lp_alarms_add(alarms, &alarm) : status;
}
