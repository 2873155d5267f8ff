/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write-network-hog: a node that is no client sends bytes to the server.
 */
#include "fault/netload.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_node *third;
	int r = lab_third_party(run->lab, &third, err);

	return r < 0 ? r : lab_net_load_start(run, third, run->victim, err);
}

const struct lab_fault lab_fault_write_network_hog = {
	.name = "write-network-hog",
	.summary = "a node that is no client sends bytes to the server",
	.strength_unit = "MB/s",
	/* More than the link carries: as much as TCP gets. */
	.strengths = { 1000, 12, 6, 3 },
	.weakest = 0.1,
	.strongest = 10000,
	.cause = "network-hog",
	.start = start,
	.stop = lab_net_load_stop,
	.bites = lab_net_load_bites,
};
