/* SPDX-License-Identifier: Apache-2.0 */
/*
 * send-pktloss: some of the packets that the server sends are lost.
 */
#include "fault/pktloss.h"

const struct lab_fault lab_fault_send_pktloss = {
	.name = "send-pktloss",
	.summary = "packets from the server are lost",
	.strength_unit = "%",
	.strengths = { 5, 1, 0.5, 0.1 },
	.weakest = 0.001,
	.strongest = 100,
	.cause = "packet-loss",
	.direction = LAB_FROM_NODE,
	.start = lab_pktloss_start,
	.bites = lab_pktloss_bites,
};
