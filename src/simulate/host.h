/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One server's recording, as an archive.
 */
#ifndef LP_SIMULATE_HOST_H
#define LP_SIMULATE_HOST_H

#include "archive/archive.h"
#include "simulate/load.h"
#include "simulate/simulate.h"

/* Adds to stats. */
int lp_sim_host_write(const struct lp_scenario *scenario,
		      const struct lp_sim_load *load, unsigned array,
		      unsigned server, struct lp_archive_writer *writer,
		      struct lp_sim_stats *stats, struct lp_error *err);

#endif
