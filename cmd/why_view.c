/* SPDX-License-Identifier: Apache-2.0 */
#include "why.h"

#include "diagnose/single.h"
#include "diagnose/suspect.h"

#include <math.h>
#include <string.h>

/* Windows of which the exact distance is looked at. */
#define WINDOWS_MAX 64

const struct lp_finding *lp_why_finding(const struct lp_diagnosis *d,
					const struct lp_peer *who)
{
	for (size_t i = 0; i < d->n_findings; i++) {
		const struct lp_finding *f = &d->findings[i];

		if (strcmp(f->component, who->label) == 0)
			return f;
		for (size_t k = 0; k < f->n_parts; k++)
			if (strcmp(f->parts[k], who->label) == 0)
				return f;
		for (size_t k = 0; k < f->n_evidence; k++)
			if (strcmp(f->evidence[k].component, who->label) == 0)
				return f;
	}
	return NULL;
}

/* The first window that ends at the time or later; windows: none. */
static size_t window_at(const struct lp_unit *u, int64_t at_ns)
{
	size_t w = 0;

	while (w < u->windows && u->end_ns[w] < at_ns)
		w++;
	return w;
}

static void count_windows(const struct lp_unit *u, size_t peer, size_t first,
			  size_t last, struct lp_why_view *view)
{
	for (size_t w = first; w < last; w++) {
		uint8_t state = *lp_unit_at(u, w, peer);

		view->windows++;
		view->flagged += !!(state & LP_TRACK_FLAG);
		view->anomalous += !!(state & LP_TRACK_ANOMALOUS);
		view->absent += !!(state & LP_TRACK_ABSENT);
	}
}

/* The distance that is farthest over, or nearest to, the threshold. */
static int measure(const struct lp_why *why, const struct lp_unit *u,
		   size_t peer, size_t first, size_t last,
		   struct lp_evidence *e)
{
	bool lower = u->detector->lower_is_worse;
	size_t stride = (last - first) / WINDOWS_MAX + 1;
	double worst = NAN;

	/* Joint detectors have no distance of a single metric. */
	if (!u->detector->judge)
		return 0;
	for (size_t w = first; w < last; w++) {
		struct lp_verdict v;
		bool flag = *lp_unit_at(u, w, peer) & LP_TRACK_FLAG;
		int status;

		if ((w - first) % stride && !(flag && stride < WINDOWS_MAX))
			continue;
		status = lp_judge_single(u, &why->c.input, peer, u->end_ns[w],
					 &v);
		if (status < 0)
			return status;
		if (isnan(v.critical) ||
		    (lower ? v.critical >= worst : v.critical <= worst))
			continue;
		worst = v.critical;
		e->distance = lower ? v.critical : v.median_distance;
		e->share_over = lower ? NAN : (double)v.over / v.others;
	}
	return 0;
}

/* What the finding says of this unit's metric, or NULL. */
static const struct lp_evidence *evidence_of(const struct lp_finding *f,
					     const struct lp_unit *u,
					     size_t peer)
{
	for (size_t i = 0; f && i < f->n_evidence; i++) {
		const struct lp_evidence *e = &f->evidence[i];

		if (e->method && strcmp(e->method, u->detector->name) == 0 &&
		    e->class == u->class && e->metric == u->metric &&
		    strcmp(e->component, u->group->peers[peer].label) == 0)
			return e;
	}
	return NULL;
}

/* Which windows to look at, and the time that values are from. */
struct time {
	size_t first, last; /* last: the one behind */
	int64_t since_ns, until_ns;
};

/* All of them; the one that was asked for; of the accused the finding's. */
static struct time time_of(const struct lp_why *why, const struct lp_unit *u,
			   const struct lp_finding *f)
{
	int64_t half = (int64_t)(u->params.window / 2) * why->c.input.step_ns;
	struct time t = { 0, u->windows, why->d.first_ns - 1, why->d.last_ns };

	if (why->at_ns != LP_TIME_MIN) {
		if (u->windows == 0)
			return t;
		/* Behind the last one the recording may go on a little. */
		t.first = window_at(u, why->at_ns);
		t.first -= t.first == u->windows;
		t.last = t.first + 1;
		t.since_ns = lp_unit_begin(u, t.first, why->c.input.step_ns);
		t.until_ns = u->end_ns[t.first];
	} else if (f) {
		t.since_ns = f->since_ns;
		t.until_ns = f->until_ns;
		t.first = window_at(u, f->since_ns + half);
		t.last = window_at(u, f->until_ns + half + 1);
	}
	return t;
}

int lp_why_look(const struct lp_why *why, const struct lp_unit *u, size_t peer,
		const struct lp_finding *f, struct lp_why_view *view)
{
	struct time t = time_of(why, u, f);
	const struct lp_evidence *e = evidence_of(f, u, peer);
	int status;

	if (e && why->at_ns == LP_TIME_MIN) {
		view->evidence = *e;
		view->windows = e->windows;
		view->flagged = e->flagged;
		view->anomalous = e->accuses;
		return 0;
	}
	status = lp_evidence_values(&view->evidence, &why->c.input,
				    u->group_index, peer, u->metric_index,
				    t.since_ns, t.until_ns);
	if (status < 0)
		return status;
	view->evidence.threshold = u->thresholds[peer];
	count_windows(u, peer, t.first, t.last, view);
	return measure(why, u, peer, t.first, t.last, &view->evidence);
}

bool lp_why_is_empty(const struct lp_why_view *view)
{
	return isnan(view->evidence.value) &&
	       isnan(view->evidence.peers_median);
}

double lp_why_nearness(const struct lp_unit *u, const struct lp_why_view *view)
{
	const struct lp_evidence *e = &view->evidence;
	double ratio = u->detector->lower_is_worse ? e->threshold / e->distance
						   : e->distance / e->threshold;

	return (isnan(ratio) ? -1 : ratio) + (double)view->flagged;
}
