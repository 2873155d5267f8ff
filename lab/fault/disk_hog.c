/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disk-hog: another program reads the server's disk through its device, past
 * the cache, as `dd iflag=direct` does: its requests are in the server's
 * diskstats.
 */
#include "fault/diskload.h"

#define BLOCK ((size_t)1 << 20)

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_disk_load_start(run, BLOCK, err);
}

const struct lab_fault lab_fault_disk_hog = {
	.name = "disk-hog",
	.summary = "another program reads the server's disk",
	.strength_unit = "MB/s",
	/* More than the disk gives: as fast as it goes. */
	.strengths = { 1000, 6, 3, 1 },
	.weakest = 0.1,
	.strongest = 10000,
	.cause = "disk-hog",
	.start = start,
	.stop = lab_hog_take_off,
	.bites = lab_disk_load_bites,
};
