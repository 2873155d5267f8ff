/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read-network-hog: the server sends bytes to a node that is no client.
 */
#include "fault/netload.h"

const struct lab_fault lab_fault_read_network_hog = {
	.name = "read-network-hog",
	.summary = "the server sends data to a node that is not a client",
	.strength_unit = "MB/s",
	/* More than the link carries: as much as TCP gets. */
	.strengths = { 1000, 12, 6, 3 },
	.weakest = 0.1,
	.strongest = 10000,
	.cause = "network-hog",
	.direction = LAB_FROM_NODE,
	.start = lab_net_load_start,
	.stop = lab_hog_take_off,
	.bites = lab_net_load_bites,
};
