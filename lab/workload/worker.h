/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One process of a workload: paced, counted, logged. It needs no lab: tests
 * run it in a plain directory.
 */
#ifndef LAB_WORKLOAD_WORKER_H
#define LAB_WORKLOAD_WORKER_H

#include "workload/content.h"
#include "workload/pace.h"
#include "workload/workload.h"

#include <stdatomic.h>
#include <sys/types.h>

/* The directory of all workloads in the mount. */
#define LAB_WORK_DIR "limpid-lab"

/* Shared by a process and the one that started it. */
struct lab_tally {
	atomic_uint_fast64_t bytes, operations;
	atomic_int ended; /* 0: no; 1: well; below 0: -errno */
	char error[512];  /* written before ended */
};

struct lab_worker {
	/*
	 * The servers' bricks, as directories opened where they can be seen:
	 * a client cannot. None: a plain directory.
	 */
	const int *bricks;
	size_t n_bricks;
	const struct lab_workload_spec *spec;
	const char *client; /* its name, "c1" */
	const char *mount;
	size_t number;    /* of this process, from 0 over all clients */
	size_t of;        /* so many are there in all */
	size_t sharers;   /* of the room: those of clients to be added, too */
	unsigned process; /* of this client, from 0 */
	int log;          /* file descriptor of its CSV; -1: none */
	struct lab_tally *tally;

	/* Its own from here on; zero at first. */
	char dir[PATH_MAX]; /* MOUNT/limpid-lab/CLIENT-PROCESS */
	struct lab_pace pace;
	int64_t until_ns; /* CLOCK_MONOTONIC; 0: until it is ended */
	struct lab_content content;
	void *buffer; /* for a record that is read */
	int64_t row_ns;
	uint64_t row_bytes, row_operations;
};

/* The longest record. */
#define LAB_RECORD_MAX ((size_t)1 << 20)

/*
 * Make its directory and its buffers, prepare if wished, or work until the
 * process is ended. What went wrong is in the tally too. 0 or -errno.
 */
int lab_worker_prepare(struct lab_worker *worker);
int lab_worker_work(struct lab_worker *worker);

/* Count what was moved; once a second a row of the log. */
void lab_worker_moved(struct lab_worker *worker, uint64_t bytes,
		      uint64_t operations);

/*
 * Wait until n more bytes are due; they count as moved for the pace.
 * -ECANCELED when until_ns comes first, without words: it is no failure.
 */
int lab_worker_due(struct lab_worker *worker, uint64_t n);

/*
 * When they are due: write n new bytes at an offset, or read what is there.
 * Counted. A file that ends too early is -EIO; -ECANCELED as above.
 */
int lab_worker_write(struct lab_worker *worker, int fd, off_t at, size_t n,
		     struct lp_error *err);
int lab_worker_read(struct lab_worker *worker, int fd, off_t at, size_t n,
		    struct lp_error *err);

/* Open a file of its own directory. */
int lab_worker_open(const struct lab_worker *worker, const char *name,
		    int flags, struct lp_error *err);

/*
 * How large a file each process may write, so that all of them, with what is
 * there already, fill less than half of the file system.
 */
int lab_worker_room(const struct lab_worker *worker, uint64_t *bytes,
		    struct lp_error *err);

/*
 * Drop a file of its own from the caches of client and servers, so that the
 * next read comes from the servers' disks.
 */
int lab_worker_evict(const struct lab_worker *worker, int fd, const char *name,
		     struct lp_error *err);

#endif
