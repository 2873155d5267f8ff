/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a joint detector said of the component: it keeps its own past, so that
 * its reasons are asked for while it runs, at the ends of its blocks. Those of
 * the block that was wanted are kept, or of that which comes nearest to an
 * accusation.
 */
#include "why.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* An accusation is nearer than all that is none. */
#define ACCUSED 2
/* Something beside distance and effect is missing. */
#define ALMOST 1.99
/* After a change, so much of the gate is asked of what is left. */
#define LEVEL_LEFT 0.5

enum lp_why_lack lp_why_lacks(const struct lp_reason *r)
{
	bool far = r->distance > r->limit, large = r->effect >= r->gate;

	if (r->accuses)
		return LP_LACKS_NOTHING;
	if (!far && !large)
		return LP_LACKS_BOTH;
	if (!far || !large)
		return far ? LP_LACKS_EFFECT : LP_LACKS_DISTANCE;
	if (r->metric->role == LP_LOSS)
		return LP_LACKS_RATIO;
	return lp_reason_part(r, "before") + r->effect < LEVEL_LEFT * r->gate
		       ? LP_LACKS_LEVEL
		       : LP_LACKS_LOAD;
}

const char *lp_why_lack_name(enum lp_why_lack lack)
{
	static const char *const names[LP_LACKS] = {
		[LP_LACKS_DISTANCE] = "distance", [LP_LACKS_EFFECT] = "effect",
		[LP_LACKS_BOTH] = "both",         [LP_LACKS_LOAD] = "load",
		[LP_LACKS_LEVEL] = "level",       [LP_LACKS_RATIO] = "ratio",
	};

	return names[lack];
}

/*
 * Many distances are the largest that there is, but for the last bits: of
 * these, the first is shown.
 */
static double of_limit(double distance, double limit)
{
	return round(1e6 * distance / limit) / 1e6;
}

static double nearness(const struct lp_reason *r, bool split)
{
	double distance = of_limit(r->distance, r->limit);

	if (r->accuses && !split)
		return ACCUSED + distance;
	return fmin(ALMOST, fmin(distance, r->effect / r->gate));
}

const struct lp_reason *lp_why_nearest(const struct lp_why_scores *scores)
{
	const struct lp_reason *nearest = NULL;

	for (size_t i = 0; i < scores->n; i++)
		if (!nearest || nearness(&scores->reasons[i], scores->split) >
					nearness(nearest, scores->split))
			nearest = &scores->reasons[i];
	return nearest;
}

const struct lp_why_scores *lp_why_scores(const struct lp_why *why,
					  size_t group, size_t peer)
{
	for (size_t i = 0; i < why->n_scores; i++)
		if (why->scores[i].group == group &&
		    why->scores[i].peer == peer)
			return &why->scores[i];
	return NULL;
}

static struct lp_why_scores *entry_of(struct lp_why *why, size_t group,
				      size_t peer)
{
	struct lp_why_scores *s =
		(struct lp_why_scores *)lp_why_scores(why, group, peer);

	if (s)
		return s;
	if (lp_grow(&why->scores, &why->scores_capacity, why->n_scores + 1,
		    sizeof(*why->scores)) < 0)
		return NULL;
	s = &why->scores[why->n_scores++];
	*s = (struct lp_why_scores){ .group = group,
				     .peer = peer,
				     .nearness = -INFINITY };
	return s;
}

static int keep_reason(void *user, const struct lp_reason *reason)
{
	struct lp_why_scores *s = user;

	if (lp_grow(&s->reasons, &s->capacity, s->n + 1, sizeof(*s->reasons)) <
	    0)
		return -ENOMEM;
	s->reasons[s->n++] = *reason;
	return 0;
}

/*
 * No score of this block is nearer than this: asking for all of them takes
 * longer than judging.
 */
static double nearest_possible(const struct lp_joint_block *block, size_t peer)
{
	size_t n = block->units->group->n;
	double most = -INFINITY;

	for (size_t q = 0; q < block->n_units; q++) {
		const struct lp_ground *g = &block->grounds[q * n + peer];
		double limit = block->units[q].params.threshold;
		bool counts = g->accused && !block->split;
		double distance = counts ? g->distance : g->most;

		most = fmax(most,
			    of_limit(distance, limit) + (counts ? ACCUSED : 0));
	}
	return most;
}

/* Whether this block may be the one to show. */
static bool is_wanted(const struct lp_why *why, const struct lp_why_scores *s,
		      const struct lp_joint_block *block)
{
	if (why->at_ns == LP_TIME_MIN)
		return nearest_possible(block, s->peer) > s->nearness;
	/* Behind the last one the recording may go on a little. */
	return block->end_ns + block->block_ns > why->at_ns &&
	       (!s->known || s->end_ns < why->at_ns);
}

static void forget(struct lp_why_scores *s)
{
	free(s->reasons);
	free(s->values);
}

/* In the window that comes nearest. */
static int keep_values(struct lp_why_scores *s,
		       const struct lp_joint_block *block, size_t peer,
		       const struct lp_reason *nearest)
{
	if (lp_grow(&s->values, &s->values_capacity, block->n_units,
		    sizeof(*s->values)) < 0)
		return -ENOMEM;
	for (size_t q = 0; q < block->n_units; q++) {
		struct lp_why_value *v = &s->values[s->n_values++];

		v->quantity = block->units[q].metric;
		block->units->detector->joint->compare(
			block->state, q, peer,
			nearest->end_ns - nearest->begin_ns, &v->compared);
	}
	return 0;
}

static int look_at(const struct lp_why *why, struct lp_why_scores *s,
		   const struct lp_joint_block *block)
{
	struct lp_why_scores now = { .split = block->split };
	int status = block->units->detector->joint->explain(
		block->state, s->peer, keep_reason, &now);
	const struct lp_reason *nearest = lp_why_nearest(&now);

	now.nearness = nearest ? nearness(nearest, now.split) : -INFINITY;
	if (status == 0 && why->at_ns == LP_TIME_MIN &&
	    !(now.nearness > s->nearness)) {
		forget(&now);
		return 0;
	}
	if (status == 0 && nearest)
		status = keep_values(&now, block, s->peer, nearest);
	if (status < 0) {
		forget(&now);
		return status;
	}
	forget(s);
	now.group = s->group;
	now.peer = s->peer;
	now.blocks = s->blocks;
	now.accused = s->accused;
	now.end_ns = block->end_ns;
	now.known = true;
	*s = now;
	return 0;
}

static int take_component(struct lp_why *why,
			  const struct lp_joint_block *block, size_t peer)
{
	size_t n = block->units->group->n;
	struct lp_why_scores *s =
		entry_of(why, block->units->group_index, peer);
	bool accused = false, compared = false;

	if (!s)
		return -ENOMEM;
	for (size_t q = 0; q < block->n_units; q++) {
		accused = accused || block->grounds[q * n + peer].accused;
		compared = compared || block->grounds[q * n + peer].compared;
	}
	s->blocks += compared;
	s->accused += accused && !block->split;
	return is_wanted(why, s, block) ? look_at(why, s, block) : 0;
}

bool lp_why_wants(void *user, const struct lp_peer_group *group)
{
	const struct lp_why *why = user;

	for (size_t i = 0; group->kind == LP_PEERS && i < group->n; i++)
		if (lp_why_is_named(&group->peers[i], why->name))
			return true;
	return false;
}

int lp_why_take_block(void *user, const struct lp_joint_block *block)
{
	struct lp_why *why = user;
	const struct lp_peer_group *group = block->units->group;
	int status = 0;

	for (size_t i = 0; i < group->n && status == 0; i++)
		if (lp_why_is_named(&group->peers[i], why->name))
			status = take_component(why, block, i);
	return status;
}

void lp_why_scores_done(struct lp_why *why)
{
	for (size_t i = 0; i < why->n_scores; i++)
		forget(&why->scores[i]);
	free(why->scores);
}
