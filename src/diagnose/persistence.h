/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accumulators while they are counted: what persistence.c and its resume.c
 * share.
 */
#ifndef LP_DIAGNOSE_PERSISTENCE_H
#define LP_DIAGNOSE_PERSISTENCE_H

#include "diagnose/diagnose_state.h"
#include "diagnose/suspect.h"

struct lp_persistence {
	const struct lp_unit *units;
	size_t n_units;
	int64_t step_ns;
	struct lp_diagnosis *d; /* for the list; NULL: none is made */
	const struct lp_diagnose_options *options;
	struct lp_suspects *suspects;
	int64_t period_ns; /* from window to window */
	size_t *next;      /* [units]: the window to look at */
	size_t **value;    /* [units]: of the group's first unit, by peer */
	const struct lp_state *state;
	struct lp_known *away; /* of the state: those that are no peers now */
	size_t n_away;
};

/* Whether the windows that end then are in the state already. */
static inline bool lp_persistence_has(const struct lp_persistence *t,
				      int64_t time_ns)
{
	return t->state && time_ns <= t->state->until_ns;
}

/* Begin with what the state says, if there is one. 0 or -ENOMEM. */
int lp_persistence_resume(struct lp_persistence *t, struct lp_arena *arena);
/* One period of what has no samples now. */
void lp_persistence_count_away(struct lp_persistence *t);
/* To options->left, if it is there. 0 or -ENOMEM. */
int lp_persistence_leave(const struct lp_persistence *t, int64_t last_ns);

#endif
