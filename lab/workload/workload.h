/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads: what the clients do meanwhile; one file each, one line in
 * workloads.c. Each client runs several processes of it, each on its own files
 * in the client's mount, and each process writes once a second how much it
 * has moved, so that the harm of a fault is known.
 */
#ifndef LAB_WORKLOAD_WORKLOAD_H
#define LAB_WORKLOAD_WORKLOAD_H

#include "cluster/lab.h"

#include <stdbool.h>
#include <stdint.h>

struct lab_workload;

struct lab_workload_spec {
	const struct lab_workload *workload;
	unsigned long processes; /* per client */
	/*
	 * Bytes a second that all processes together aim at: paced, so that
	 * the disks are busy about 70 % of the time. 0: as fast as it goes
	 * (saturation).
	 */
	uint64_t pace;
	uint64_t seed;
	const char
		*log_dir; /* NAME-CLIENT-PROCESS.csv: time,bytes,operations */
};

/* One process of it. */
struct lab_worker {
	const struct lab_workload_spec *spec;
	const struct lab_node *client;
	unsigned process;
	const char *dir;    /* its own directory in the client's mount */
	volatile int *stop; /* non-zero: end soon */
	int log;            /* file descriptor of its CSV */
};

struct lab_workload {
	const char *name;
	const char *summary;
	/* Files it reads are written here, before any clock starts. May be
	 * NULL. */
	int (*prepare)(struct lab_worker *worker, struct lp_error *err);
	/* Work until *stop. Reports through lab_worker_moved(). */
	int (*work)(struct lab_worker *worker, struct lp_error *err);
};

/* Ended by NULL. */
extern const struct lab_workload *const lab_workloads[];
const struct lab_workload *lab_workload_find(const char *name);

struct lab_workload_run;

/* Prepare on all clients; waits. */
int lab_workload_prepare(struct lab *lab, const struct lab_workload_spec *spec,
			 const volatile int *stop, struct lp_error *err);
/* Start all processes on all clients; they go on until stopped. */
int lab_workload_start(struct lab *lab, const struct lab_workload_spec *spec,
		       struct lab_workload_run **run, struct lp_error *err);
/* -EIO with the line of a process that ended by itself. */
int lab_workload_alive(struct lab_workload_run *run, struct lp_error *err);
/* Ends all, waits, removes nothing they wrote; frees. Accepts NULL. */
int lab_workload_stop(struct lab_workload_run *run, struct lp_error *err);
/* Remove the files of all workloads from the file system. */
int lab_workload_clean(struct lab *lab, struct lp_error *err);

/*
 * Bytes a second that the clients moved between two times, from their logs in
 * log_dir; NaN if there is nothing.
 */
double lab_workload_rate(const char *log_dir, int64_t since_ns,
			 int64_t until_ns);

#endif
