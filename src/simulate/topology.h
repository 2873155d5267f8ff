/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which server has which LUN at which priority, and what they are called.
 */
#ifndef LP_SIMULATE_TOPOLOGY_H
#define LP_SIMULATE_TOPOLOGY_H

#include "model/inventory.h"
#include "simulate/scenario.h"

#define LP_SIM_NAME 64

/* array: from 0; server: within its array; lun: within its array. */
unsigned lp_sim_server(const struct lp_scenario *s, unsigned lun,
		       unsigned priority);
/* The priority of the server's attachment (0: primary), or attachments. */
unsigned lp_sim_priority(const struct lp_scenario *s, unsigned lun,
			 unsigned server);
/* Which of the two controllers the server is connected to. */
unsigned lp_sim_controller(const struct lp_scenario *s, unsigned server);

const char *lp_sim_host_name(const struct lp_scenario *s, unsigned array,
			     unsigned server, char text[LP_SIM_NAME]);
/* "client1" ...; client: from 0. */
const char *lp_sim_client_name(unsigned client, char text[LP_SIM_NAME]);
const char *lp_sim_client_address(unsigned client, char text[LP_SIM_NAME]);
const char *lp_sim_server_address(const struct lp_scenario *s, unsigned array,
				  unsigned server, char text[LP_SIM_NAME]);
/* The part of each server's traffic that is this client's; 1 in all. */
double lp_sim_client_share(const struct lp_scenario *s, unsigned client);

/* As in the samples: dm-3, sdb. */
const char *lp_sim_device_name(const struct lp_scenario *s, unsigned server,
			       unsigned lun, char text[LP_SIM_NAME]);
/* host/device, as in the samples. */
const char *lp_sim_device(const struct lp_scenario *s, unsigned array,
			  unsigned server, unsigned lun,
			  char text[LP_SIM_NAME]);
/* What a diagnosis shows: ddn6a.0.fs1; without arrays host/device. */
const char *lp_sim_component(const struct lp_scenario *s, unsigned array,
			     unsigned server, unsigned lun,
			     char text[LP_SIM_NAME]);

/* NULL: out of memory. You own it. */
struct lp_inventory *lp_sim_inventory(const struct lp_scenario *s,
				      unsigned array, unsigned server);
struct lp_inventory *lp_sim_client_inventory(const struct lp_scenario *s,
					     unsigned client);

#endif
