/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/diskqueue.h"

#include "base/timestamp.h"
#include "workload/pace.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int lab_disk_queue_open(struct lab_disk_queue *queue, const char *path,
			size_t block, struct lp_error *err)
{
	int status;

	*queue = (struct lab_disk_queue){ 0 };
	if (syscall(SYS_io_setup, LAB_QUEUE_DEPTH, &queue->context) < 0)
		return lp_fail_errno(err, errno,
				     "no asynchronous I/O on this machine");
	status = lab_platter_open(&queue->platter, path, block, err);
	if (status < 0) {
		syscall(SYS_io_destroy, queue->context);
		return status;
	}
	for (unsigned i = 0; i < LAB_QUEUE_DEPTH; i++)
		queue->idle[queue->n_idle++] = i;
	return 0;
}

int lab_disk_queue_submit(struct lab_disk_queue *queue, struct lp_error *err)
{
	unsigned which = queue->idle[--queue->n_idle];
	struct iocb *block = &queue->blocks[which];
	long r;

	*block = (struct iocb){
		.aio_data = which,
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = (uint32_t)queue->platter.fd,
		/* All into one buffer: nobody looks at the bytes. */
		.aio_buf = (uint64_t)(uintptr_t)queue->platter.buffer,
		.aio_nbytes = queue->platter.block,
		.aio_offset = (int64_t)lab_platter_next(&queue->platter),
	};
	r = syscall(SYS_io_submit, queue->context, 1, &block);
	if (r == 1)
		return 0;
	queue->idle[queue->n_idle++] = which;
	return lp_fail_errno(err, r < 0 ? errno : EAGAIN, "reading the disk");
}

int lab_disk_queue_reap(struct lab_disk_queue *queue, int64_t limit_ns,
			struct lp_error *err)
{
	struct timespec limit = { limit_ns / LP_NS_PER_S,
				  limit_ns % LP_NS_PER_S };
	struct io_event ended[LAB_QUEUE_DEPTH];
	long n;

	if (queue->n_idle == LAB_QUEUE_DEPTH) {
		lab_sleep_ns(limit_ns);
		return 0;
	}
	n = syscall(SYS_io_getevents, queue->context, 1, LAB_QUEUE_DEPTH, ended,
		    &limit);
	if (n < 0 && errno != EINTR)
		return lp_fail_errno(err, errno, "reading the disk");
	for (long i = 0; i < n; i++) {
		queue->idle[queue->n_idle++] = (unsigned)ended[i].data;
		if (ended[i].res < 0)
			return lp_fail_errno(err, (int)-ended[i].res,
					     "reading the disk");
	}
	return n > 0 ? (int)n : 0;
}

void lab_disk_queue_close(struct lab_disk_queue *queue)
{
	syscall(SYS_io_destroy, queue->context);
	lab_platter_close(&queue->platter);
}
