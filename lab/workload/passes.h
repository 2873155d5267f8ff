/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Once through a file, from its beginning to its end: what the sequential
 * workloads are made of.
 */
#ifndef LAB_WORKLOAD_PASSES_H
#define LAB_WORKLOAD_PASSES_H

#include "workload/worker.h"

/* size is a multiple of record, record at most LAB_RECORD_MAX. */
int lab_write_pass(struct lab_worker *worker, int fd, uint64_t size,
		   size_t record, struct lp_error *err);
int lab_read_pass(struct lab_worker *worker, int fd, uint64_t size,
		  size_t record, struct lp_error *err);

/*
 * The file that readers read, the same for all of them, so that it is written
 * once for many runs: LAB_READ_NAME in each process's directory, all together
 * LAB_READ_SET bytes if there is room.
 */
#define LAB_READ_NAME "read"
#define LAB_READ_SET ((uint64_t)512 << 20)

/* Write it, unless it is there and as large as it should be. */
int lab_read_prepare(struct lab_worker *worker, struct lp_error *err);
/* Open it; *size is its size. */
int lab_read_open(struct lab_worker *worker, uint64_t *size,
		  struct lp_error *err);
/*
 * Read it from its beginning to its end, again and again, each time from the
 * servers' disks; with sync, fsync it after each pass. Returns at failure only.
 */
int lab_read_passes(struct lab_worker *worker, size_t record, bool sync,
		    struct lp_error *err);

#endif
