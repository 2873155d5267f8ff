/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the events of a scenario do to an attachment at a time.
 */
#ifndef LP_SIMULATE_EFFECT_H
#define LP_SIMULATE_EFFECT_H

#include "simulate/topology.h"

struct lp_sim_place {
	unsigned array, server, lun;
};

struct lp_sim_effect {
	bool gone;           /* there is no device */
	bool carries;        /* the clients' requests for the LUN come here */
	double latency;      /* factor */
	double errors_per_s; /* each delays a few requests by a second or so */
	double requests_per_s; /* beside the clients' */
	double idle_ms;        /* await of the few requests that need no load */
	double held_until_s;   /* requests are answered then, not before */
};

/* The effect at a time, and until when it stays so. */
struct lp_sim_effect lp_sim_effect_at(const struct lp_scenario *scenario,
				      struct lp_sim_place place, double at_s,
				      double *until_s);

/* Whether the host is down then; *until_s as above. */
bool lp_sim_down(const struct lp_scenario *scenario, unsigned array,
		 unsigned server, double at_s, double *until_s);

/* Bytes per second that a hog adds to the host's network. */
void lp_sim_network(const struct lp_scenario *scenario, unsigned array,
		    unsigned server, double at_s, double *rx, double *tx);

/* The share of packets to and from the host that get lost. */
void lp_sim_loss(const struct lp_scenario *scenario, unsigned array,
		 unsigned server, double at_s, double *receive, double *send);

/* Whether an event is about this LUN of its array. */
bool lp_sim_event_has_lun(const struct lp_scenario *scenario,
			  const struct lp_sim_event *event, unsigned lun);
/*
 * Whether it takes the attachment away (device gone, host down, no I/O), at
 * least for a part of its time.
 */
bool lp_sim_event_takes(const struct lp_scenario *scenario,
			const struct lp_sim_event *event,
			struct lp_sim_place place);

#endif
