/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What really happened, for those who judge detectors, limpid-simulate(1).
 */
#ifndef LP_SIMULATE_TRUTH_H
#define LP_SIMULATE_TRUTH_H

#include "simulate/scenario.h"

#include <stdio.h>

/* truth.json. Errors are the stream's. */
void lp_sim_truth_write(const struct lp_scenario *scenario, FILE *out);
/* cluster.conf, limpid-cluster(5). */
void lp_sim_cluster_write(const struct lp_scenario *scenario, FILE *out);

/* Whether any of the event falls into the recording. */
bool lp_sim_event_shows(const struct lp_scenario *scenario,
			const struct lp_sim_event *event);

#endif
