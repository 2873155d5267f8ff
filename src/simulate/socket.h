/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One TCP connection between a server and a client, seen from one end.
 */
#ifndef LP_SIMULATE_SOCKET_H
#define LP_SIMULATE_SOCKET_H

#include "simulate/scenario.h"
#include "stats/random.h"

#include <stddef.h>

/* The first columns of the tcp class, in its order. */
enum {
	LP_SIM_SOCKETS,
	LP_SIM_ACTIVE,
	LP_SIM_CWND,
	LP_SIM_CWND_ACTIVE,
	LP_SIM_SSTHRESH,
	LP_SIM_RTT_MS,
	LP_SIM_RTTVAR_MS,
	LP_SIM_RETRANS,
	LP_SIM_BYTES_SENT,
	LP_SIM_BYTES_ACKED,
	LP_SIM_BYTES_RECEIVED,
	LP_SIM_BYTES_RETRANS,
	LP_SIM_SEGS_OUT,
	LP_SIM_SEGS_IN,
	LP_SIM_TCP_COLUMNS,
};

struct lp_sim_socket {
	struct lp_random random;
	double window; /* packets */
	double total[LP_SIM_TCP_COLUMNS];
};

/* The stream of random numbers is this end's of this connection. */
void lp_sim_socket_init(struct lp_sim_socket *socket, uint64_t seed,
			uint64_t stream);
/* The host booted: counters and window begin anew. */
void lp_sim_socket_reset(struct lp_sim_socket *socket);

/*
 * One tick: bytes that this end sent and received, and the share of its
 * packets that got lost. Fills bits[c][k].
 */
void lp_sim_socket_run(struct lp_sim_socket *socket, double interval_s,
		       double sent, double received, double loss,
		       uint64_t *const *bits, size_t k);

#endif
