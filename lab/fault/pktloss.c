/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/pktloss.h"

#include "base/memory.h"
#include "base/number.h"
#include "cluster/node.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_S 10

struct loss {
	char match[48]; /* "--physdev-in limpid-s3" */
	size_t mark;
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
static int note(struct lab_fault_run *run, const char *option, size_t *mark,
		struct lp_error *err)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "%s FORWARD -m physdev --physdev-is-bridged %s %s -m "
		 "statistic --mode random --probability %.6f -j DROP",
		 switch_of(run)->netns, option, run->victim->port,
		 run->strength / 100);
	return lab_journal_note(run->lab->journal, LAB_RULE, text, mark, err);
}

int lab_pktloss_start(struct lab_fault_run *run, enum lab_direction direction,
		      struct lp_error *err)
{
	const char *option =
		direction == LAB_TO_NODE ? "--physdev-out" : "--physdev-in";
	struct loss *loss = calloc(1, sizeof(*loss));
	int r;

	if (!loss)
		return lp_fail_memory(err);
	snprintf(loss->match, sizeof(loss->match), "%s %s", option,
		 run->victim->port);
	r = note(run, option, &loss->mark, err);
	if (r == 0) {
		r = drop(run, option, err);
		if (r < 0)
			lab_journal_undo(run->lab->journal, loss->mark, NULL);
	}
	if (r < 0)
		free(loss);
	else
		run->own = loss;
	return r;
}

int lab_pktloss_stop(struct lab_fault_run *run, struct lp_error *err)
{
	struct loss *loss = run->own;
	int r = lab_journal_undo(run->lab->journal, loss->mark, err);

	free(loss);
	return r;
}

int lab_pktloss_bites(struct lab_fault_run *run, struct lp_error *err)
{
	static const char *const argv[] = { "iptables", "-w",      "5",
					    "-nvxL",    "FORWARD", NULL };
	const struct loss *loss = run->own;
	lp_auto_free char *listing = NULL;
	uint64_t packets = 0;
	int r = lab_node_run(switch_of(run), argv, PATIENCE_S, &listing, err);

	if (r < 0)
		return r;
	if (!lab_pktloss_count(listing, loss->match, &packets))
		return lp_fail(err, EIO, "the rule that drops is gone");
	snprintf(run->seen, sizeof(run->seen), "%llu packets dropped",
		 (unsigned long long)packets);
	if (packets == 0)
		return lp_fail(err, EIO,
			       "no packet was dropped: nothing goes %s %s",
			       strstr(loss->match, "-out ") ? "to" : "out of",
			       run->victim->name);
	return 0;
}
