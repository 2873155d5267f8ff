/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jittery-disk: each answer of the disk comes up to so much later, by chance.
 */
#include "fault/diskchange.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	char command[64];

	snprintf(command, sizeof(command), "jitter %g 1", run->strength);
	return lab_disk_change(run, command, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	uint64_t jitter_us;
	int status = lab_disk_ask(run, "jitter_us", &jitter_us, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen),
		 "answers come up to %.0f ms later", (double)jitter_us / 1e3);
	return jitter_us > 0 ? 0 : lp_fail(err, EIO, "the disk has no delay");
}

const struct lab_fault lab_fault_jittery_disk = {
	.name = "jittery-disk",
	.summary = "each answer of the disk has a random delay",
	.strength_unit = "ms",
	.strengths = { 100, 50, 20 },
	.weakest = 0.1,
	.strongest = 10000,
	.cause = "disk-busy",
	.start = start,
	.bites = bites,
};
