/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A storage system that is not there: what its recorders would have written,
 * one archive per server, with the truth beside it.
 *
 *     DIR/fs1-20260601T000000Z.limpid ...
 *     DIR/truth.json      what happened to which components, and when
 *     DIR/cluster.conf    who serves, limpid-cluster(5)
 *
 * The same scenario, seed and version give the same bytes.
 */
#ifndef LP_SIMULATE_SIMULATE_H
#define LP_SIMULATE_SIMULATE_H

#include "simulate/scenario.h"

struct lp_sim_stats {
	size_t hosts, components, events;
	uint64_t samples, values; /* values: counters written */
};

/* Called after each host with the part done, 0 to 1. */
typedef void lp_sim_progress(void *user, double part, uint64_t values);

/* The directory exists. At failure, nothing half-written stays. */
int lp_simulate(const struct lp_scenario *scenario, const char *directory,
		lp_sim_progress *progress, void *user,
		struct lp_sim_stats *stats, struct lp_error *err);

#endif
