/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks that do nothing while their peers work: lost attachments show zeros as
 * often as no samples at all (thesis 5.7.1). Distances see them only where the
 * load is steady; that a disk which had work has none is plain to see.
 */
#ifndef LP_DIAGNOSE_IDLE_H
#define LP_DIAGNOSE_IDLE_H

#include "detect/vote.h"
#include "diagnose/diagnose.h"

struct lp_idle {
	struct lp_vote *votes; /* [n] */
	bool *worked;          /* [n]: before the window */
	uint32_t *busy, *present;
	double *row;
};

/* Whether the unit's metric shows idleness: await is 0 without a request. */
bool lp_idle_applies(const struct lp_unit *unit);

/* In memory of the arena. 0 or -ENOMEM. */
int lp_idle_init(struct lp_idle *idle, size_t n, struct lp_arena *arena);

/* Add LP_TRACK_ABSENT and LP_TRACK_GONE to row[n] of the window. */
void lp_idle_look(struct lp_idle *idle, const struct lp_unit *unit,
		  const struct lp_diagnose_input *input, int64_t end_ns,
		  uint8_t *row);

#endif
