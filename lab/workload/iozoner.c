/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iozoner: read a file, then read it again, as IOzone's read/reread test does.
 * Between the phases is an fsync, and the file is dropped from all caches, as
 * by its size it would not have stayed in those of the published experiments.
 */
#include "workload/passes.h"

#define RECORD ((size_t)256 << 10)

static int work(struct lab_worker *worker, struct lp_error *err)
{
	return lab_read_passes(worker, RECORD, true, err);
}

const struct lab_workload lab_workload_iozoner = {
	.name = "iozoner",
	.summary = "read a file, then read it again, with fsync in between",
	.pace = 22000000,
	.prepare = lab_read_prepare,
	.work = work,
};
