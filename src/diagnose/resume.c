/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accumulators from recording to recording (diagnose_state.h). Windows up to
 * the end of the state are in it and are not counted again.
 */
#include "diagnose/persistence.h"

#include <errno.h>
#include <string.h>

/* Repairs that nobody knew of when the state was made. */
static void reset_past(struct lp_persistence *t, const struct lp_peer *peer,
		       size_t *value)
{
	for (size_t r = 0; r < t->options->n_resets; r++)
		if (lp_persistence_has(t, t->options->resets[r].time_ns) &&
		    strcmp(t->options->resets[r].component, peer->label) == 0)
			*value = 0;
}

static bool is_resumed(const struct lp_persistence *t,
		       const struct lp_class *class, const struct lp_peer *peer)
{
	return t->state && lp_state_find(t->state, class->name,
					 peer->lasting) != LP_NAME_NONE;
}

static void resume_unit(struct lp_persistence *t, size_t unit, uint8_t *here)
{
	const struct lp_unit *u = &t->units[unit];

	for (size_t p = 0; p < u->group->n; p++) {
		const struct lp_peer *peer = &u->group->peers[p];
		uint32_t id =
			lp_state_find(t->state, u->class->name, peer->lasting);

		if (id == LP_NAME_NONE)
			continue;
		here[id] = 1;
		t->value[unit][p] = t->state->known[id].value;
		reset_past(t, peer, &t->value[unit][p]);
	}
}

int lp_persistence_resume(struct lp_persistence *t, struct lp_arena *arena)
{
	uint8_t *here;

	if (!t->state)
		return 0;
	here = lp_arena_alloc(arena, t->state->n_known + 1);
	t->away = lp_arena_alloc(arena,
				 (t->state->n_known + 1) * sizeof(*t->away));
	if (!here || !t->away)
		return -ENOMEM;
	for (size_t u = 0; u < t->n_units; u++)
		if (t->value[u])
			resume_unit(t, u, here);
	for (size_t i = 0; i < t->state->n_known; i++)
		if (!here[i])
			t->away[t->n_away++] = t->state->known[i];
	return 0;
}

/* Whether it was gone in any of the last n windows. */
static bool was_gone(const struct lp_persistence *t, size_t group, size_t peer,
		     size_t n)
{
	for (size_t i = 0; i < t->n_units; i++) {
		const struct lp_unit *u = &t->units[i];

		if (u->group_index != group)
			continue;
		for (size_t k = 1; k <= n && k <= u->windows; k++)
			if (*lp_unit_at(u, u->windows - k, peer) &
			    LP_TRACK_GONE)
				return true;
	}
	return false;
}

/* That it was there is remembered, too: else it could not be missed. */
static int leave_unit(const struct lp_persistence *t, size_t unit,
		      struct lp_state *left)
{
	const struct lp_unit *u = &t->units[unit];
	int status = 0;

	for (size_t p = 0; p < u->group->n && status == 0; p++) {
		const struct lp_peer *peer = &u->group->peers[p];
		struct lp_known known = {
			.class_name = u->class->name,
			.lasting = peer->lasting,
			.label = peer->label,
			.host = peer->host,
			.group = u->group->name,
			.gone = was_gone(t, u->group_index, p, 1),
			.value = t->value[unit][p],
		};

		if (known.value || is_resumed(t, u->class, peer) ||
		    was_gone(t, u->group_index, p, SIZE_MAX))
			status = lp_state_know(left, &known);
	}
	return status;
}

int lp_persistence_leave(const struct lp_persistence *t, int64_t last_ns)
{
	struct lp_state *left = t->options->left;
	int status = 0;

	if (!left)
		return 0;
	left->whole = true;
	left->period_ns = t->period_ns;
	left->until_ns = last_ns / t->period_ns * t->period_ns;
	if (lp_persistence_has(t, left->until_ns))
		left->until_ns = t->state->until_ns;
	for (size_t u = 0; u < t->n_units && status == 0; u++)
		if (t->value[u])
			status = leave_unit(t, u, left);
	for (size_t i = 0; i < t->n_away && status == 0; i++)
		status = lp_state_know(left, &t->away[i]);
	return status;
}

/* What has no samples since stays gone; the rest is forgotten by and by. */
void lp_persistence_count_away(struct lp_persistence *t)
{
	for (size_t i = 0; i < t->n_away; i++) {
		struct lp_known *k = &t->away[i];

		if (k->gone)
			k->value++;
		else if (k->value)
			k->value--;
	}
}
