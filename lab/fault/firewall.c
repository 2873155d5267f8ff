/* SPDX-License-Identifier: Apache-2.0 */
/*
 * firewall: each packet to and from the server is compared with a long list of
 * rules, none of which is about it.
 *
 * The rules are in a chain of their own. Only the way into it is in the
 * journal: without that the chain does nothing, and it goes with the server.
 */
#include "base/memory.h"
#include "fault/fault.h"
#include "fault/pktloss.h"
#include "site/node.h"
#include "site/nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_S 60
#define CHAIN "limpid-rules"

/* In the form of iptables-restore; addresses of a net for documentation. */
static int write_rules(const char *path, unsigned long n, struct lp_error *err)
{
	lp_auto_fclose FILE *file = fopen(path, "we");

	if (!file)
		return lp_fail_errno(err, errno, "cannot write %s", path);
	fprintf(file, "*filter\n:" CHAIN " - [0:0]\n-F " CHAIN "\n");
	for (unsigned long i = 0; i < n; i++)
		fprintf(file,
			"-A " CHAIN " -s 203.0.%lu.%lu/32 -p tcp -j DROP\n",
			i / 250 % 250, i % 250 + 1);
	fprintf(file, "COMMIT\n");
	if (fflush(file) != 0 || ferror(file))
		return lp_fail_errno(err, errno, "cannot write %s", path);
	return 0;
}

static int load_rules(struct lab_fault_run *run, struct lp_error *err)
{
	char path[PATH_MAX];
	const char *const argv[] = { "iptables-restore", "-w", "5",
				     "--noflush",        path, NULL };
	int status = lab_node_path(run->lab, run->victim, "rules", path, err);

	if (status == 0)
		status = write_rules(path, (unsigned long)run->strength, err);
	if (status == 0)
		status = lab_node_run(run->victim, argv, PATIENCE_S, NULL, err);
	return status;
}

static int lead(struct lab_fault_run *run, const char *from,
		struct lp_error *err)
{
	const char *const argv[] = { "iptables", "-w", "5",   "-I",
				     from,       "-j", CHAIN, NULL };
	char text[PATH_MAX + 64];
	int status;

	snprintf(text, sizeof(text), "%s %s -j " CHAIN, run->victim->netns,
		 from);
	status = lab_fault_note(run, LAB_RULE, text, err);
	return status < 0
		       ? status
		       : lab_node_run(run->victim, argv, PATIENCE_S, NULL, err);
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	int status = load_rules(run, err);

	if (status == 0)
		status = lead(run, "INPUT", err);
	return status < 0 ? status : lead(run, "OUTPUT", err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	static const char *const argv[] = { "iptables", "-w",    "5",
					    "-nvxL",    "INPUT", NULL };
	lp_auto_free char *listing = NULL;
	uint64_t packets = 0;
	int status = lab_node_run(run->victim, argv, PATIENCE_S, &listing, err);

	if (status < 0)
		return status;
	lab_pktloss_count(listing, CHAIN, &packets);
	snprintf(run->seen, sizeof(run->seen),
		 "%" PRIu64 " packets were compared with %.0f rules", packets,
		 run->strength);
	return packets > 0 ? 0
			   : lp_fail(err, EIO, "no packet came to %s",
				     run->victim->name);
}

const struct lab_fault lab_fault_firewall = {
	.name = "firewall",
	.summary = "packets are compared with many rules",
	.strength_unit = "rules",
	.strengths = { 2000, 500 },
	.weakest = 1,
	.strongest = 50000,
	.cause = "software",
	.start = start,
	.bites = bites,
};
