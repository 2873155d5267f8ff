/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scenario: a storage system, its load, what disturbs it without being a
 * fault, and what goes wrong when. Read from a script (limpid-simulate(1)) or
 * one of the built-in ones, which are scripts as well.
 *
 *     array ddn6 ── controller a ── servers fs1 fs2 fs3 fs4
 *            │   └─ controller b ── servers fs5 fs6 fs7 fs8
 *            └── LUN 0 ... 71, each attached to all eight, in an order:
 *                the primary is server LUN mod 8, the secondary the next ...
 *
 * That is Intrepid (thesis 5.2); the order is what the attachments named there
 * (6.00.1, 15.37.78, fs16 to fs9) have in common. Servers with disks of their
 * own are the same with one attachment per LUN.
 */
#ifndef LP_SIMULATE_SCENARIO_H
#define LP_SIMULATE_SCENARIO_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum lp_sim_kind {
	LP_SIM_CONTROLLER_FAILED,
	LP_SIM_SERVER_DOWN,
	LP_SIM_LOST_MISSING, /* the attachment's device is gone */
	LP_SIM_LOST_ZERO,    /* it is there, and gets no I/O */
	LP_SIM_LUNS_MISSING, /* the same of LUNs on several servers, of */
	LP_SIM_LUNS_ZERO,    /* every priority: load may go to a tertiary */
	LP_SIM_LUN_RESETS,   /* LUNs stall, then servers refuse them */
	LP_SIM_SERVICE_DOWN, /* the server is up, its file system is not */
	LP_SIM_DRAWER_ERRORS,
	LP_SIM_LUN_LATENCY,  /* sustained await at the usual load */
	LP_SIM_LUN_WORKLOAD, /* await because of a load of its own */
	LP_SIM_IDLE_LATENCY, /* await on a secondary without a load */
	LP_SIM_REBUILD,      /* degraded, then rebuilt with its neighbours */
	LP_SIM_SLOW_DISK,
	LP_SIM_DISK_HOG, /* the faults of FAST'10 */
	LP_SIM_DISK_BUSY,
	LP_SIM_WRITE_NETWORK_HOG,
	LP_SIM_READ_NETWORK_HOG,
	LP_SIM_RECEIVE_PKTLOSS, /* packets to the server are lost */
	LP_SIM_SEND_PKTLOSS,    /* packets from the server are lost */
	LP_SIM_KINDS,
};

/* What an event is about. */
enum lp_sim_target { LP_SIM_AT_CONTROLLER, LP_SIM_AT_SERVER, LP_SIM_AT_LUN };

struct lp_sim_trait {
	const char *name;
	enum lp_sim_target target;
	double strength;   /* unless the script says otherwise */
	const char *cause; /* the word a diagnosis should find, or NULL */
	const char *help;
	bool takes; /* attachments, so that load moves to others */
};

extern const struct lp_sim_trait lp_sim_traits[LP_SIM_KINDS];

/* Numbers count from 0 within the scenario. */
struct lp_sim_event {
	enum lp_sim_kind kind;
	size_t number; /* those of one number are parts of one event: several
			  controllers at once */
	double at_s, seconds;
	unsigned array, controller, server, lun;
	unsigned luns;           /* how many of them, from `lun` on */
	const unsigned *servers; /* of the array, that lose LUNs; NULL: all of
				    the controller */
	size_t n_servers;
	double strength;
};

struct lp_scenario {
	const char *name;
	unsigned arrays, servers, luns, old_luns; /* the last three per array */
	unsigned attachments;                     /* per LUN */
	unsigned clients;     /* hosts with a connection to each server; 0: no
				 connections are recorded */
	bool local;           /* disks of the servers' own: sdb ... */
	unsigned first_array; /* its number in names: ddn6 */
	const char *server_prefix;
	double interval_s, hours;
	int64_t start_ns;
	uint64_t seed;
	/* Requests per second and LUN that are always there, but when idle. */
	double reads_per_s, writes_per_s;
	double bursts_per_hour, idle_share;
	/* Not faults: per LUN and day, per server and day. */
	double transients, server_workloads, clock_steps;
	struct lp_sim_event *events;
	size_t n_events, events_capacity;
	struct lp_arena arena;
};

/* The built-in script of that name, or NULL; names end with NULL. */
const char *lp_scenario_builtin(const char *name);
extern const char *const lp_scenario_names[];
/* "intrepid, small, healthy"; returns text. */
#define LP_SCENARIO_LIST 128
const char *lp_scenario_list(char text[LP_SCENARIO_LIST]);

/*
 * A built-in one, or a script's file. -EINVAL: file, line, what was expected.
 * lp_scenario_done in any case but failure.
 */
int lp_scenario_open(const char *name_or_path, struct lp_scenario *scenario,
		     struct lp_error *err);
/* A script as text; name is for messages. */
int lp_scenario_parse(const char *text, const char *name,
		      struct lp_scenario *scenario, struct lp_error *err);
void lp_scenario_done(struct lp_scenario *scenario);

/*
 * Fewer arrays, and fewer LUNs in each (0: as before), "old" ones in
 * proportion. Events move along: numbers too large begin again at 0.
 */
int lp_scenario_scale(struct lp_scenario *scenario, unsigned arrays,
		      unsigned luns, struct lp_error *err);

/* Whether sizes and times make sense; to be called last. */
int lp_scenario_check(const struct lp_scenario *scenario, struct lp_error *err);

size_t lp_scenario_hosts(const struct lp_scenario *scenario);
/* How many parts the event has whose first part is this; at least 1. */
size_t lp_scenario_parts(const struct lp_scenario *scenario, size_t event);
size_t lp_scenario_ticks(const struct lp_scenario *scenario);

#endif
