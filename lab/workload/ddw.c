/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ddw: one large file per process, written from its beginning to its end, as
 * dd does. When the room is used up it begins anew.
 */
#include "base/memory.h"
#include "workload/passes.h"

#include <fcntl.h>

static int work(struct lab_worker *worker, struct lp_error *err)
{
	uint64_t size;
	int status = lab_worker_room(worker, &size, err);

	while (status == 0) {
		lp_auto_close int fd = lab_worker_open(
			worker, "ddw", O_WRONLY | O_CREAT | O_TRUNC, err);

		status = fd < 0 ? fd
				: lab_write_pass(worker, fd, size,
						 LAB_RECORD_MAX, err);
	}
	return status;
}

const struct lab_workload lab_workload_ddw = {
	.name = "ddw",
	.summary = "write one large file per process sequentially",
	.pace = 28000000,
	.work = work,
};
