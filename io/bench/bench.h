/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A benchmark of single I/O operations: each is timed on its own, by the
 * cheapest precise clock, and kept, the first and the last included.
 *
 *     lp_bench_open(&bench, "/scratch", &stop, err);
 *     lp_bench_do(&bench, &run, &result, err);
 *     lp_bench_result_done(&result);
 *     lp_bench_close(&bench);      removes all that was written
 */
#ifndef LP_IO_BENCH_BENCH_H
#define LP_IO_BENCH_BENCH_H

#include "io/bench/bench_sweep.h"
#include "io/bench/counters.h"
#include "io/bench/residency.h"
#include "io/model/trace.h"
#include "io/model/trace_format.h"

#include <limits.h>
#include <signal.h>

struct lp_bench_file {
	char path[PATH_MAX];
	uint64_t bytes; /* that it holds; written and synchronised */
};

struct lp_bench {
	char directory[PATH_MAX - 32]; /* our own, below the user's */
	const volatile sig_atomic_t *stop;
	struct lp_bench_file *file;
	size_t n_files, capacity;
	unsigned major, minor; /* of the device */
};

/* stop: set by a signal handler; whatever runs then returns -ECANCELED. */
int lp_bench_open(struct lp_bench *bench, const char *directory,
		  const volatile sig_atomic_t *stop, struct lp_error *err);
/* Accepts one that could not be opened. */
void lp_bench_close(struct lp_bench *bench);

struct lp_bench_result {
	struct lp_io_trace *trace; /* every operation */
	char *bytes;               /* the same as a file's */
	size_t n_bytes;
	int64_t elapsed_ns;
	bool cut_short; /* by the limit */
	/* Of all files, right before the first operation. */
	struct lp_residency before;
	struct lp_counters counters_before, counters_after;
	/* Of the pages of each operation, right before it; or NULL. */
	struct lp_residency *truth;
};

/*
 * Do one run. With `truth`, which needs one thread, the residency of each
 * operation's pages is looked up before it. 0 or -errno; -ECANCELED: stopped.
 */
int lp_bench_do(struct lp_bench *bench, const struct lp_bench_run *run,
		bool truth, struct lp_bench_result *result,
		struct lp_error *err);
void lp_bench_result_done(struct lp_bench_result *result);

/* ---- parts ---- */

/* Have the first n files with their content, in the run's state. */
int lp_bench_prepare(struct lp_bench *bench, const struct lp_bench_run *run,
		     size_t n, struct lp_residency *residency,
		     struct lp_error *err);

/* What all workers of a run share; between processes, too. */
struct lp_bench_report {
	int error; /* errno of the call that failed */
	bool in_setup;
	bool cut_short;
	uint64_t done;
};

struct lp_bench_worker {
	const struct lp_bench *bench;
	const struct lp_bench_run *run;
	const struct lp_io_header *header; /* the clock */
	const char *path;
	uint32_t file; /* its number in the trace */
	uint64_t number;
	void (*wait)(void *context); /* until all are ready */
	void *context;
	struct lp_residency *truth;
	struct lp_bench_report *report;
	struct lp_io_tape *tape;
};

/* The whole life of a worker; what it did is in its tape and its report. */
void lp_bench_work(struct lp_bench_worker *worker);

#endif
