/* SPDX-License-Identifier: Apache-2.0 */
/*
 * receive-pktloss: some of the packets on their way to the server are lost.
 */
#include "fault/pktloss.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_pktloss_start(run, LAB_TO_NODE, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_pktloss_bites(run, LAB_TO_NODE, err);
}

const struct lab_fault lab_fault_receive_pktloss = {
	.name = "receive-pktloss",
	.summary = "packets on their way to the server are lost",
	.strength_unit = "%",
	.strengths = { 5, 1, 0.5, 0.1 },
	.weakest = 0.001,
	.strongest = 100,
	.cause = "packet-loss",
	.start = start,
	.bites = bites,
};
