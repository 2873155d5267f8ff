/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several reads of a disk under way at once, past all caches, in one process
 * (the kernel's asynchronous I/O): whoever reads one block after the other gets
 * one turn each time the others' queue is through, and no more, however busy
 * the disk shall be kept.
 */
#ifndef LAB_FAULT_DISKQUEUE_H
#define LAB_FAULT_DISKQUEUE_H

#include "fault/diskload.h"

#include <linux/aio_abi.h>

#define LAB_QUEUE_DEPTH 64

struct lab_disk_queue {
	struct lab_platter platter;
	aio_context_t context;
	struct iocb blocks[LAB_QUEUE_DEPTH];
	unsigned idle[LAB_QUEUE_DEPTH], n_idle; /* of blocks */
};

int lab_disk_queue_open(struct lab_disk_queue *queue, const char *path,
			size_t block, struct lp_error *err);
/* Begin the next block; one must be idle. */
int lab_disk_queue_submit(struct lab_disk_queue *queue, struct lp_error *err);
/* Wait at most so long for the end of one. How many ended, or -errno. */
int lab_disk_queue_reap(struct lab_disk_queue *queue, int64_t limit_ns,
			struct lp_error *err);
void lab_disk_queue_close(struct lab_disk_queue *queue);

#endif
