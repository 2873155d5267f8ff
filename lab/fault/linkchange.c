/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/linkchange.h"

#include "base/memory.h"
#include "cluster/network.h"
#include "cluster/node.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PATIENCE_S 10

static uint64_t wanted(const struct lab_fault_run *run)
{
	return (uint64_t)(run->strength * 1e6);
}

static int change(struct lab_fault_run *run, const char *netns,
		  const char *device, struct lp_error *err)
{
	char text[96];
	int r;

	snprintf(text, sizeof(text), "%s %s %" PRIu64, netns, device,
		 lab_network_bits(run->lab, run->victim));
	r = lab_fault_note(run, LAB_LINK, text, err);
	return r < 0 ? r : lab_network_rate(netns, device, wanted(run), err);
}

int lab_link_change(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_node *bridge = lab_nth(run->lab, LAB_BRIDGE, 0);
	int r;

	if (wanted(run) >= lab_network_bits(run->lab, run->victim))
		return lp_fail(err, EINVAL, "the link of %s carries %g Mbit/s",
			       run->victim->name,
			       (double)lab_network_bits(run->lab, run->victim) /
				       1e6);
	r = change(run, run->victim->netns, "eth0", err);
	return r < 0 ? r : change(run, bridge->netns, run->victim->port, err);
}

/* tc's own words: "qdisc tbf 8001: root refcnt 9 rate 20Mbit ..." */
int lab_link_change_bites(struct lab_fault_run *run, struct lp_error *err)
{
	static const char *const argv[] = { "tc",  "qdisc", "show",
					    "dev", "eth0",  NULL };
	lp_auto_free char *text = NULL;
	const char *rate;
	int r = lab_node_run(run->victim, argv, PATIENCE_S, &text, err);

	if (r < 0)
		return r;
	rate = strstr(text, "rate ");
	if (!rate)
		return lp_fail(err, EIO, "the link of %s has no limit",
			       run->victim->name);
	snprintf(run->seen, sizeof(run->seen), "the link carries %.*s",
		 (int)strcspn(rate + 5, " "), rate + 5);
	return 0;
}
