/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spin: a thread of the server's daemon computes and never rests, as after an
 * error that leaves it in a loop.
 */
#include "fault/software.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_start(run, PAYLOAD_SPIN, (uint32_t)run->strength,
				  err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_bites(run, "used %.1f s of CPU time", 1e-9, err);
}

const struct lab_fault lab_fault_spin = {
	.name = "spin",
	.summary = "a thread of the daemon computes without end",
	.strength_unit = "%",
	.strengths = { 100, 25 },
	.weakest = 1,
	.strongest = 100,
	.cause = "software",
	.start = start,
	.stop = lab_software_stop,
	.bites = bites,
};
