/* SPDX-License-Identifier: Apache-2.0 */
/*
 * receive-pktloss: some of the packets on their way to the server are lost.
 */
#include "fault/pktloss.h"

const struct lab_fault lab_fault_receive_pktloss = {
	.name = "receive-pktloss",
	.summary = "packets to the server are lost",
	.strength_unit = "%",
	.strengths = { 5, 1, 0.5, 0.1 },
	.weakest = 0.001,
	.strongest = 100,
	.cause = "packet-loss",
	.direction = LAB_TO_NODE,
	.start = lab_pktloss_start,
	.bites = lab_pktloss_bites,
};
