/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads: what the clients do meanwhile. Each client runs several processes
 * of one, each on its own files in the client's mount, and each process writes
 * once a second how much it has moved, so that the harm of a fault is known.
 *
 * To add one: a file NAME.c with its struct lab_workload (declared below), one
 * line in workloads.c, a paragraph in limpid-lab-workload(7). A process is a
 * struct lab_worker (worker.h).
 */
#ifndef LAB_WORKLOAD_WORKLOAD_H
#define LAB_WORKLOAD_WORKLOAD_H

#include "site/lab.h"

#include <stdbool.h>
#include <stdint.h>

/* Of one client. */
#define LAB_MAX_PROCESSES 64

struct lab_workload;
struct lab_worker;

/* Of the workload `varied`: how long it does the same. */
struct lab_stage_lengths {
	double shortest_s, longest_s;
};

#define LAB_STAGE_LENGTHS ((struct lab_stage_lengths){ 180, 1200 })

struct lab_workload_spec {
	const struct lab_workload *workload;
	unsigned long processes; /* per client */
	/*
	 * Bytes a second that all processes together aim at: paced, so that
	 * the disks are busy most of the time and never all of it. 0: as fast
	 * as it goes (saturation).
	 */
	uint64_t pace;
	uint64_t seed;
	struct lab_stage_lengths stages; /* 0: LAB_STAGE_LENGTHS */
	/* CLOCK_MONOTONIC; 0: when it is started. A second run has the
	 * first's, so that both are in the same stage. */
	int64_t begun_ns;
	/* NAME-CLIENT-PROCESS.csv: time,bytes,operations (worklog.h). */
	const char *log_dir;
	/*
	 * Which clients work: those behind the first skip_clients, at most
	 * n_clients of them (0: all). A client that is added later is a
	 * second run.
	 */
	size_t skip_clients, n_clients;
};

struct lab_workload {
	const char *name;
	const char *summary;
	/*
	 * Bytes a second at which the default lab's disks are busy 55 to 75 %
	 * of the time: measured, see docs/methods/lab-faults.md.
	 */
	uint64_t pace;
	/* A program it runs, and its package; NULL: none. */
	const char *program, *package;
	/* Files it reads are written here, before any clock starts. May be
	 * NULL. */
	int (*prepare)(struct lab_worker *worker, struct lp_error *err);
	/*
	 * Works until the process is ended; returns at failure only, or with
	 * -ECANCELED when it is over (lab_worker_due).
	 */
	int (*work)(struct lab_worker *worker, struct lp_error *err);
};

extern const struct lab_workload lab_workload_ddr, lab_workload_ddw,
	lab_workload_iozoner, lab_workload_iozonew, lab_workload_mixed,
	lab_workload_postmark, lab_workload_varied;

/* Ended by NULL. */
extern const struct lab_workload *const lab_workloads[];
/* NULL: there is none of that name. */
const struct lab_workload *lab_workload_find(const char *name);

/* Is the program that it runs installed? */
int lab_workload_check(const struct lab_workload *workload,
		       struct lp_error *err);

struct lab_workload_run;

/* Prepare on all clients; waits. -EINTR when *stop becomes non-zero. */
int lab_workload_prepare(struct lab *lab, const struct lab_workload_spec *spec,
			 const volatile int *stop, struct lp_error *err);
/* Start all processes on all clients; they go on until stopped. */
int lab_workload_start(struct lab *lab, const struct lab_workload_spec *spec,
		       struct lab_workload_run **run, struct lp_error *err);
/* -EIO with the line of a process that ended by itself. */
int lab_workload_alive(struct lab_workload_run *run, struct lp_error *err);
/* Bytes and operations moved so far, by all of them. */
void lab_workload_moved(const struct lab_workload_run *run, uint64_t *bytes,
			uint64_t *operations);
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
