/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings that end because their group can no longer be judged.
 *
 * When more of a group become as slow as the one that was found, the spread of
 * the group grows until nobody is over a threshold (apart.h). The finding then
 * ends, and the fault does not: whoever reads "for 2 h" would believe it.
 */
#include "diagnose/apart.h"
#include "diagnose/conclude.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, TOGETHER, APART }; /* a window */

struct looker {
	const struct lp_diagnosis *d;
	const struct lp_diagnose_input *input;
	uint8_t **windows; /* [n_units][windows], made when first asked for */
	uint8_t **who;     /* [n_units][windows * n]: who stands apart */
	struct lp_arena arena;
};

static int make_room(struct looker *l, size_t unit)
{
	const struct lp_unit *u = &l->d->units[unit];

	if (l->windows[unit])
		return 0;
	l->who[unit] = lp_arena_alloc(&l->arena, u->windows * u->group->n);
	l->windows[unit] = lp_arena_alloc(&l->arena, u->windows);
	return l->who[unit] && l->windows[unit] ? 0 : -ENOMEM;
}

/* Whether the peer is among so many in this window. 0, 1 or -ENOMEM. */
static int stands_apart(struct looker *l, size_t unit, size_t window,
			size_t peer)
{
	const struct lp_unit *u = &l->d->units[unit];
	struct lp_apart apart = { 0 };

	if (make_room(l, unit) < 0)
		return -ENOMEM;
	apart.who = l->who[unit] + window * u->group->n;
	if (l->windows[unit][window] == UNKNOWN) {
		if (lp_unit_apart_at(u, l->input, window, &apart) < 0)
			return -ENOMEM;
		l->windows[unit][window] = apart.apart ? APART : TOGETHER;
	}
	return l->windows[unit][window] == APART && apart.who[peer];
}

/* The first window after those that the evidence is from. */
static size_t window_after(const struct lp_unit *u, int64_t half_ns,
			   int64_t until_ns)
{
	size_t w = 0;

	while (w < u->windows && u->end_ns[w] - half_ns <= until_ns)
		w++;
	return w;
}

/* The most that stand apart in any of these windows. */
static void count(const struct looker *l, size_t unit, size_t first,
		  size_t last, struct lp_finding *f)
{
	size_t n = l->d->units[unit].group->n;

	for (size_t w = first; w <= last; w++) {
		size_t apart = 0;

		for (size_t i = 0; i < n; i++)
			apart += l->who[unit][w * n + i];
		if (apart <= f->n_unjudged)
			continue;
		f->n_unjudged = apart;
		f->of_unjudged = n;
	}
}

/*
 * From the end of the evidence on: windows in which the component stands apart
 * with many, as long as K of 2K - 1 do, which is what it takes to be named.
 */
static int look_on(struct looker *l, size_t unit, size_t peer,
		   const struct lp_evidence *e, struct lp_finding *f)
{
	const struct lp_unit *u = &l->d->units[unit];
	int64_t half = (int64_t)(u->params.window / 2) * l->d->step_ns;
	size_t first = SIZE_MAX, last = 0, n = 0, missed = 0;

	for (size_t w = window_after(u, half, e->until_ns);
	     w < u->windows && missed < u->params.k; w++) {
		int is = stands_apart(l, unit, w, peer);

		if (is < 0)
			return is;
		missed = is ? 0 : missed + 1;
		if (!is)
			continue;
		first = first == SIZE_MAX ? w : first;
		last = w;
		n++;
	}
	if (n < u->params.k || u->end_ns[last] - half <= f->until_ns)
		return 0;
	if (!f->unjudged || u->end_ns[first] - half < f->unjudged_since_ns)
		f->unjudged_since_ns = u->end_ns[first] - half;
	if (!f->unjudged || u->end_ns[last] - half > f->unjudged_until_ns)
		f->unjudged_until_ns = u->end_ns[last] - half;
	f->unjudged = true;
	count(l, unit, first, last, f);
	return 0;
}

static int look_at_evidence(struct looker *l, const struct lp_evidence *e,
			    struct lp_finding *f)
{
	size_t group, peer;
	int status = 0;

	if (!e->method || !lp_evidence_place(e, l->input->plan, &group, &peer))
		return 0;
	for (size_t i = 0; i < l->d->n_units && status == 0; i++) {
		const struct lp_unit *u = &l->d->units[i];

		if (u->detector->threshold_in_bins && u->group_index == group &&
		    u->metric == e->metric &&
		    strcmp(e->method, u->detector->name) == 0)
			status = look_on(l, i, peer, e, f);
	}
	return status;
}

int lp_findings_look_on(struct lp_diagnosis *d,
			const struct lp_diagnose_input *input)
{
	struct looker l = {
		.d = d,
		.input = input,
		.windows = calloc(d->n_units + 1, sizeof(*l.windows)),
		.who = calloc(d->n_units + 1, sizeof(*l.who)),
	};
	int status = l.windows && l.who ? 0 : -ENOMEM;

	for (size_t i = 0; i < d->n_findings && status == 0; i++) {
		struct lp_finding *f = &d->findings[i];

		for (size_t k = 0; k < f->n_evidence && status == 0; k++)
			if (f->evidence[k].accuses && !f->lasting)
				status = look_at_evidence(&l, &f->evidence[k],
							  f);
	}
	free(l.windows);
	free(l.who);
	lp_arena_done(&l.arena);
	return status;
}
