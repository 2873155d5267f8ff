/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/linkchange.h"

#include "base/memory.h"
#include "site/network.h"
#include "site/node.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_S 10

static uint64_t wanted(const struct lab_fault_run *run)
{
	return (uint64_t)(run->strength * 1e6);
}

static int change(struct lab_fault_run *run, const char *netns,
		  const char *device, struct lp_error *err)
{
	char text[PATH_MAX + 64];
	int status;

	snprintf(text, sizeof(text), "%s %s %" PRIu64, netns, device,
		 lab_network_bits(run->lab, run->victim));
	status = lab_fault_note(run, LAB_LINK, text, err);
	return status < 0 ? status
			  : lab_network_rate(netns, device, wanted(run), err);
}

int lab_link_change(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_node *bridge = lab_nth(run->lab, LAB_BRIDGE, 0);
	int status;

	if (wanted(run) >= lab_network_bits(run->lab, run->victim))
		return lp_fail(err, EINVAL, "the link of %s carries %g Mbit/s",
			       run->victim->name,
			       (double)lab_network_bits(run->lab, run->victim) /
				       1e6);
	status = change(run, run->victim->netns, "eth0", err);
	return status < 0 ? status
			  : change(run, bridge->netns, run->victim->port, err);
}

/* tc's own words: "qdisc tbf 8001: root refcnt 9 rate 20Mbit burst ..." */
bool lab_link_rate(const char *listing, double *bits)
{
	static const char units[] = "KMGT";
	const char *at = strstr(listing, " rate ");
	const char *unit;
	char *end;

	if (!at)
		return false;
	*bits = strtod(at + 6, &end);
	if (end == at + 6)
		return false;
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		*bits *= pow(1000, (double)(unit - units + 1));
		end++;
	}
	return strncmp(end, "bit", 3) == 0;
}

static int check_rate(const struct lab_fault_run *run,
		      const struct lab_node *node, const char *device,
		      struct lp_error *err)
{
	const char *const argv[] = {
		"tc", "qdisc", "show", "dev", device, NULL
	};
	lp_auto_free char *text = NULL;
	double bits = 0, want = (double)wanted(run);
	int status = lab_node_run(node, argv, PATIENCE_S, &text, err);

	if (status < 0)
		return status;
	if (!lab_link_rate(text, &bits))
		return lp_fail(err, EIO, "%s of %s has no limit", device,
			       node->name);
	if (fabs(bits - want) > 0.01 * want)
		return lp_fail(err, EIO, "%s of %s carries %g Mbit/s, not %g",
			       device, node->name, bits / 1e6, want / 1e6);
	return 0;
}

int lab_link_change_bites(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_node *bridge = lab_nth(run->lab, LAB_BRIDGE, 0);
	int status = check_rate(run, run->victim, "eth0", err);

	if (status == 0)
		status = check_rate(run, bridge, run->victim->port, err);
	if (status == 0)
		snprintf(run->seen, sizeof(run->seen),
			 "the link carries %g Mbit/s", run->strength);
	return status;
}
