/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slow-link: the server's link carries less, both ways, as one that has agreed
 * with its switch on a lower speed.
 */
#include "fault/linkchange.h"

const struct lab_fault lab_fault_slow_link = {
	.name = "slow-link",
	.summary = "the server's link is slower",
	.strength_unit = "Mbit/s",
	.strengths = { 15, 30, 50 },
	.weakest = 0.1,
	.strongest = 100000,
	.cause = "unknown",
	.start = lab_link_change,
	.bites = lab_link_change_bites,
};
