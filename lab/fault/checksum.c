/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checksum: the server's daemon computes a sum over all that it reads and
 * writes, which its peers do not.
 */
#include "fault/software.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_start(run, PAYLOAD_CHECKSUM,
				  (uint32_t)run->strength, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_bites(run, "summed up %.1f MB", 1e-6, err);
}

const struct lab_fault lab_fault_checksum = {
	.name = "checksum",
	.summary = "the daemon computes checksums that its peers do not",
	.strength_unit = "x",
	.strengths = { 1, 4 },
	.weakest = 1,
	.strongest = 100,
	.cause = "software",
	.start = start,
	.stop = lab_software_stop,
	.bites = bites,
};
