/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the benchmark's commands share: signals, and what a run is said to be.
 */
#ifndef LP_CMD_IO_BENCH_H
#define LP_CMD_IO_BENCH_H

#include "io/bench/bench.h"

/* From now on SIGINT, SIGTERM and SIGHUP only set the flag. */
const volatile sig_atomic_t *lp_io_bench_signals(void);

/* A run in numbers. */
struct lp_io_bench_numbers {
	size_t n;
	double median_ns, p99_ns, mean_ns;
	double bytes_per_s; /* of the time in calls, of all threads */
};

void lp_io_bench_measure(const struct lp_io_trace *trace,
			 struct lp_io_bench_numbers *numbers);

/* A line for a person: the titles when run is NULL. */
void lp_io_bench_line(FILE *out, const struct lp_bench_run *run,
		      const struct lp_bench_result *result);
/* An object, with counters, and a newline. */
void lp_io_bench_json(FILE *out, const struct lp_bench_run *run,
		      const struct lp_bench_result *result, const char *trace);
/* "" or why the state of the run is doubtful. */
const char *lp_io_bench_doubt(const struct lp_bench_run *run,
			      const struct lp_bench_result *result, char *text,
			      size_t size);

#endif
