/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forgetting: of windows that nobody will ask for again stay the episodes they
 * were part of, and the persistence they add up to.
 */
#include "detect/tail.h"
#include "diagnose/edge.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The windows of the vote before the first belong to it, too. */
static void begin_past(struct lp_past *past, const struct lp_unit *u,
		       size_t window, size_t peer, bool gone)
{
	size_t first = lp_mark_first(u, window, peer, gone);

	*past = (struct lp_past){
		.since_ns = INT64_MAX,
		.until_ns = INT64_MIN,
		.span = window - first,
		.flagged = lp_mark_count(u, first, window, peer, gone) -
			   lp_mark_count(u, window, window, peer, gone),
	};
}

/* The window belongs to the episode that is remembered, or begins one. */
static void fold_mark(struct lp_past *past, const struct lp_unit *u,
		      size_t window, size_t peer, bool gone, int64_t step_ns)
{
	int64_t since = lp_mark_since(u, window, peer, gone, step_ns);
	int64_t until = lp_mark_until(u, window, peer, gone, step_ns);

	if (!past->windows || since - LP_EPISODE_GAP_NS > past->until_ns)
		begin_past(past, u, window, peer, gone);
	past->since_ns = lp_earlier(past->since_ns, since);
	past->until_ns = lp_later(past->until_ns, until);
	past->windows++;
}

static void fold(struct lp_unit *u, size_t window, size_t peer, bool gone,
		 int64_t step_ns)
{
	struct lp_past *past = lp_unit_past(u, gone, peer);
	uint8_t state = *lp_unit_at(u, window, peer);

	if (gone ? state & LP_TRACK_GONE
		 : (state & (LP_TRACK_ANOMALOUS | LP_TRACK_GONE)) ==
			    LP_TRACK_ANOMALOUS)
		fold_mark(past, u, window, peer, gone, step_ns);
	if (!past->windows)
		return;
	past->span++;
	past->flagged += lp_mark_count(u, window, window, peer, gone);
	/* Too long ago for anything that comes to be part of it. */
	if (past->until_ns + LP_EPISODE_GAP_NS < u->end_ns[window])
		*past = (struct lp_past){ 0 };
}

static void fold_window(struct lp_unit *u, size_t window, int64_t step_ns)
{
	bool compared = false, split = false;

	for (size_t i = 0; i < u->group->n; i++) {
		uint8_t state = *lp_unit_at(u, window, i);

		fold(u, window, i, false, step_ns);
		fold(u, window, i, true, step_ns);
		compared |= !!(state & LP_TRACK_COMPARED);
		split |= !!(state & LP_TRACK_SPLIT);
	}
	assert(u->n_compared >= compared && u->n_split >= split);
	u->n_compared -= compared;
	u->n_split -= split;
}

/* The next window's vote looks back at so many. */
static void drop(struct lp_unit *u)
{
	size_t back = 2 * u->params.k - 2, n = u->group->n;
	size_t gone = u->folded > back ? u->folded - back : 0;

	if (!gone)
		return;
	u->dropped += gone;
	u->windows -= gone;
	u->folded -= gone;
	memmove(u->end_ns, u->end_ns + gone, u->windows * sizeof(*u->end_ns));
	memmove(u->track, u->track + gone * n, u->windows * n);
}

static int forget(struct lp_unit *u, const struct lp_diagnose_input *input,
		  int64_t until_ns, int64_t history_ns)
{
	size_t n = u->group->n;

	assert(!u->borrowed);
	if (!u->past)
		u->past = calloc(LP_PASTS * n + 1, sizeof(*u->past));
	if (!u->past)
		return -ENOMEM;
	/* The last one stays: it is how the recording ends. */
	while (u->folded + 1 < u->windows && u->end_ns[u->folded] <= until_ns)
		fold_window(u, u->folded++, input->step_ns);
	drop(u);
	if (u->maxima)
		lp_maxima_forget(u->maxima);
	return lp_unit_keep_edges(u, input, until_ns, history_ns / 2);
}

int lp_units_forget(struct lp_units *units,
		    const struct lp_diagnose_input *input,
		    const struct lp_diagnose_options *options, int64_t until_ns,
		    int64_t history_ns)
{
	int status =
		lp_persistence_carry(units, options, input->step_ns, until_ns);

	for (size_t i = 0; i < units->n && status == 0; i++)
		status = forget(&units->items[i], input, until_ns, history_ns);
	return status;
}

/* ---- from plan to plan ---- */

static bool same_peer(const struct lp_peer *a, const struct lp_peer *b)
{
	return a->n_parts == b->n_parts &&
	       memcmp(a->parts, b->parts, a->n_parts * sizeof(*a->parts)) == 0;
}

static bool same_group(const struct lp_peer_group *a,
		       const struct lp_peer_group *b)
{
	if (a->class != b->class || a->kind != b->kind ||
	    a->sockets != b->sockets || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!same_peer(&a->peers[i], &b->peers[i]))
			return false;
	return true;
}

static bool same_unit(const struct lp_unit *a, const struct lp_unit *b)
{
	return a->detector == b->detector && a->metric == b->metric &&
	       same_group(a->group, b->group) &&
	       memcmp(a->thresholds, b->thresholds,
		      a->group->n * sizeof(*a->thresholds)) == 0;
}

/* All but what the plan says: group, thresholds and where they stand. */
static void carry_on(struct lp_unit *u, struct lp_unit *from)
{
	struct lp_unit made = *u;

	*u = *from;
	u->group = made.group;
	u->group_index = made.group_index;
	u->metric_index = made.metric_index;
	u->thresholds = made.thresholds;
	u->trained = made.trained;
	*from = made;
}

/* Those that are judged together go on together: the first has it all. */
static bool goes_on(const struct lp_unit *u)
{
	return u->run || u->joint_run || (u->detector->joint && !u->together);
}

void lp_units_carry_on(struct lp_units *units, struct lp_units *from)
{
	for (size_t i = 0; i < units->n; i++)
		for (size_t j = 0; j < from->n; j++)
			if (goes_on(&from->items[j]) &&
			    same_unit(&units->items[i], &from->items[j])) {
				carry_on(&units->items[i], &from->items[j]);
				break;
			}
}
