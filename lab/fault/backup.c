/* SPDX-License-Identifier: Apache-2.0 */
/*
 * backup: a program reads the disks of all servers at the same time, each at a
 * moderate rate, as a nightly backup does. All servers have more to do, and
 * none is at fault.
 */
#include "fault/diskload.h"

#define BLOCK ((size_t)128 << 10)

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_disk_load_start_all(run, BLOCK, err);
}

const struct lab_fault lab_fault_backup = {
	.name = "backup",
	.summary = "the disks of all servers are read, as by a backup",
	.strength_unit = "MB/s",
	.strengths = { 1, 2, 4 },
	.weakest = 0.1,
	.strongest = 1000,
	.cause = "",
	.everywhere = true,
	.start = start,
	.stop = lab_hog_take_off,
	.bites = lab_disk_load_bites,
};
