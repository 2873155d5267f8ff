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
#include "diagnose/work.h"

struct lp_idle {
	size_t n, window;
	struct lp_vote *votes;    /* [n] */
	bool *worked;             /* [n]: before the window */
	uint32_t *busy, *present; /* [n]: points of the window */
	uint8_t *ring;            /* [window][n] of enum lp_work */
	size_t at;                /* the oldest row of the ring */
	struct lp_work_by by;     /* metrics that tell */
	int64_t *rests_until_ns;  /* [n]: nothing was done up to this point, as
				     was seen ahead */
};

/* Whether the unit's metric shows idleness: await is 0 without a request. */
bool lp_idle_applies(const struct lp_unit *unit);

/* In memory of the arena. 0 or -ENOMEM. */
int lp_idle_init(struct lp_idle *idle, const struct lp_unit *unit,
		 const struct lp_diagnose_input *input, struct lp_arena *arena);

/*
 * The next point, k of the matrix at this time, at which the unit's metric has
 * this row; the n points from there on are closed.
 */
void lp_idle_push(struct lp_idle *idle, const struct lp_unit *unit,
		  const struct lp_diagnose_input *input, size_t k, size_t n,
		  int64_t time_ns, const double *row);

/*
 * Of the window that ends with the last point: add LP_TRACK_ABSENT and
 * LP_TRACK_GONE to row[n].
 */
void lp_idle_look(struct lp_idle *idle, const struct lp_unit *unit,
		  uint8_t *row);

#endif
