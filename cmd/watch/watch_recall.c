/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_recall.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From here on it is worth a mark of its own. */
#define NEAR 0.5
/*
 * What all peers did is looked at anew for each component: in larger groups,
 * only for those that come near.
 */
#define LOOKED_AT 256
/* More than that and it would be accused. */
#define ALMOST 0.99

static struct lp_recall_entry *entry_of(struct lp_recall *r, const char *label)
{
	uint32_t known = r->labels.count, n;

	if (lp_grow(&r->entries, &r->capacity, (size_t)known + 1,
		    sizeof(*r->entries)) < 0)
		return NULL;
	n = lp_names_add(&r->labels, label);
	if (n == LP_NAME_NONE)
		return NULL;
	if (n == known)
		r->entries[n] = (struct lp_recall_entry){ .newest = INT64_MIN,
							  .nearness = NAN };
	return &r->entries[n];
}

/* Times and loads by how many times, shares by how much. */
static double percent(const struct lp_metric *quantity, double effect)
{
	switch (quantity->role) {
	case LP_SERVICE:
	case LP_LATENCY:
		return 100 * expm1(effect);
	default:
		return 100 * effect;
	}
}

static double nearness_of(const struct lp_ground *g, double limit)
{
	double least;

	if (!g->compared || isnan(g->distance))
		return NAN;
	least = fmin(g->distance / limit, g->effect / g->gate);
	return g->accused ? fmax(1, least) : fmax(0, fmin(ALMOST, least));
}

static struct lp_board_score score_of(const struct lp_joint_block *block,
				      size_t q, size_t peer)
{
	const struct lp_unit *u = &block->units[q];
	const struct lp_ground *g = &block->grounds[q * u->group->n + peer];
	int64_t window_ns = g->window_ns ? g->window_ns : block->block_ns;
	struct lp_compared c = { NAN, NAN, NAN, NAN };

	if (u->group->n <= LOOKED_AT ||
	    nearness_of(g, u->params.threshold) >= NEAR)
		u->detector->joint->compare(block->state, q, peer, window_ns,
					    &c);
	return (struct lp_board_score){
		.name = u->metric->name,
		.unit = u->metric->unit,
		.value = c.value,
		.low = c.peers_low,
		.median = c.peers_median,
		.high = c.peers_high,
		.effect = percent(u->metric, g->effect),
		.gate = percent(u->metric, g->gate),
		.distance = g->distance,
		.limit = u->params.threshold,
		.compared = g->compared,
		.accused = g->accused && !block->split,
	};
}

static void mark(struct lp_recall_entry *e, int64_t number, double nearness)
{
	uint8_t m = isnan(nearness)    ? LP_MARK_NONE
		    : nearness >= 1    ? LP_MARK_ACCUSED
		    : nearness >= NEAR ? LP_MARK_NEAR
				       : LP_MARK_LIKE;

	/* Blocks in between, in which nobody judged. */
	if (e->newest == INT64_MIN || number - e->newest >= LP_BOARD_TRAIL)
		memset(e->marks, LP_MARK_NONE, sizeof(e->marks));
	else
		for (int64_t i = e->newest + 1; i < number; i++)
			e->marks[i % LP_BOARD_TRAIL] = LP_MARK_NONE;
	if (number > e->newest)
		e->newest = number;
	if (number > e->newest - LP_BOARD_TRAIL)
		e->marks[number % LP_BOARD_TRAIL] = m;
}

static int take(struct lp_recall *r, const struct lp_joint_block *block,
		size_t peer)
{
	const struct lp_peer_group *group = block->units->group;
	struct lp_recall_entry *e = entry_of(r, group->peers[peer].label);
	int64_t number = block->end_ns / block->block_ns;
	double most = NAN;

	if (!e)
		return -ENOMEM;
	for (size_t q = 0; q < block->n_units; q++)
		most = fmax(most,
			    nearness_of(&block->grounds[q * group->n + peer],
					block->units[q].params.threshold));
	if (block->split && most >= 1)
		most = ALMOST;
	mark(e, number, most);
	if (number < e->newest)
		return 0;
	e->nearness = most;
	e->n_scores = 0;
	for (size_t q = 0; q < block->n_units && q < LP_BOARD_SCORES; q++)
		e->scores[e->n_scores++] = score_of(block, q, peer);
	return 0;
}

int lp_recall_block(void *recall, const struct lp_joint_block *block)
{
	struct lp_recall *r = recall;
	int status = 0;

	if (block->n_units == 0 || block->units->group->kind != LP_PEERS)
		return 0;
	r->block_ns = block->block_ns;
	for (size_t i = 0; i < block->units->group->n && status == 0; i++)
		status = take(r, block, i);
	return status;
}

const struct lp_recall_entry *lp_recall_find(const struct lp_recall *r,
					     const char *label)
{
	uint32_t n = lp_names_find(&r->labels, label);

	return n == LP_NAME_NONE ? NULL : &r->entries[n];
}

void lp_recall_trail(const struct lp_recall *r, const struct lp_recall_entry *e,
		     int64_t until_ns, uint8_t trail[LP_BOARD_TRAIL])
{
	int64_t last = r->block_ns ? until_ns / r->block_ns : 0;

	memset(trail, LP_MARK_NONE, LP_BOARD_TRAIL);
	if (!e || !r->block_ns)
		return;
	for (int64_t i = 0; i < LP_BOARD_TRAIL; i++) {
		int64_t number = last - (LP_BOARD_TRAIL - 1) + i;

		if (number >= 0 && number <= e->newest &&
		    number > e->newest - LP_BOARD_TRAIL)
			trail[i] = e->marks[number % LP_BOARD_TRAIL];
	}
}

void lp_recall_done(struct lp_recall *r)
{
	lp_names_done(&r->labels);
	free(r->entries);
}
