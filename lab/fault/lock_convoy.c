/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock-convoy: reads and writes of the server's daemon wait for one lock, which
 * each of them holds for so long.
 */
#include "fault/software.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_start(run, PAYLOAD_CONVOY,
				  (uint32_t)(run->strength * 1000), err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_bites(run, "%.0f reads and writes went one by one",
				  1, err);
}

const struct lab_fault lab_fault_lock_convoy = {
	.name = "lock-convoy",
	.summary = "reads and writes of the daemon wait for one lock",
	.strength_unit = "ms",
	.strengths = { 2, 5, 1 },
	.weakest = 0.1,
	.strongest = 1000,
	.cause = "software",
	.start = start,
	.stop = lab_software_stop,
	.bites = bites,
};
