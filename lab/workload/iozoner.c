/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iozoner: read a file, then read it again, as IOzone's read/reread test does.
 * Between the phases is an fsync, and the file is dropped from all caches, as
 * by its size it would not have stayed in those of the published experiments.
 */
#include "base/memory.h"
#include "workload/passes.h"

#include <errno.h>
#include <unistd.h>

#define RECORD ((size_t)256 << 10)

static int phase(struct lab_worker *worker, struct lp_error *err)
{
	uint64_t size;
	lp_auto_close int fd = lab_read_open(worker, &size, err);
	int r = fd < 0 ? fd : 0;

	if (r == 0)
		r = lab_worker_evict(worker, fd, LAB_READ_NAME, err);
	if (r == 0)
		r = lab_read_pass(worker, fd, size, RECORD, err);
	if (r == 0 && fsync(fd) < 0)
		r = lp_fail_errno(err, errno, "cannot fsync in %s",
				  worker->dir);
	return r;
}

static int work(struct lab_worker *worker, struct lp_error *err)
{
	int r;

	do
		r = phase(worker, err);
	while (r == 0);
	return r;
}

const struct lab_workload lab_workload_iozoner = {
	.name = "iozoner",
	.summary = "read a file, then read it again, with fsync in between",
	.pace = 22000000,
	.prepare = lab_read_prepare,
	.work = work,
};
