/* SPDX-License-Identifier: Apache-2.0 */
/*
 * send-pktloss: some of the packets that the server sends are lost.
 */
#include "fault/pktloss.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_pktloss_start(run, LAB_FROM_NODE, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_pktloss_bites(run, LAB_FROM_NODE, err);
}

const struct lab_fault lab_fault_send_pktloss = {
	.name = "send-pktloss",
	.summary = "packets that the server sends are lost",
	.strength_unit = "%",
	.strengths = { 5, 1, 0.5, 0.1 },
	.weakest = 0.001,
	.strongest = 100,
	.cause = "packet-loss",
	.start = start,
	.bites = bites,
};
