/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a benchmark does: one run, and the space of factors over which runs are
 * repeated (Kunkel 2015, 5.2).
 *
 * To add a factor: a field of struct lp_bench_run, a line in the table of
 * sweep.c, a word in limpid-io(1).
 */
#ifndef LP_IO_BENCH_SWEEP_H
#define LP_IO_BENCH_SWEEP_H

#include "base/error.h"
#include "base/memory.h"
#include "io/bench/layout.h"

enum lp_bench_operation {
	LP_BENCH_READ,
	LP_BENCH_WRITE,  /* a file that is empty at first */
	LP_BENCH_REWRITE /* over what is there */
};

enum lp_bench_state {
	LP_BENCH_DISCARD, /* /dev/zero, /dev/null */
	LP_BENCH_CACHED,
	LP_BENCH_UNCACHED
};

enum lp_bench_access {
	LP_BENCH_AT,       /* pread, pwrite */
	LP_BENCH_POSITION, /* read, write; lseek is not timed */
	LP_BENCH_MAP,      /* memory that is mapped */
	LP_BENCH_DIRECT,   /* O_DIRECT */
	LP_BENCH_SYNC      /* O_SYNC */
};

struct lp_bench_run {
	enum lp_bench_operation operation;
	enum lp_bench_state state;
	enum lp_bench_access access;
	uint64_t size;
	struct lp_layout memory, file;
	uint64_t threads, processes;
	uint64_t think_ns;
	bool shared; /* one file for all, else one each */
	bool evict;  /* uncached: before every operation, not once */
	/* The same for all runs of a sweep: */
	uint64_t file_bytes, buffer_bytes; /* of each thread */
	uint64_t repeats;                  /* operations of each thread */
	uint64_t limit_ns;                 /* a run takes no longer */
	uint64_t seed;
};

#define LP_BENCH_FACTORS 9
#define LP_BENCH_VALUES 64

/* Zero-initialise, then lp_sweep_init. */
struct lp_sweep {
	struct lp_bench_run common;
	uint64_t rounds;
	/* By factor: the values, as they fit into a run. */
	struct {
		struct lp_bench_run value[LP_BENCH_VALUES];
		size_t n;
	} factor[LP_BENCH_FACTORS];
};

void lp_sweep_init(struct lp_sweep *sweep);
/*
 * "size", "4K,64K": values are added to a factor; a setting is set. -EINVAL,
 * with a line that says which values there are.
 */
int lp_sweep_set(struct lp_sweep *sweep, const char *key, const char *values,
		 struct lp_error *err);
/* Everything a sweep file says, in libconfig's syntax. */
int lp_sweep_read(struct lp_sweep *sweep, const char *path,
		  struct lp_error *err);
int lp_sweep_parse(struct lp_sweep *sweep, const char *name, const char *text,
		   struct lp_error *err);

/* How many runs there are, and the i-th: the outermost loop is the rounds. */
uint64_t lp_sweep_count(const struct lp_sweep *sweep);
void lp_sweep_get(const struct lp_sweep *sweep, uint64_t i,
		  struct lp_bench_run *run);

/* Whether such a run makes sense; a line if not. */
int lp_bench_run_check(const struct lp_bench_run *run, struct lp_error *err);

/* "read-cached-pread-4096-off0-seq-1t": for file names and lines. */
#define LP_BENCH_LABEL 256
const char *lp_bench_run_label(const struct lp_bench_run *run,
			       char text[LP_BENCH_LABEL]);
const char *lp_bench_operation_name(enum lp_bench_operation operation);
const char *lp_bench_state_name(enum lp_bench_state state);
const char *lp_bench_access_name(enum lp_bench_access access);

#endif
