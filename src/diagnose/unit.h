/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units: which (metric, peer group) is judged by which method, and what its
 * windows said.
 */
#ifndef LP_DIAGNOSE_UNIT_H
#define LP_DIAGNOSE_UNIT_H

#include "diagnose/diagnose.h"

/*
 * Fill units, n_units with all that is to be judged; unit.thresholds are set.
 * own: the groups of one server's components instead of peers.
 */
int lp_units_plan(const struct lp_diagnose_input *input,
		  const struct lp_diagnose_options *options, bool own,
		  struct lp_diagnosis *d, struct lp_error *err);

/*
 * Under which component the threshold of a peer stands in a thresholds file:
 * its own, by what outlasts a boot; of sockets the direction, ">clients" or
 * "clients>", since these have two thresholds in all (FAST'10 10.1).
 */
const char *lp_unit_threshold_key(const struct lp_unit *unit, size_t peer);

/* Judge all windows of one unit. 0 or -errno. */
int lp_unit_run(struct lp_unit *unit, const struct lp_diagnose_input *input,
		const struct lp_diagnose_options *options);
/* All of them, by options->threads threads. */
int lp_units_run(struct lp_diagnosis *d, const struct lp_diagnose_input *input,
		 const struct lp_diagnose_options *options);
void lp_unit_done(struct lp_unit *unit);

/* Points during which a part of a pool counts as active after it sent. */
size_t lp_active_points(const struct lp_unit *unit, int64_t step_ns);

static inline uint8_t *lp_unit_at(const struct lp_unit *unit, size_t window,
				  size_t peer)
{
	return &unit->track[window * unit->group->n + peer];
}

/* The time that a window covers: begin exclusive, end inclusive. */
static inline int64_t lp_unit_begin(const struct lp_unit *unit, size_t window,
				    int64_t step_ns)
{
	return unit->end_ns[window] - (int64_t)unit->params.window * step_ns;
}

#endif
