/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Perseus (Lu and others, FAST'23), for each node and day:
 *
 * - Of all entries (throughput, latency) of its disks, outliers are removed, by
 *   principal components and DBSCAN (4.2).
 * - A polynomial of the latency by the throughput is fitted to the others, with
 *   its 99.9 % upper prediction bound (4.3).
 * - The slowdown ratio of an entry is its latency divided by the bound. An
 *   event is a window of 5 minutes whose median ratio is above 1 (4.4).
 * - How long and how much a disk was slowed down on a day gives one of five
 *   levels, which weigh 100, 25, 10, 5 and 1. The sum over days is its risk
 *   score (4.5).
 *
 * Here the node is the peer group, and the score is divided by the number of
 * days. What we do not know of it, docs/methods/baselines.md tells: parameters
 * of DBSCAN, the degree, the limits of the levels, and the score from which a
 * disk is accused. The first and the last were chosen in its favour, on the
 * data that its authors published.
 */
#include "evaluate/entries.h"

#include "stats/dbscan.h"
#include "stats/parabola.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define CONFIDENCE 0.999
#define SLOW 1.0        /* ratio */
#define NEIGHBOURS 0.01 /* of all entries */
#define LEAST_NEIGHBOURS 5.0
#define DAY_NS (24 * 3600 * (int64_t)1000000000)
#define LIMIT 0.99 /* on average a minor risk (1) or worse */

/* Of a day of three hours: 30 minutes, one hour, two hours. */
static const double shares[] = { 1.0 / 6, 1.0 / 3, 2.0 / 3 };
static const double ratios_from[] = { 1, 2, 5 };
/* By both: minor, low, moderate, high, extreme. */
static const double weights[3][3] = {
	{ 1, 5, 10 },
	{ 5, 10, 25 },
	{ 10, 25, 100 },
};

/* Room for one group. */
struct work {
	const struct lp_disk_entries *e;
	double *x, *y, *u, *v; /* [points * n]: entries of a day */
	bool *kept;
	double *ratio;   /* [n][points] */
	double *windows; /* [points] */
	bool *slow;      /* [points] */
};

static bool work_init(struct work *w, const struct lp_disk_entries *e)
{
	size_t all = e->run.points * e->n + 1;

	*w = (struct work){ .e = e,
			    .x = calloc(all, sizeof(double)),
			    .y = calloc(all, sizeof(double)),
			    .u = calloc(all, sizeof(double)),
			    .v = calloc(all, sizeof(double)),
			    .kept = calloc(all, sizeof(bool)),
			    .ratio = calloc(all, sizeof(double)),
			    .windows =
				    calloc(e->run.points + 1, sizeof(double)),
			    .slow = calloc(e->run.points + 1, sizeof(bool)) };
	return w->x && w->y && w->u && w->v && w->kept && w->ratio &&
	       w->windows && w->slow;
}

static void work_done(struct work *w)
{
	free(w->x);
	free(w->y);
	free(w->u);
	free(w->v);
	free(w->kept);
	free(w->ratio);
	free(w->windows);
	free(w->slow);
}

/* ---- the model of a day ---- */

/* Less the mean, by the standard deviation. False: all are equal. */
static bool standardise(const double *from, double *to, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += from[i];
	for (size_t i = 0; i < n; i++) {
		to[i] = from[i] - sum / (double)n;
		squares += to[i] * to[i];
	}
	for (size_t i = 0; i < n; i++)
		to[i] /= sqrt(squares / (double)n);
	return squares > 0;
}

/*
 * Principal components of two standardised variables are their sum and their
 * difference, of variance 1 + r and 1 - r. Scaled by that, what lies beside the
 * common direction weighs more.
 */
static bool to_components(struct work *w, size_t n)
{
	double r = 0;

	if (!standardise(w->x, w->u, n) || !standardise(w->y, w->v, n))
		return false;
	for (size_t i = 0; i < n; i++)
		r += w->u[i] * w->v[i] / (double)n;
	if (!(fabs(r) < 1 - 1e-9))
		return false;
	for (size_t i = 0; i < n; i++) {
		double a = w->u[i], b = w->v[i];

		w->u[i] = (a + b) / sqrt(2 * (1 + r));
		w->v[i] = (b - a) / sqrt(2 * (1 - r));
	}
	return true;
}

/* All entries of these points that have both values. */
static size_t gather(struct work *w, size_t from, size_t to)
{
	const struct lp_disk_entries *e = w->e;
	size_t n = 0;

	for (size_t k = from * e->n; k < to * e->n; k++)
		if (!isnan(e->latency_ms[k]) && !isnan(e->throughput[k])) {
			w->x[n] = e->throughput[k];
			w->y[n++] = e->latency_ms[k];
		}
	return n;
}

/*
 * Within d of the middle of a normal cloud are d² / 2 of its points. The
 * distance is that with twice as many as a core needs: 0.2 of a day's entries.
 */
static int remove_outliers(struct work *w, size_t n)
{
	double least = fmax(NEIGHBOURS * (double)n, LEAST_NEIGHBOURS);

	return lp_dbscan_largest(w->u, w->v, n, sqrt(4 * least / (double)n),
				 (size_t)least, w->kept);
}

/* 1: there is a model; 0: these entries make none. */
static int fit_day(struct work *w, size_t from, size_t to,
		   struct lp_parabola *model)
{
	size_t n = gather(w, from, to), kept = 0;
	int status;

	if (n == 0 || !to_components(w, n))
		return 0;
	status = remove_outliers(w, n);
	if (status < 0)
		return status;
	for (size_t i = 0; i < n; i++)
		if (w->kept[i]) {
			w->x[kept] = w->x[i];
			w->y[kept++] = w->y[i];
		}
	return lp_parabola_fit(model, w->x, w->y, kept, CONFIDENCE);
}

static int rate_day(struct work *w, size_t from, size_t to)
{
	const struct lp_disk_entries *e = w->e;
	struct lp_parabola model;
	int status = fit_day(w, from, to, &model);

	for (size_t k = from; k < to; k++)
		for (size_t p = 0; p < e->n; p++) {
			double bound =
				status > 0
					? lp_parabola_bound(
						  &model,
						  e->throughput[k * e->n + p])
					: NAN;
			double ratio = e->latency_ms[k * e->n + p] / bound;

			w->ratio[p * e->run.points + k] =
				bound > 0 ? ratio : NAN;
		}
	return status < 0 ? status : 0;
}

/* ---- the risk of a disk ---- */

static int64_t time_of(const struct lp_disk_entries *e, size_t k)
{
	return e->run.first_ns + (int64_t)k * e->run.step_ns;
}

/* The first entry of the next day. */
static size_t day_end(const struct lp_disk_entries *e, size_t k)
{
	int64_t day = time_of(e, k) / DAY_NS;

	while (k < e->run.points && time_of(e, k) / DAY_NS == day)
		k++;
	return k;
}

static size_t band(const double *from, double v)
{
	return v >= from[2] ? 2 : v >= from[1];
}

/* The weight of the day's level. *days: counted if anything was recorded. */
static double weigh_day(struct work *w, size_t disk, size_t from, size_t to,
			size_t *days)
{
	const double *ratio = w->ratio + disk * w->e->run.points;
	size_t known = 0, slow = 0;
	double share;

	for (size_t k = from; k < to; k++) {
		known += isnan(ratio[k]) ? 0 : 1;
		if (w->slow[k] && !isnan(ratio[k]))
			w->x[slow++] = ratio[k];
	}
	*days += known > 0;
	share = known ? (double)slow / (double)known : 0;
	if (share < shares[0])
		return 0;
	return weights[band(ratios_from, lp_median(w->x, slow))]
		      [band(shares, share)];
}

/* Which entries are in a window that is an event; the first of these windows.
 */
static size_t mark_slow(struct work *w, const double *ratio)
{
	size_t points = w->e->run.points, first = points;

	lp_entries_windows(ratio, points, w->windows);
	for (size_t k = 0; k < points; k++)
		w->slow[k] = false;
	for (size_t k = 0; k < points; k++) {
		if (!(w->windows[k] > SLOW))
			continue;
		if (first == points)
			first = k;
		for (size_t i = k + 1 > LP_ENTRY_WINDOW
					? k + 1 - LP_ENTRY_WINDOW
					: 0;
		     i <= k; i++)
			w->slow[i] |= ratio[i] > SLOW;
	}
	return first;
}

static void set_times(const struct work *w, size_t first,
		      struct lp_indictment *alarm)
{
	size_t from = 0, last = w->e->run.points - 1;

	while (!w->slow[from])
		from++;
	while (!w->slow[last])
		last--;
	alarm->since_ns = time_of(w->e, from) - w->e->run.step_ns;
	alarm->until_ns = time_of(w->e, last);
	alarm->known_ns = time_of(w->e, first);
	alarm->lasting = last + 1 == w->e->run.points;
}

static int judge_disk(struct work *w, size_t disk, double limit,
		      struct lp_indictment *alarm, struct lp_alarms *alarms)
{
	size_t points = w->e->run.points, days = 0;
	size_t first = mark_slow(w, w->ratio + disk * points);
	double score = 0;

	for (size_t k = 0; k < points;) {
		size_t end = day_end(w->e, k);

		score += weigh_day(w, disk, k, end, &days);
		k = end;
	}
	if (first == points || !(score > limit * (double)days))
		return 0;
	alarm->score = score / (double)days;
	set_times(w, first, alarm);
	return lp_alarms_add(alarms, alarm);
}

static int judge_group(const struct lp_judged_run *run,
		       const struct lp_judged_group *g, double limit,
		       struct lp_alarms *alarms)
{
	struct lp_disk_entries e;
	struct work w = { 0 };
	int status = lp_entries_init(&e, run, g);

	if (status == 0 && !work_init(&w, &e))
		status = -ENOMEM;
	for (size_t k = 0; status == 0 && k < e.run.points;) {
		size_t end = day_end(&e, k);

		status = rate_day(&w, k, end);
		k = end;
	}
	for (size_t p = 0; status == 0 && p < g->n; p++) {
		struct lp_indictment alarm = { .host = g->hosts[p],
					       .component = g->labels[p],
					       .cause = LP_CAUSE_DISK_BUSY };

		status = judge_disk(&w, p, limit, &alarm, alarms);
	}
	work_done(&w);
	lp_entries_done(&e);
	return status;
}

static int judge(const struct lp_judged_run *run, double limit,
		 struct lp_alarms *alarms)
{
	int status = 0;

	for (size_t i = 0; i < run->n_groups && status == 0; i++)
		if (run->groups[i].values[LP_DELAY] &&
		    run->groups[i].values[LP_THROUGHPUT])
			status = judge_group(run, &run->groups[i], limit,
					     alarms);
	return status;
}

const struct lp_baseline lp_baseline_perseus = {
	.name = "perseus",
	.help = "Perseus (FAST'23): latency above what the throughput explains",
	.limit = LIMIT,
	.window_ns = LP_ENTRY_WINDOW * LP_ENTRY_NS,
	.judge = judge,
};
