/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/effect.h"

/* Effects that grow are followed at this pace. */
#define PACE_S 60.0
#define RESETS_PACE_S 1.0
/* Thesis 6.3, figure 6.1: slightly slower reads with a disk missing; then 30
   to 40 ms on the LUN being rebuilt, 25 ms on its neighbours. */
#define DEGRADED 1.4
#define NEIGHBOURS 0.6
#define ERRORS_PER_S 0.25
/* LUNs are reset one after another for so long, and servers boot for so long;
   of a short event a part of it. */
#define RESETS_S 900.0
#define BOOT_S 300.0
#define PART_OF_SHORT 0.1
/* A hog fills the queues: some packets of its direction are dropped, too. */
#define HOG_LOSS 0.002

static bool active(const struct lp_sim_event *e, double at_s)
{
	return at_s >= e->at_s && at_s < e->at_s + e->seconds;
}

static double phase(const struct lp_sim_event *e, double seconds)
{
	double most = e->seconds * PART_OF_SHORT;

	return seconds < most ? seconds : most;
}

/* Servers refuse LUNs only when these have been reset. */
static bool is_taking(const struct lp_sim_event *e, double at_s)
{
	double after = e->kind == LP_SIM_LUN_RESETS ? phase(e, RESETS_S) : 0;

	return active(e, at_s) && at_s >= e->at_s + after;
}

/* Lost attachments share their server; others are neighbours in the array. */
bool lp_sim_event_has_lun(const struct lp_scenario *s,
			  const struct lp_sim_event *e, unsigned lun)
{
	unsigned behind = (lun + s->luns - e->lun) % s->luns;

	if (e->kind == LP_SIM_LOST_MISSING || e->kind == LP_SIM_LOST_ZERO)
		return lun >= e->lun && (lun - e->lun) % s->servers == 0 &&
		       (lun - e->lun) / s->servers < e->luns;
	return behind < e->luns;
}

/* Without a list, the servers of the controller. */
static bool has_server(const struct lp_scenario *s,
		       const struct lp_sim_event *e, unsigned server)
{
	if (!e->servers)
		return lp_sim_controller(s, server) == e->controller;
	for (size_t i = 0; i < e->n_servers; i++)
		if (e->servers[i] == server)
			return true;
	return false;
}

bool lp_sim_event_takes(const struct lp_scenario *s,
			const struct lp_sim_event *e, struct lp_sim_place p)
{
	if (e->array != p.array)
		return false;
	switch (e->kind) {
	case LP_SIM_CONTROLLER_FAILED:
		return lp_sim_controller(s, p.server) == e->controller;
	case LP_SIM_SERVER_DOWN:
	case LP_SIM_SERVICE_DOWN:
		return p.server == e->server;
	case LP_SIM_LUNS_MISSING:
	case LP_SIM_LUNS_ZERO:
	case LP_SIM_LUN_RESETS:
		return has_server(s, e, p.server) &&
		       lp_sim_event_has_lun(s, e, p.lun);
	case LP_SIM_LOST_MISSING:
	case LP_SIM_LOST_ZERO:
		return lp_sim_event_has_lun(s, e, p.lun) &&
		       lp_sim_priority(s, p.lun, p.server) == 0;
	default:
		return false;
	}
}

static bool available(const struct lp_scenario *s, struct lp_sim_place p,
		      double at_s)
{
	for (size_t i = 0; i < s->n_events; i++)
		if (is_taking(&s->events[i], at_s) &&
		    lp_sim_event_takes(s, &s->events[i], p))
			return false;
	return true;
}

/* Clients use the highest-priority attachment that is there (5.2.2). */
static bool carries(const struct lp_scenario *s, struct lp_sim_place p,
		    double at_s)
{
	unsigned own = lp_sim_priority(s, p.lun, p.server);

	for (unsigned q = 0; q < own; q++) {
		struct lp_sim_place other = p;

		other.server = lp_sim_server(s, p.lun, q);
		if (available(s, other, at_s))
			return false;
	}
	return available(s, p, at_s);
}

static void rebuild(const struct lp_scenario *s, const struct lp_sim_event *e,
		    struct lp_sim_place p, double at_s,
		    struct lp_sim_effect *effect)
{
	bool degraded = at_s < e->at_s + e->seconds / 3;
	unsigned owner = lp_sim_controller(s, lp_sim_server(s, e->lun, 0));
	unsigned mine = lp_sim_controller(s, lp_sim_server(s, p.lun, 0));

	if (lp_sim_event_has_lun(s, e, p.lun))
		effect->latency *= degraded ? DEGRADED : e->strength;
	else if (!degraded && owner == mine)
		effect->latency *= 1 + (e->strength - 1) * NEIGHBOURS;
}

/*
 * Thesis 5.7.1: 71 LUNs were reset, and responses came up to 103 s late. They
 * have their turns, the last one at the end of the phase.
 */
static void hold(const struct lp_scenario *s, const struct lp_sim_event *e,
		 unsigned lun, double at_s, struct lp_sim_effect *effect)
{
	double span = phase(e, RESETS_S);
	double lasts = e->strength < span ? e->strength : span;
	unsigned turn = (lun + s->luns - e->lun) % s->luns;
	double begin = e->at_s + (span - lasts) * turn / e->luns;

	if (at_s >= begin && at_s < begin + lasts)
		effect->held_until_s = begin + lasts;
}

static double grown(const struct lp_sim_event *e, double at_s)
{
	double part = (at_s - e->at_s) / (e->seconds / 10);

	return 1 + (e->strength - 1) * (part < 1 ? part : 1);
}

static void apply_to_lun(const struct lp_scenario *s,
			 const struct lp_sim_event *e, struct lp_sim_place p,
			 double at_s, struct lp_sim_effect *effect)
{
	unsigned priority = lp_sim_priority(s, p.lun, p.server);

	if (!lp_sim_event_has_lun(s, e, p.lun))
		return;
	if (e->kind == LP_SIM_DRAWER_ERRORS)
		effect->errors_per_s += ERRORS_PER_S * e->strength;
	else if (e->kind == LP_SIM_LUN_LATENCY)
		effect->latency *= e->strength;
	else if (e->kind == LP_SIM_SLOW_DISK)
		effect->latency *= grown(e, at_s);
	else if (e->kind == LP_SIM_LUN_WORKLOAD && effect->carries)
		effect->requests_per_s += e->strength;
	else if (e->kind == LP_SIM_IDLE_LATENCY && priority == 1)
		effect->idle_ms = e->strength;
	else if (e->kind == LP_SIM_LUN_RESETS)
		hold(s, e, p.lun, at_s, effect);
}

static void apply(const struct lp_scenario *s, const struct lp_sim_event *e,
		  struct lp_sim_place p, double at_s,
		  struct lp_sim_effect *effect)
{
	switch (e->kind) {
	case LP_SIM_CONTROLLER_FAILED:
	case LP_SIM_LOST_MISSING:
	case LP_SIM_LUNS_MISSING:
		effect->gone |= lp_sim_event_takes(s, e, p);
		break;
	case LP_SIM_REBUILD:
		rebuild(s, e, p, at_s, effect);
		break;
	case LP_SIM_DISK_HOG:
		if (p.server == e->server)
			effect->requests_per_s += e->strength;
		break;
	case LP_SIM_DISK_BUSY:
		if (p.server == e->server)
			effect->latency *= e->strength;
		break;
	default:
		apply_to_lun(s, e, p, at_s, effect);
	}
}

/* The next time at which the event may do something else. */
static double next_change(const struct lp_sim_event *e, double at_s)
{
	double end = e->at_s + e->seconds, pace = PACE_S;

	if (at_s < e->at_s)
		return e->at_s;
	if (at_s >= end)
		return 1e300;
	if (e->kind == LP_SIM_LUN_RESETS && !is_taking(e, at_s))
		pace = RESETS_PACE_S;
	return at_s + pace < end ? at_s + pace : end;
}

struct lp_sim_effect lp_sim_effect_at(const struct lp_scenario *s,
				      struct lp_sim_place p, double at_s,
				      double *until_s)
{
	struct lp_sim_effect effect = { .latency = 1,
					.carries = carries(s, p, at_s) };

	*until_s = 1e300;
	for (size_t i = 0; i < s->n_events; i++) {
		const struct lp_sim_event *e = &s->events[i];
		double next = next_change(e, at_s);

		if (e->array != p.array)
			continue;
		if (active(e, at_s))
			apply(s, e, p, at_s, &effect);
		if (next < *until_s)
			*until_s = next;
	}
	return effect;
}

/*
 * When the event has the server down. It boots before its service fails
 * (table 5.4), and to end the refusal of LUNs.
 */
static bool is_down_by(const struct lp_scenario *s,
		       const struct lp_sim_event *e, unsigned server,
		       double *begin, double *end)
{
	*begin = e->at_s;
	*end = e->at_s + e->seconds;
	if (e->kind == LP_SIM_LUN_RESETS) {
		*begin = *end - phase(e, BOOT_S);
		return has_server(s, e, server);
	}
	if (e->kind == LP_SIM_SERVICE_DOWN)
		*end = *begin + phase(e, BOOT_S);
	return (e->kind == LP_SIM_SERVER_DOWN ||
		e->kind == LP_SIM_SERVICE_DOWN) &&
	       e->server == server;
}

bool lp_sim_down(const struct lp_scenario *s, unsigned array, unsigned server,
		 double at_s, double *until_s)
{
	bool down = false;

	*until_s = 1e300;
	for (size_t i = 0; i < s->n_events; i++) {
		const struct lp_sim_event *e = &s->events[i];
		double begin, end;

		if (e->array != array ||
		    !is_down_by(s, e, server, &begin, &end) || at_s >= end)
			continue;
		down |= at_s >= begin;
		end = at_s < begin ? begin : end;
		if (end < *until_s)
			*until_s = end;
	}
	return down;
}

void lp_sim_network(const struct lp_scenario *s, unsigned array,
		    unsigned server, double at_s, double *rx, double *tx)
{
	*rx = *tx = 0;
	for (size_t i = 0; i < s->n_events; i++) {
		const struct lp_sim_event *e = &s->events[i];

		if (e->array != array || e->server != server ||
		    !active(e, at_s))
			continue;
		if (e->kind == LP_SIM_WRITE_NETWORK_HOG)
			*rx += e->strength * 1e6;
		if (e->kind == LP_SIM_READ_NETWORK_HOG)
			*tx += e->strength * 1e6;
	}
}

void lp_sim_loss(const struct lp_scenario *s, unsigned array, unsigned server,
		 double at_s, double *receive, double *send)
{
	*receive = *send = 0;
	for (size_t i = 0; i < s->n_events; i++) {
		const struct lp_sim_event *e = &s->events[i];

		if (e->array != array || e->server != server ||
		    !active(e, at_s))
			continue;
		if (e->kind == LP_SIM_RECEIVE_PKTLOSS)
			*receive += e->strength / 100;
		if (e->kind == LP_SIM_SEND_PKTLOSS)
			*send += e->strength / 100;
		if (e->kind == LP_SIM_WRITE_NETWORK_HOG)
			*receive += HOG_LOSS;
		if (e->kind == LP_SIM_READ_NETWORK_HOG)
			*send += HOG_LOSS;
	}
}
