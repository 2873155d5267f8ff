/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slow-client: a client's link carries less. No server is at fault, and none
 * should be accused.
 */
#include "fault/linkchange.h"

const struct lab_fault lab_fault_slow_client = {
	.name = "slow-client",
	.summary = "a client's link is slower",
	.strength_unit = "Mbit/s",
	.strengths = { 20, 50, 100 },
	.weakest = 0.1,
	.strongest = 100000,
	.cause = "",
	.role = LAB_CLIENT,
	.start = lab_link_change,
	.bites = lab_link_change_bites,
};
