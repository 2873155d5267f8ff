/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read-network-hog: the server sends bytes to a node that is no client.
 */
#include "fault/netload.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_node *third;
	int r = lab_third_party(run->lab, &third, err);

	return r < 0 ? r : lab_net_load_start(run, run->victim, third, err);
}

const struct lab_fault lab_fault_read_network_hog = {
	.name = "read-network-hog",
	.summary = "the server sends bytes to a node that is no client",
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
