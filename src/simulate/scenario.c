/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HOSTS 4096
#define MOST_LUNS 1024
#define MOST_CLIENTS 250
#define MOST_TICKS 4000000

const struct lp_sim_trait lp_sim_traits[LP_SIM_KINDS] = {
	[LP_SIM_CONTROLLER_FAILED] = { "controller-failed",
				       LP_SIM_AT_CONTROLLER, 1, "absent",
				       "its servers lose all LUNs; load moves "
				       "to the next attachments",
				       .takes = true },
	[LP_SIM_SERVER_DOWN] = { "server-down", LP_SIM_AT_SERVER, 1, "absent",
				 "no samples, a boot afterwards; load moves to "
				 "the secondaries",
				 .takes = true },
	[LP_SIM_LOST_MISSING] = { "lost-missing", LP_SIM_AT_LUN, 1, "absent",
				  "primary attachments whose device is gone",
				  .takes = true },
	[LP_SIM_LOST_ZERO] = { "lost-zero", LP_SIM_AT_LUN, 1, "absent",
			       "primary attachments without any I/O",
			       .takes = true },
	[LP_SIM_LUNS_MISSING] = { "luns-missing", LP_SIM_AT_LUN, 1, "absent",
				  "servers lose the devices of LUNs, of every "
				  "priority",
				  .takes = true },
	[LP_SIM_LUNS_ZERO] = { "luns-zero", LP_SIM_AT_LUN, 1, "absent",
			       "servers get no I/O for LUNs, of every "
			       "priority",
			       .takes = true },
	[LP_SIM_LUN_RESETS] = { "lun-resets", LP_SIM_AT_LUN, 103, "absent",
				"LUNs stall for STRENGTH s one after another; "
				"then servers refuse them until a reboot",
				.takes = true },
	[LP_SIM_SERVICE_DOWN] = { "service-down", LP_SIM_AT_SERVER, 1, "absent",
				  "a boot, then no I/O; load moves to the "
				  "secondaries",
				  .takes = true },
	[LP_SIM_DRAWER_ERRORS] = { "drawer-errors", LP_SIM_AT_LUN, 1,
				   "disk-busy",
				   "jitter of await every few seconds on many "
				   "LUNs of an array" },
	[LP_SIM_LUN_LATENCY] = { "lun-latency", LP_SIM_AT_LUN, 3, "disk-busy",
				 "await times STRENGTH at the usual load" },
	[LP_SIM_LUN_WORKLOAD] = { "lun-workload", LP_SIM_AT_LUN, 120,
				  "disk-hog",
				  "STRENGTH requests/s of this LUN's own" },
	[LP_SIM_IDLE_LATENCY] = { "idle-latency", LP_SIM_AT_LUN, 120,
				  "disk-busy",
				  "await of STRENGTH ms on the secondary, "
				  "without a load" },
	[LP_SIM_REBUILD] = { "rebuild", LP_SIM_AT_LUN, 5, "disk-busy",
			     "a third of the time degraded, then rebuilt, "
			     "which "
			     "the whole controller feels" },
	[LP_SIM_SLOW_DISK] = { "slow-disk", LP_SIM_AT_LUN, 6, "disk-busy",
			       "await times STRENGTH, growing over the first "
			       "tenth" },
	[LP_SIM_DISK_HOG] = { "disk-hog", LP_SIM_AT_SERVER, 200, "disk-hog",
			      "a foreign load of STRENGTH requests/s on each "
			      "of the server's disks" },
	[LP_SIM_DISK_BUSY] = { "disk-busy", LP_SIM_AT_SERVER, 5, "disk-busy",
			       "await times STRENGTH by a load that the "
			       "counters "
			       "do not show" },
	[LP_SIM_WRITE_NETWORK_HOG] = { "write-network-hog", LP_SIM_AT_SERVER,
				       80, "network-hog",
				       "STRENGTH MB/s more received" },
	[LP_SIM_READ_NETWORK_HOG] = { "read-network-hog", LP_SIM_AT_SERVER, 80,
				      "network-hog",
				      "STRENGTH MB/s more sent" },
	[LP_SIM_RECEIVE_PKTLOSS] = { "receive-pktloss", LP_SIM_AT_SERVER, 5,
				     "packet-loss",
				     "STRENGTH % of the packets to the server "
				     "are lost" },
	[LP_SIM_SEND_PKTLOSS] = { "send-pktloss", LP_SIM_AT_SERVER, 5,
				  "packet-loss",
				  "STRENGTH % of the packets from the server "
				  "are lost" },
};

void lp_scenario_done(struct lp_scenario *scenario)
{
	free(scenario->events);
	lp_arena_done(&scenario->arena);
	*scenario = (struct lp_scenario){ 0 };
}

size_t lp_scenario_hosts(const struct lp_scenario *scenario)
{
	return (size_t)scenario->arrays * scenario->servers;
}

size_t lp_scenario_parts(const struct lp_scenario *scenario, size_t event)
{
	size_t n = 1;

	while (event + n < scenario->n_events &&
	       scenario->events[event + n].number ==
		       scenario->events[event].number)
		n++;
	return n;
}

size_t lp_scenario_ticks(const struct lp_scenario *scenario)
{
	return (size_t)(scenario->hours * 3600 / scenario->interval_s + 0.5) +
	       1;
}

static void move_event(struct lp_sim_event *event, const struct lp_scenario *s)
{
	event->array %= s->arrays;
	event->lun %= s->luns;
	if (event->luns > s->luns)
		event->luns = s->luns;
}

int lp_scenario_scale(struct lp_scenario *scenario, unsigned arrays,
		      unsigned luns, struct lp_error *err)
{
	if (arrays < 1 || arrays > scenario->arrays || luns > scenario->luns)
		return lp_fail(
			err, EINVAL,
			"'%s' has %u arrays of %u LUNs; it can be scaled "
			"down, to 1x1 at least",
			scenario->name, scenario->arrays, scenario->luns);
	scenario->arrays = arrays;
	if (luns > 0) {
		scenario->old_luns = scenario->old_luns * luns / scenario->luns;
		scenario->luns = luns;
	}
	for (size_t i = 0; i < scenario->n_events; i++)
		move_event(&scenario->events[i], scenario);
	return 0;
}

static int check_size(const struct lp_scenario *s, struct lp_error *err)
{
	if (s->arrays < 1 || s->servers < 1 || s->luns < 1 ||
	    s->luns > MOST_LUNS || s->arrays > MOST_HOSTS ||
	    s->servers > MOST_HOSTS || lp_scenario_hosts(s) > MOST_HOSTS)
		return lp_fail(
			err, EINVAL,
			"%s: at least one array, server and LUN, at most "
			"%d servers and %d LUNs an array",
			s->name, MOST_HOSTS, MOST_LUNS);
	if (s->attachments < 1 || s->attachments > s->servers)
		return lp_fail(err, EINVAL,
			       "%s: a LUN has 1 to %u attachments, one per "
			       "server of its array",
			       s->name, s->servers);
	if (s->clients > MOST_CLIENTS)
		return lp_fail(err, EINVAL, "%s: at most %d clients", s->name,
			       MOST_CLIENTS);
	if (s->clients > 0 && strncmp(s->server_prefix, "client", 6) == 0)
		return lp_fail(err, EINVAL,
			       "%s: clients are called client1 ...; choose "
			       "another name for the servers",
			       s->name);
	if (s->old_luns > s->luns)
		return lp_fail(err, EINVAL, "%s: %u of %u LUNs cannot be old",
			       s->name, s->old_luns, s->luns);
	return 0;
}

int lp_scenario_check(const struct lp_scenario *s, struct lp_error *err)
{
	double ticks = s->hours * 3600 / s->interval_s;

	if (!(s->interval_s >= 0.1) || !(s->interval_s <= 3600))
		return lp_fail(err, EINVAL, "%s: the interval is 0.1 s to 1 h",
			       s->name);
	if (!(ticks >= 1) || ticks > MOST_TICKS)
		return lp_fail(err, EINVAL,
			       "%s: %g h at %g s are not between 1 and %d "
			       "samples",
			       s->name, s->hours, s->interval_s, MOST_TICKS);
	return check_size(s, err);
}
