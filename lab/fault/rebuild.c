/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rebuild: all of the disk is read at a moderate rate, as the rebuild of a RAID
 * does. It is not a fault of the server: an operator knows of it.
 */
#include "fault/diskload.h"

#define BLOCK ((size_t)64 << 10)

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_disk_load_start(run, BLOCK, err);
}

const struct lab_fault lab_fault_rebuild = {
	.name = "rebuild",
	.summary = "the whole disk is read, as in the rebuild of a RAID",
	.strength_unit = "MB/s",
	.strengths = { 2, 1, 4 },
	.weakest = 0.1,
	.strongest = 1000,
	.cause = "",
	.start = start,
	.stop = lab_hog_take_off,
	.bites = lab_disk_load_bites,
};
