/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks of one host of which nothing but the names is known: a system disk, a
 * scratch disk and a backup disk look like three peers. They are taken for
 * peers only if they share a load, which is what a file system that stripes
 * over them makes them do.
 *
 * The recording is cut into spans. In a span, two disks of which one reads r
 * and writes w and the other r' and w' are alike if
 *
 *         |r - r'| + |w - w'|  <=  (r + w + r' + w') / 3
 *
 * that is, if at least two thirds of what both do, they do both; for disks that
 * only read or only write, if none does more than twice as much as the other.
 * Members of a RAID array differ by less than a tenth over such a time, and
 * placement at random or by capacity stays within a factor of two, while disks
 * of different use differ by far more most of the time. The factor was chosen
 * from that, before it was tried on any recording.
 *
 * Two disks are alike if they are in more than half of the spans in which at
 * least one of them worked: a fault that moves load may last, but not for most
 * of the recording.
 */
#include "cluster/planner.h"
#include "detect/detector.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/*
 * By how much was done; the first that is recorded counts. It is quiet below
 * the metric's floor, which a host's own work comes to and which tells nothing.
 */
static const struct measure {
	enum lp_flow read, written; /* of loads; the same: one for both */
	bool total;
} measures[] = {
	{ LP_FLOW_OUT, LP_FLOW_IN, false },
	{ LP_FLOW_ANY, LP_FLOW_ANY, true },
	{ LP_FLOW_ANY, LP_FLOW_ANY, false },
};

/* Of a metric that has no floor, requests. */
#define QUIET_REQUESTS 1

/* Points of a span, half a minute of samples at 1 s; fewer of long steps. */
#define SPAN 30
#define COARSE_SPAN 6
#define LEAST_SPANS 4
#define COARSE_LEAST_SPANS 3

struct work {
	double read, written; /* NaN: not known */
};

struct look {
	const struct lp_planner *p;
	const size_t *items;
	size_t n, n_spans, least;
	struct work *work; /* [n][n_spans] */
	double *share;     /* [n][n]: of the spans, in which two are alike */
	size_t *alike;     /* [n]: how many in no group yet are alike to it */
};

/* What a disk is given to do, all of it or one way. -1: not recorded. */
static long find_load(const struct lp_matrix *matrix, enum lp_flow flow,
		      bool total)
{
	const struct lp_matrix_metric *all = lp_matrix_metrics(matrix);

	for (long i = 0; all[i].class; i++) {
		const struct lp_metric *m = all[i].metric;

		if (lp_class_is_storage(all[i].class) && m->role == LP_LOAD &&
		    m->flow == flow && m->total == total && !m->minor)
			return i;
	}
	return -1;
}

static double quiet_of(const struct lp_matrix *matrix, long metric)
{
	double floor = lp_matrix_metrics(matrix)[metric].metric->floor.idle;

	return floor > 0 ? floor : QUIET_REQUESTS;
}

/* The mean over the points of a span, if at least half of them have values. */
static double mean_of(const struct lp_matrix *matrix, long metric,
		      size_t component, size_t first, size_t n)
{
	size_t known = 0;
	double sum = 0;

	for (size_t k = first; metric >= 0 && k < first + n; k++) {
		double v =
			lp_matrix_value(matrix, (size_t)metric, component, k);

		known += isnan(v) ? 0 : 1;
		sum += isnan(v) ? 0 : v;
	}
	return known && 2 * known >= n ? sum / (double)known : NAN;
}

/* Whether anything at all is known by this measure; *quiet: up to what. */
static bool fill(struct look *l, const struct measure *m, size_t points,
		 double *quiet)
{
	const struct lp_matrix *matrix = l->p->matrix;
	long read = find_load(matrix, m->read, m->total);
	long written = m->read == m->written
			       ? -1
			       : find_load(matrix, m->written, m->total);
	bool any = false;

	for (size_t i = 0; i < l->n; i++) {
		size_t c = l->p->components[l->items[i]];

		for (size_t s = 0; s < l->n_spans; s++) {
			struct work *w = &l->work[i * l->n_spans + s];

			w->read = mean_of(matrix, read, c, s * points, points);
			w->written =
				mean_of(matrix, written, c, s * points, points);
			/* Where only one is recorded, it stands for both. */
			if (isnan(w->read) != isnan(w->written)) {
				w->read = fmax(w->read, 0);
				w->written = fmax(w->written, 0);
			}
			any = any || !isnan(w->read + w->written);
		}
	}
	if (any)
		*quiet = quiet_of(matrix, read >= 0 ? read : written);
	return any;
}

/* In which share of the time they are alike; *judged: that can be told. */
static double share_of(const struct look *l, size_t i, size_t j, double quiet,
		       bool *judged)
{
	size_t looked = 0, alike = 0;

	for (size_t s = 0; s < l->n_spans; s++) {
		const struct work *x = &l->work[i * l->n_spans + s];
		const struct work *y = &l->work[j * l->n_spans + s];
		double a = x->read + x->written, b = y->read + y->written;
		double apart =
			fabs(x->read - y->read) + fabs(x->written - y->written);

		if (isnan(a + b) || fmax(a, b) <= quiet)
			continue;
		looked++;
		alike += 3 * apart <= a + b;
	}
	if (looked < l->least)
		return 0;
	*judged = true;
	return (double)alike / (double)looked;
}

static bool is_alike(const struct look *l, size_t i, size_t j)
{
	return i != j && l->share[i * l->n + j] > 0.5;
}

/* ---- groups ---- */

static void put(const struct look *l, uint32_t *group, size_t i,
		uint32_t number)
{
	group[i] = number;
	for (size_t j = 0; j < l->n; j++)
		l->alike[j] -= is_alike(l, i, j);
}

/* The first with the most that are alike; n: none has enough for a group. */
static size_t find_core(const struct look *l, const uint32_t *group)
{
	size_t core = l->n, most = LP_GROUP_LEAST - 2;

	for (size_t i = 0; i < l->n; i++)
		if (group[i] == LP_GROUP_NONE && l->alike[i] > most) {
			core = i;
			most = l->alike[i];
		}
	return core;
}

/* The disk with the most that are alike, and these, are a group; and again. */
static void gather(const struct look *l, struct lp_likeness *likeness)
{
	uint32_t *group = likeness->group;
	size_t core;

	while ((core = find_core(l, group)) < l->n) {
		uint32_t number = (uint32_t)likeness->n_groups++;

		for (size_t j = 0; j < l->n; j++)
			if (group[j] == LP_GROUP_NONE && is_alike(l, core, j)) {
				likeness->share =
					fmin(likeness->share,
					     l->share[core * l->n + j]);
				put(l, group, j, number);
			}
		put(l, group, core, number);
	}
}

static void compare(struct look *l, double quiet, bool *judged)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; j < i; j++)
			l->share[i * l->n + j] = l->share[j * l->n + i] =
				share_of(l, i, j, quiet, judged);
	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; j < l->n; j++)
			l->alike[i] += is_alike(l, i, j);
}

int lp_likeness_find(const struct lp_planner *p, const size_t *items, size_t n,
		     struct lp_likeness *likeness)
{
	int64_t first, step = lp_matrix_step(p->matrix);
	bool coarse = step > LP_COARSE_STEP_NS;
	size_t span = coarse ? COARSE_SPAN : SPAN;
	size_t points = lp_matrix_points(p->matrix, &first);
	struct look l = { .p = p, .items = items, .n = n };
	const struct measure *m = measures;
	double quiet = 0;
	int status = 0;

	likeness->n_groups = 0;
	likeness->judged = false;
	likeness->share = 1;
	for (size_t i = 0; i < n; i++)
		likeness->group[i] = LP_GROUP_NONE;
	l.n_spans = points / span;
	l.least = coarse ? COARSE_LEAST_SPANS : LEAST_SPANS;
	l.work = calloc(n * l.n_spans + 1, sizeof(*l.work));
	l.share = calloc(n * n + 1, sizeof(*l.share));
	l.alike = calloc(n + 1, sizeof(*l.alike));
	if (!l.work || !l.share || !l.alike)
		status = -ENOMEM;
	likeness->known = false;
	for (; status == 0 && !likeness->known &&
	       m < measures + lp_array_size(measures);
	     m++)
		if (fill(&l, m, span, &quiet)) {
			likeness->known = true;
			compare(&l, quiet, &likeness->judged);
		}
	if (likeness->known)
		gather(&l, likeness);
	free(l.work);
	free(l.share);
	free(l.alike);
	return status;
}
