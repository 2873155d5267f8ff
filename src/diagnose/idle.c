/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/idle.h"

#include <assert.h>
#include <errno.h>

/* A peer works if it does in nearly all samples; nearly all must. */
#define STEADY 0.9
#define MOST 0.75
/* Points that are looked at together. */
#define AHEAD 256

bool lp_idle_applies(const struct lp_unit *u)
{
	return lp_class_is_storage(u->class) && u->metric->role == LP_LATENCY;
}

int lp_idle_init(struct lp_idle *idle, const struct lp_unit *u,
		 const struct lp_diagnose_input *input, struct lp_arena *arena)
{
	size_t n = u->group->n, window = u->params.window;

	*idle = (struct lp_idle){
		.n = n,
		.window = window,
		.votes = lp_arena_alloc(arena, n * sizeof(*idle->votes)),
		.worked = lp_arena_alloc(arena, n * sizeof(*idle->worked)),
		.busy = lp_arena_alloc(arena, n * sizeof(*idle->busy)),
		.present = lp_arena_alloc(arena, n * sizeof(*idle->present)),
		.ring = lp_arena_alloc(arena, n * window), /* all unknown */
		.rests_until_ns = lp_arena_alloc(
			arena, n * sizeof(*idle->rests_until_ns)),
		.by = lp_work_by(input),
	};
	if (!idle->votes || !idle->worked || !idle->busy || !idle->present ||
	    !idle->ring || !idle->rests_until_ns)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		idle->rests_until_ns[i] = INT64_MIN;
	return 0;
}

/*
 * Latency is enough for most; fast disks show 0 and work. A disk that rests
 * mostly goes on resting, and one look at many points is cheaper than many.
 */
static enum lp_work work_of(struct lp_idle *idle, const struct lp_unit *u,
			    const struct lp_diagnose_input *input, size_t k,
			    size_t n, int64_t time_ns, size_t i)
{
	size_t rest;

	if (time_ns <= idle->rests_until_ns[i])
		return LP_WORK_NONE;
	rest = lp_work_rest(&idle->by, input, &u->group->peers[i], k,
			    n < AHEAD ? n : AHEAD);
	if (!rest)
		return lp_work_at(&idle->by, input, &u->group->peers[i], k);
	idle->rests_until_ns[i] =
		time_ns + (int64_t)(rest - 1) * input->step_ns;
	return LP_WORK_NONE;
}

void lp_idle_push(struct lp_idle *idle, const struct lp_unit *u,
		  const struct lp_diagnose_input *input, size_t k, size_t n,
		  int64_t time_ns, const double *row)
{
	uint8_t *slot = idle->ring + idle->at * idle->n;

	for (size_t i = 0; i < idle->n; i++) {
		enum lp_work work =
			row[i] > 0 ? LP_WORK_SOME
				   : work_of(idle, u, input, k, n, time_ns, i);

		if (slot[i] == (uint8_t)work)
			continue;
		assert(idle->busy[i] >= (slot[i] == LP_WORK_SOME));
		idle->busy[i] += (work == LP_WORK_SOME) -
				 (uint32_t)(slot[i] == LP_WORK_SOME);
		idle->present[i] += (work != LP_WORK_UNKNOWN) -
				    (uint32_t)(slot[i] != LP_WORK_UNKNOWN);
		slot[i] = (uint8_t)work;
	}
	idle->at = (idle->at + 1) % idle->window;
}

static bool is_idle(const struct lp_idle *idle, size_t i)
{
	return idle->worked[i] && idle->busy[i] == 0 &&
	       2 * idle->present[i] >= idle->window;
}

/* Whether nearly all of the group work steadily. */
static bool peers_work(const struct lp_idle *idle)
{
	size_t steady = 0, with = 0;

	for (size_t i = 0; i < idle->n; i++) {
		if (!idle->present[i])
			continue;
		with++;
		steady += idle->busy[i] >= STEADY * idle->present[i];
	}
	return with >= 3 && (double)steady >= MOST * (double)(with - 1);
}

void lp_idle_look(struct lp_idle *idle, const struct lp_unit *u, uint8_t *row)
{
	bool work = peers_work(idle);

	for (size_t i = 0; i < idle->n; i++) {
		bool lost = work && is_idle(idle, i);
		bool voted = lp_vote_add(&idle->votes[i], lost, u->params.k);

		if (lost)
			row[i] |= LP_TRACK_ABSENT;
		if (voted)
			row[i] |= LP_TRACK_GONE;
		idle->worked[i] |= idle->busy[i] > 0;
	}
}
