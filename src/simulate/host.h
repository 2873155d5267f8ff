/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One host's recording, as an archive.
 */
#ifndef LP_SIMULATE_HOST_H
#define LP_SIMULATE_HOST_H

#include "archive/archive.h"
#include "simulate/load.h"
#include "simulate/simulate.h"

/*
 * What each server received from clients and sent to them, bytes by tick:
 * [server * ticks + tick]. Servers fill it, clients follow.
 */
struct lp_sim_traffic {
	float *in, *out;
	size_t ticks;
};

/* What hosts are made from. */
struct lp_sim_world {
	const struct lp_scenario *scenario;
	const struct lp_sim_load *load;
	struct lp_sim_traffic traffic; /* NULL in it: nobody asks */
};

/* Number `host` of all servers. Adds to stats. */
int lp_sim_host_write(struct lp_sim_world *world, size_t host,
		      struct lp_archive_writer *writer,
		      struct lp_sim_stats *stats, struct lp_error *err);
/* The same of a client, after all servers. */
int lp_sim_client_write(struct lp_sim_world *world, size_t client,
			struct lp_archive_writer *writer,
			struct lp_sim_stats *stats, struct lp_error *err);

#endif
