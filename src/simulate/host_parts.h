/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host while it is made: what host.c and its network.c share.
 */
#ifndef LP_SIMULATE_HOST_PARTS_H
#define LP_SIMULATE_HOST_PARTS_H

#include "simulate/device.h"
#include "simulate/host.h"
#include "simulate/socket.h"

#define LP_SIM_BLOCK 600 /* ticks in a chunk */
#define LP_SIM_EPISODES 32

/* A clock that is off for a while. */
struct lp_sim_clock_step {
	double begin_s, end_s, offset_s;
};

struct lp_sim_host {
	struct lp_sim_world *world;
	const struct lp_scenario *scenario;
	struct lp_archive_writer *writer;
	struct lp_sim_stats *stats;
	bool is_client;
	unsigned client;
	unsigned array, server;
	char name[LP_SIM_NAME];
	struct lp_random random;
	struct lp_sim_workload workloads[LP_SIM_EPISODES];
	struct lp_sim_clock_step steps[LP_SIM_EPISODES];
	size_t n_workloads, n_steps, n_devices, n_sockets;
	struct lp_sim_device *devices;
	struct lp_sim_socket *sockets; /* with each client, or server */
	double net[4]; /* totals: bytes and packets received, sent */
	/* One chunk, used again and again. */
	struct lp_chunk chunk;
	struct lp_panel panels[3];
	struct lp_panel *disk, *net_panel, *tcp; /* of these, or NULL */
	struct lp_series *series;
	struct lp_values *values;
	uint64_t *bits;
	uint8_t *present;
	double rx[LP_SIM_BLOCK],
		tx[LP_SIM_BLOCK]; /* of files: bytes in a tick */
	int64_t time_ns[LP_SIM_BLOCK];
	struct lp_arena arena;
};

/* Among the servers, or among the clients. */
static inline uint64_t lp_sim_host_number(const struct lp_sim_host *h)
{
	return h->is_client
		       ? h->client
		       : (uint64_t)h->array * h->scenario->servers + h->server;
}

/* Ticks of the interface and the sockets, after those of the devices. */
void lp_sim_host_network(struct lp_sim_host *host, size_t first, size_t n);

#endif
