/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node's port in the bridge: down, or letting packets pass one way only.
 */
#include "base/memory.h"
#include "failure/failure.h"
#include "fault/pktloss.h"
#include "site/node.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PATIENCE_S 30

static const struct lab_node *bridge_of(const struct lab_failure_run *run)
{
	return lab_nth(run->lab, LAB_BRIDGE, 0);
}

/* ---- cut-off ---- */

static int make_cut(struct lab_failure_run *run, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < run->n; i++) {
		char text[PATH_MAX + 32];

		snprintf(text, sizeof(text), "%s %s", bridge_of(run)->netns,
			 run->node[i]->port);
		status = lab_failure_note(run, LAB_PORT, text, err);
	}
	for (size_t i = 0; status == 0 && i < run->n; i++) {
		const char *const argv[] = { "ip",   "link",
					     "set",  run->node[i]->port,
					     "down", NULL };

		status = lab_node_run(bridge_of(run), argv, PATIENCE_S, NULL,
				      err);
	}
	return status;
}

/* 9: s3@if2: <BROADCAST,MULTICAST> mtu 1500 ... state DOWN mode DEFAULT */
static int is_cut(struct lab_failure_run *run, struct lp_error *err)
{
	for (size_t i = 0; i < run->n; i++) {
		const char *const argv[] = { "ip",   "-o",  "link",
					     "show", "dev", run->node[i]->port,
					     NULL };
		lp_auto_free char *says = NULL;
		int status = lab_node_run(bridge_of(run), argv, PATIENCE_S,
					  &says, err);

		if (status < 0)
			return status;
		if (!strstr(says, "state DOWN"))
			return lp_fail(err, EIO, "the port of %s is not down",
				       run->node[i]->name);
	}
	snprintf(run->seen, sizeof(run->seen), "%zu port%s down", run->n,
		 run->n == 1 ? " is" : "s are");
	return 0;
}

const struct lab_failure lab_failure_cut_off = {
	.name = "cut-off",
	.summary = "nothing reaches the node, and nothing leaves it",
	.make = make_cut,
	.bites = is_cut,
};

/* ---- one way ---- */

static const char *option_of(const struct lab_failure_run *run)
{
	return run->failure == &lab_failure_one_way_in ? "--physdev-out"
						       : "--physdev-in";
}

static int drop(const struct lab_failure_run *run, const char *port,
		struct lp_error *err)
{
	const char *const argv[] = { "iptables",
				     "-w",
				     "5",
				     "-A",
				     "FORWARD",
				     "-m",
				     "physdev",
				     "--physdev-is-bridged",
				     option_of(run),
				     port,
				     "-j",
				     "DROP",
				     NULL };

	return lab_node_run(bridge_of(run), argv, PATIENCE_S, NULL, err);
}

static int make_one_way(struct lab_failure_run *run, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < run->n; i++) {
		char text[PATH_MAX + 128];

		snprintf(text, sizeof(text),
			 "%s FORWARD -m physdev --physdev-is-bridged %s %s -j "
			 "DROP",
			 bridge_of(run)->netns, option_of(run),
			 run->node[i]->port);
		status = lab_failure_note(run, LAB_RULE, text, err);
		if (status == 0)
			status = drop(run, run->node[i]->port, err);
	}
	return status;
}

static int has_dropped(struct lab_failure_run *run, struct lp_error *err)
{
	static const char *const argv[] = { "iptables", "-w",      "5",
					    "-nvxL",    "FORWARD", NULL };
	lp_auto_free char *listing = NULL;
	uint64_t all = 0;
	int status =
		lab_node_run(bridge_of(run), argv, PATIENCE_S, &listing, err);

	for (size_t i = 0; status == 0 && i < run->n; i++) {
		char match[48];
		uint64_t packets = 0;

		snprintf(match, sizeof(match), "%s %s", option_of(run),
			 run->node[i]->port);
		if (!lab_pktloss_count(listing, match, &packets))
			status = lp_fail(err, EIO,
					 "the rule that drops packets is gone");
		all += packets;
	}
	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen), "%" PRIu64 " packets dropped",
		 all);
	return all > 0 ? 0 : lp_fail(err, EIO, "no packet was dropped yet");
}

const struct lab_failure lab_failure_one_way_in = {
	.name = "one-way-in",
	.summary = "nothing reaches the node; what it sends leaves it",
	.make = make_one_way,
	.bites = has_dropped,
};

const struct lab_failure lab_failure_one_way_out = {
	.name = "one-way-out",
	.summary = "nothing leaves the node; it hears the others",
	.make = make_one_way,
	.bites = has_dropped,
};
