/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ddr: one large file per process, read from its beginning to its end, again
 * and again, each time from the servers' disks.
 */
#include "workload/passes.h"

static int work(struct lab_worker *worker, struct lp_error *err)
{
	return lab_read_passes(worker, LAB_RECORD_MAX, false, err);
}

const struct lab_workload lab_workload_ddr = {
	.name = "ddr",
	.summary = "read one large file per process sequentially",
	.pace = 22000000,
	.prepare = lab_read_prepare,
	.work = work,
};
