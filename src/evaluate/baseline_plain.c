/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plainest score on good quantities. In windows of 60 s every 30 s
 *
 *     z = (level - median of the others) / max(1.4826 MAD of the others, floor)
 *
 * and z above 5 in 3 of 5 windows accuses. What accuses on one server at about
 * the same time is one finding. Its cause is by what is farthest beyond the
 * effect that would matter; load explains latency, and it explains loss.
 */
#include "evaluate/episodes.h"

#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_NS (60 * LP_NS_PER_S)
#define VOTES 3
#define LIMIT 5
#define LEAST_REQUESTS 8.0
#define LEAST_DISK_RATE 200.0 /* sectors/s */
#define LEAST_LINK_RATE 100e3 /* bytes/s */

/* What it would take to matter; in the cause the largest multiple wins. */
struct ground {
	enum lp_cause cause;
	double floor, gate;
};

enum { SERVICE, AWAIT, TAKEN, GIVEN, LOSS, GROUNDS };

static const struct ground disk_grounds[GROUNDS] = {
	[SERVICE] = { LP_CAUSE_DISK_BUSY, 0.02, 0.223 }, /* ln 1.25 */
	[AWAIT] = { LP_CAUSE_DISK_BUSY, 0.2, 0.5 },
	[TAKEN] = { LP_CAUSE_DISK_HOG, 0.1, 0.25 },
	[GIVEN] = { LP_CAUSE_DISK_HOG, 0.1, 0.25 },
};
static const struct ground link_grounds[GROUNDS] = {
	[TAKEN] = { LP_CAUSE_NETWORK_HOG, 0.1, 0.5 },
	[GIVEN] = { LP_CAUSE_NETWORK_HOG, 0.1, 0.5 },
	/* Queues behind a disk or a hog make up to 0.2 % of loss. */
	[LOSS] = { LP_CAUSE_PACKET_LOSS, 0.001, 0.005 },
};

/* Room for one group. */
struct work {
	const struct lp_judged_run *run;
	const struct lp_judged_group *g;
	const struct lp_windows *w;
	double limit;
	double *z, *effect; /* [windows][n] */
	double *level;      /* [4][n]: levels, a second one, room */
	double *own;        /* [windows] of one component */
};

/* ---- levels of a window ---- */

static double seconds(const struct work *k)
{
	return (double)k->run->step_ns / 1e9;
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* Busy time per request and per byte, as logarithms. */
static void service_levels(const struct work *k, size_t i, double *a, double *b)
{
	for (size_t p = 0; p < k->g->n; p++) {
		double busy = lp_window_sum(k->g, LP_BUSY, p, k->w, i, NULL);
		double requests =
			lp_window_sum(k->g, LP_REQUESTS, p, k->w, i, NULL);
		double bytes =
			lp_window_sum(k->g, LP_THROUGHPUT, p, k->w, i, NULL);
		bool works = requests * seconds(k) >= LEAST_REQUESTS &&
			     busy > 0 && bytes > 0;

		a[p] = works ? log(busy / requests) : NAN;
		b[p] = works ? log(busy / bytes) : NAN;
	}
}

static double await_level(const struct work *k, size_t i, size_t p)
{
	double wait = lp_window_sum(k->g, LP_WAIT, p, k->w, i, NULL);
	double requests = lp_window_sum(k->g, LP_REQUESTS, p, k->w, i, NULL);
	size_t seen;
	double sum;

	if (!isnan(wait) && !isnan(requests))
		return requests * seconds(k) >= LEAST_REQUESTS
			       ? 1000 * wait / requests
			       : NAN;
	sum = lp_window_sum(k->g, LP_DELAY, p, k->w, i, &seen);
	return sum / (double)seen;
}

static double level_of(const struct work *k, int ground, size_t i, size_t p)
{
	size_t seen;
	double sum;

	if (ground == AWAIT)
		return await_level(k, i, p);
	if (ground == LOSS)
		return ratio(lp_window_sum(k->g, LP_RESENT, p, k->w, i, NULL),
			     lp_window_sum(k->g, LP_SENT, p, k->w, i, NULL));
	sum = lp_window_sum(k->g, ground == TAKEN ? LP_TAKEN : LP_GIVEN, p,
			    k->w, i, &seen);
	return sum / (double)seen;
}

/* ---- scores of a window ---- */

/* The unit in which a difference is measured. */
static double unit_of(const struct work *k, int ground, size_t i, size_t p)
{
	double *scratch = k->level + 2 * k->g->n, *both = scratch + k->g->n;
	double least = lp_class_is_storage(k->g->class) ? LEAST_DISK_RATE
							: LEAST_LINK_RATE;

	if (ground == LOSS)
		return 1;
	if (ground == AWAIT)
		return fmax(lp_median_of_others(k->level, k->g->n, p, scratch),
			    1 / disk_grounds[AWAIT].floor);
	for (size_t q = 0; q < k->g->n; q++)
		both[q] = level_of(k, TAKEN, i, q) + level_of(k, GIVEN, i, q);
	return fmax(lp_median_of_others(both, k->g->n, p, scratch), least);
}

static double z_of(const struct work *k, const double *level, size_t p,
		   double floor, double *difference)
{
	double *scratch = k->level + 2 * k->g->n;
	size_t n = k->g->n;

	*difference = level[p] - lp_median_of_others(level, n, p, scratch);
	return *difference /
	       fmax(lp_spread_of_others(level, n, p, scratch), floor);
}

/* A slow disk raises both; other sizes of requests raise one. */
static void score_service(const struct work *k, size_t i, double floor)
{
	size_t n = k->g->n;
	double *a = k->level, *b = k->level + n;

	service_levels(k, i, a, b);
	for (size_t p = 0; p < n; p++) {
		double ra, rb, za = z_of(k, a, p, floor, &ra);
		double zb = z_of(k, b, p, floor, &rb);
		bool known = !isnan(za) && !isnan(zb);

		k->z[i * n + p] = known ? fmin(za, zb) : NAN;
		k->effect[i * n + p] = known ? fmin(ra, rb) : NAN;
	}
}

static void score_window(const struct work *k, int ground,
			 const struct ground *how, size_t i)
{
	size_t n = k->g->n;

	if (ground == SERVICE) {
		score_service(k, i, how->floor);
		return;
	}
	for (size_t p = 0; p < n; p++)
		k->level[p] = level_of(k, ground, i, p);
	for (size_t p = 0; p < n; p++) {
		double unit = unit_of(k, ground, i, p), difference;

		k->z[i * n + p] =
			z_of(k, k->level, p, how->floor * unit, &difference);
		k->effect[i * n + p] = difference / unit;
	}
}

/* ---- alarms ---- */

/* The largest effect while it was accused; score is how often it matters. */
static void weigh(const struct work *k, size_t p, double gate,
		  struct lp_indictment *alarm)
{
	double most = 0;

	for (size_t i = 0; i < k->w->n; i++) {
		int64_t end_ns = lp_window_end_ns(k->w, k->run, i);
		size_t at = i * k->g->n + p;

		if (end_ns > alarm->since_ns && end_ns <= alarm->until_ns &&
		    k->z[at] > k->limit && k->effect[at] > most)
			most = k->effect[at];
	}
	alarm->score = most / gate;
}

static int judge_ground(const struct work *k, int ground,
			const struct ground *how, struct lp_alarms *alarms)
{
	size_t n = k->g->n;
	int status = 0;

	for (size_t i = 0; i < k->w->n; i++)
		score_window(k, ground, how, i);
	for (size_t p = 0; p < n && status == 0; p++) {
		struct lp_indictment who = { .host = k->g->hosts[p],
					     .component = k->g->labels[p],
					     .cause = how->cause };
		size_t before = alarms->n;

		for (size_t i = 0; i < k->w->n; i++)
			k->own[i] = k->z[i * n + p];
		status = lp_episodes_add(k->run, k->w, k->own, VOTES, k->limit,
					 &who, alarms);
		for (; before < alarms->n; before++)
			weigh(k, p, how->gate, &alarms->items[before]);
	}
	return status;
}

static bool has_ground(const struct lp_judged_group *g, int ground)
{
	static const enum lp_quantity needs[GROUNDS] = {
		[SERVICE] = LP_BUSY, [AWAIT] = LP_DELAY, [TAKEN] = LP_TAKEN,
		[GIVEN] = LP_GIVEN,  [LOSS] = LP_RESENT,
	};

	return g->values[needs[ground]] != NULL;
}

static int judge_group(struct work *k, struct lp_alarms *alarms)
{
	const struct ground *grounds =
		lp_class_is_storage(k->g->class) ? disk_grounds : link_grounds;
	size_t n = k->g->n, all = k->w->n * n + 1;
	int status = 0;

	k->z = calloc(all, sizeof(double));
	k->effect = calloc(all, sizeof(double));
	k->level = calloc(4 * n + 1, sizeof(double));
	k->own = calloc(k->w->n + 1, sizeof(double));
	if (!k->z || !k->effect || !k->level || !k->own)
		status = -ENOMEM;
	for (int i = 0; i < GROUNDS && status == 0; i++)
		if (grounds[i].gate > 0 && has_ground(k->g, i))
			status = judge_ground(k, i, &grounds[i], alarms);
	free(k->z);
	free(k->effect);
	free(k->level);
	free(k->own);
	return status;
}

/* ---- findings of a server ---- */

static bool is_load(enum lp_cause cause)
{
	return cause == LP_CAUSE_DISK_HOG || cause == LP_CAUSE_NETWORK_HOG;
}

static bool is_of_disk(enum lp_cause cause)
{
	return cause == LP_CAUSE_DISK_HOG || cause == LP_CAUSE_DISK_BUSY;
}

/* Of two on one server at one time: is the second the cause? */
static bool is_rather(const struct lp_indictment *a,
		      const struct lp_indictment *b)
{
	if (is_of_disk(a->cause) == is_of_disk(b->cause) &&
	    is_load(a->cause) != is_load(b->cause))
		return is_load(b->cause);
	return b->score > a->score;
}

static void join(struct lp_indictment *into, const struct lp_indictment *other)
{
	struct lp_indictment both = is_rather(into, other) ? *other : *into;

	both.score = fmax(into->score, other->score);
	both.since_ns = into->since_ns < other->since_ns ? into->since_ns
							 : other->since_ns;
	both.until_ns = into->until_ns > other->until_ns ? into->until_ns
							 : other->until_ns;
	both.known_ns = into->known_ns < other->known_ns ? into->known_ns
							 : other->known_ns;
	both.lasting = into->lasting || other->lasting;
	*into = both;
}

/* Two disks are two; what is sent and received is one network. */
static bool belong_together(const struct lp_indictment *a,
			    const struct lp_indictment *b)
{
	if (is_of_disk(a->cause) && is_of_disk(b->cause) &&
	    strcmp(a->component, b->component) != 0)
		return false;
	return strcmp(a->host, b->host) == 0 &&
	       a->since_ns <= b->until_ns + WINDOW_NS &&
	       b->since_ns <= a->until_ns + WINDOW_NS;
}

static void join_all(struct lp_alarms *alarms)
{
	for (size_t i = 0; i < alarms->n; i++)
		for (size_t k = i + 1; k < alarms->n;) {
			if (!belong_together(&alarms->items[i],
					     &alarms->items[k])) {
				k++;
				continue;
			}
			join(&alarms->items[i], &alarms->items[k]);
			alarms->items[k] = alarms->items[--alarms->n];
			k = i + 1;
		}
}

static int judge(const struct lp_judged_run *run, double limit,
		 struct lp_alarms *alarms)
{
	size_t length = run->step_ns < WINDOW_NS
				? (size_t)(WINDOW_NS / run->step_ns)
				: 1;
	struct lp_windows w;
	int status = lp_windows_init(&w, run, length, (length + 1) / 2);

	for (size_t i = 0; i < run->n_groups && status == 0; i++) {
		struct work k = { .run = run,
				  .g = &run->groups[i],
				  .w = &w,
				  .limit = limit };

		status = judge_group(&k, alarms);
	}
	join_all(alarms);
	lp_windows_done(&w);
	return status;
}

const struct lp_baseline lp_baseline_plain = {
	.name = "plain",
	.help = "a robust z score above 5 of service time, await, throughput "
		"and loss",
	.limit = LIMIT,
	.window_ns = WINDOW_NS,
	.names_cause = true,
	.judge = judge,
};
