/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iozonew: write a file, fsync, write the same bytes' places again, fsync: the
 * two phases of IOzone's write/rewrite test, which is not packaged.
 */
#include "base/memory.h"
#include "workload/passes.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define RECORD ((size_t)256 << 10)
/* Of all processes together: phases of half a minute in the default lab. */
#define SET ((uint64_t)1 << 30)

static int phase(struct lab_worker *worker, int fd, uint64_t size,
		 struct lp_error *err)
{
	int status = lab_write_pass(worker, fd, size, RECORD, err);

	if (status == 0 && fsync(fd) < 0)
		status = lp_fail_errno(err, errno, "cannot write to %s",
				       worker->dir);
	return status;
}

static int work(struct lab_worker *worker, struct lp_error *err)
{
	uint64_t share = SET / worker->of / RECORD * RECORD;
	uint64_t size;
	int status = lab_worker_room(worker, &size, err);

	if (status == 0 && share > 0 && share < size)
		size = share;
	while (status == 0) {
		lp_auto_close int fd = lab_worker_open(
			worker, "iozonew", O_WRONLY | O_CREAT | O_TRUNC, err);

		status = fd < 0 ? fd : phase(worker, fd, size, err);
		if (status == 0)
			status = phase(worker, fd, size, err);
	}
	return status;
}

const struct lab_workload lab_workload_iozonew = {
	.name = "iozonew",
	.summary = "write a file, then overwrite it, with fsync in between",
	.pace = 28000000,
	.work = work,
};
