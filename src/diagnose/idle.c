/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/idle.h"

#include "diagnose/work.h"

#include <errno.h>
#include <string.h>

/* A peer works if it does in nearly all samples; nearly all must. */
#define STEADY 0.9
#define MOST 0.75

bool lp_idle_applies(const struct lp_unit *u)
{
	return lp_class_is_storage(u->class) && u->metric->role == LP_LATENCY;
}

int lp_idle_init(struct lp_idle *idle, size_t n, struct lp_arena *arena)
{
	*idle = (struct lp_idle){
		.votes = lp_arena_alloc(arena, n * sizeof(*idle->votes)),
		.worked = lp_arena_alloc(arena, n * sizeof(*idle->worked)),
		.busy = lp_arena_alloc(arena, n * sizeof(*idle->busy)),
		.present = lp_arena_alloc(arena, n * sizeof(*idle->present)),
		.row = lp_arena_alloc(arena, n * sizeof(*idle->row)),
	};
	return idle->votes && idle->worked && idle->busy && idle->present &&
			       idle->row
		       ? 0
		       : -ENOMEM;
}

/* The latency at hand is enough for most; fast disks show 0 and work. */
static enum lp_work work_of(const struct lp_idle *idle, const struct lp_unit *u,
			    const struct lp_diagnose_input *input, size_t i,
			    int64_t k)
{
	if (idle->row[i] > 0)
		return LP_WORK_SOME;
	return lp_work_at(input, &u->group->peers[i], (size_t)k);
}

static void count(struct lp_idle *idle, const struct lp_unit *u,
		  const struct lp_diagnose_input *input, int64_t end_ns)
{
	size_t n = u->group->n;
	int64_t first, last;

	lp_matrix_points(input->matrix, &first);
	last = (end_ns - first) / input->step_ns;
	memset(idle->busy, 0, n * sizeof(*idle->busy));
	memset(idle->present, 0, n * sizeof(*idle->present));
	for (int64_t k = last - (int64_t)u->params.window + 1; k <= last; k++) {
		if (k < 0)
			continue;
		lp_peer_row(u->group, input->matrix, u->metric_index, 0,
			    (size_t)k, idle->row);
		for (size_t i = 0; i < n; i++) {
			enum lp_work work = work_of(idle, u, input, i, k);

			idle->busy[i] += work == LP_WORK_SOME;
			idle->present[i] += work != LP_WORK_UNKNOWN;
		}
	}
}

static bool is_idle(const struct lp_idle *idle, size_t i, size_t window)
{
	return idle->worked[i] && idle->busy[i] == 0 &&
	       2 * idle->present[i] >= window;
}

/* Whether nearly all of the group work steadily. */
static bool peers_work(const struct lp_idle *idle, size_t n)
{
	size_t steady = 0, with = 0;

	for (size_t i = 0; i < n; i++) {
		if (!idle->present[i])
			continue;
		with++;
		steady += idle->busy[i] >= STEADY * idle->present[i];
	}
	return with >= 3 && (double)steady >= MOST * (double)(with - 1);
}

void lp_idle_look(struct lp_idle *idle, const struct lp_unit *u,
		  const struct lp_diagnose_input *input, int64_t end_ns,
		  uint8_t *row)
{
	bool work;

	count(idle, u, input, end_ns);
	work = peers_work(idle, u->group->n);
	for (size_t i = 0; i < u->group->n; i++) {
		bool lost = work && is_idle(idle, i, u->params.window);
		bool voted = lp_vote_add(&idle->votes[i], lost, u->params.k);

		if (lost)
			row[i] |= LP_TRACK_ABSENT;
		if (voted)
			row[i] |= LP_TRACK_GONE;
		idle->worked[i] |= idle->busy[i] > 0;
	}
}
