/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load that all LUNs share, because files are striped over all of them:
 * a base, bursts with heavy-tailed lengths, hours of the day, idle times.
 */
#ifndef LP_SIMULATE_LOAD_H
#define LP_SIMULATE_LOAD_H

#include "simulate/scenario.h"

/* Per tick, of an old LUN. */
struct lp_sim_load {
	float *reads, *writes; /* requests per second */
	float *sectors;        /* of a request, mean */
	size_t n;
};

/* 0 or -ENOMEM. */
int lp_sim_load_make(const struct lp_scenario *scenario,
		     struct lp_sim_load *load);
void lp_sim_load_done(struct lp_sim_load *load);

#endif
