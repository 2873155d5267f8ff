/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/pktloss.h"

#include "base/memory.h"
#include "base/number.h"
#include "site/node.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PATIENCE_S 10

static const char *const options[] = {
	[LAB_TO_NODE] = "--physdev-out",
	[LAB_FROM_NODE] = "--physdev-in",
};

/*
 *     212    12720 DROP  0  --  *  *  0.0.0.0/0  0.0.0.0/0  PHYSDEV match
 *     --physdev-in s3 statistic mode random probability 0.05000000028
 */
bool lab_pktloss_count(const char *listing, const char *match,
		       uint64_t *packets)
{
	size_t n = strlen(match);

	while (*listing) {
		const char *end = listing + strcspn(listing, "\n");
		const char *found =
			memmem(listing, (size_t)(end - listing), match, n);

		if (found && (found[n] == ' ' || found + n == end))
			return lp_scan_u64(&listing, end, packets);
		listing = end + (*end == '\n');
	}
	return false;
}

static const struct lab_node *switch_of(const struct lab_fault_run *run)
{
	return lab_nth(run->lab, LAB_BRIDGE, 0);
}

static int drop(const struct lab_fault_run *run, const char *option,
		struct lp_error *err)
{
	char probability[32];
	const char *const argv[] = { "iptables",
				     "-w",
				     "5",
				     "-A",
				     "FORWARD",
				     "-m",
				     "physdev",
				     "--physdev-is-bridged",
				     option,
				     run->victim->port,
				     "-m",
				     "statistic",
				     "--mode",
				     "random",
				     "--probability",
				     probability,
				     "-j",
				     "DROP",
				     NULL };

	snprintf(probability, sizeof(probability), "%.6f", run->strength / 100);
	return lab_node_run(switch_of(run), argv, PATIENCE_S, NULL, err);
}

/* Noted first, as `iptables -D` will want it. */
static int note(struct lab_fault_run *run, const char *option,
		struct lp_error *err)
{
	char text[PATH_MAX + 200];

	snprintf(text, sizeof(text),
		 "%s FORWARD -m physdev --physdev-is-bridged %s %s -m "
		 "statistic --mode random --probability %.6f -j DROP",
		 switch_of(run)->netns, option, run->victim->port,
		 run->strength / 100);
	return lab_fault_note(run, LAB_RULE, text, err);
}

int lab_pktloss_start(struct lab_fault_run *run, struct lp_error *err)
{
	const char *option = options[run->fault->direction];
	int status = note(run, option, err);

	return status < 0 ? status : drop(run, option, err);
}

int lab_pktloss_bites(struct lab_fault_run *run, struct lp_error *err)
{
	static const char *const argv[] = { "iptables", "-w",      "5",
					    "-nvxL",    "FORWARD", NULL };
	lp_auto_free char *listing = NULL;
	enum lab_direction direction = run->fault->direction;
	char match[48];
	uint64_t packets = 0;
	int status =
		lab_node_run(switch_of(run), argv, PATIENCE_S, &listing, err);

	if (status < 0)
		return status;
	snprintf(match, sizeof(match), "%s %s", options[direction],
		 run->victim->port);
	if (!lab_pktloss_count(listing, match, &packets))
		return lp_fail(err, EIO, "the rule that drops packets is gone");
	snprintf(run->seen, sizeof(run->seen), "%llu packets dropped",
		 (unsigned long long)packets);
	if (packets == 0)
		return lp_fail(err, EIO,
			       "no packet was dropped: nothing is sent %s %s",
			       direction == LAB_TO_NODE ? "to" : "from",
			       run->victim->name);
	return 0;
}
