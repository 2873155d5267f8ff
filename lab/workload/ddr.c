/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ddr: one large file per process, read from its beginning to its end, again
 * and again, each time from the servers' disks.
 */
#include "base/memory.h"
#include "workload/passes.h"

/* Opened for each pass: what the kernel knows of a file it learns then. */
static int pass(struct lab_worker *worker, struct lp_error *err)
{
	uint64_t size;
	lp_auto_close int fd = lab_read_open(worker, &size, err);
	int r = fd < 0 ? fd : 0;

	if (r == 0)
		r = lab_worker_evict(worker, fd, LAB_READ_NAME, err);
	if (r == 0)
		r = lab_read_pass(worker, fd, size, LAB_RECORD_MAX, err);
	return r;
}

static int work(struct lab_worker *worker, struct lp_error *err)
{
	int r;

	do
		r = pass(worker, err);
	while (r == 0);
	return r;
}

const struct lab_workload lab_workload_ddr = {
	.name = "ddr",
	.summary = "read one large file per process sequentially",
	.pace = 22000000,
	.prepare = lab_read_prepare,
	.work = work,
};
