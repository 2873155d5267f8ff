/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write-network-hog: a node that is no client sends bytes to the server.
 */
#include "fault/netload.h"

const struct lab_fault lab_fault_write_network_hog = {
	.name = "write-network-hog",
	.summary = "a node that is not a client sends data to the server",
	.strength_unit = "MB/s",
	/* More than the link carries: as much as TCP gets. */
	.strengths = { 1000, 12, 6, 3 },
	.weakest = 0.1,
	.strongest = 10000,
	.cause = "network-hog",
	.direction = LAB_TO_NODE,
	.start = lab_net_load_start,
	.stop = lab_hog_take_off,
	.bites = lab_net_load_bites,
};
