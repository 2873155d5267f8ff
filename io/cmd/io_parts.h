/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid io calibrate measures: runs of the benchmark, each of a factor.
 */
#ifndef LP_CMD_IO_PARTS_H
#define LP_CMD_IO_PARTS_H

#include "io/bench/bench_sweep.h"

struct lp_io_part {
	const char *factor;
	struct lp_bench_run run;
};

/* Zero-initialise to begin. */
struct lp_io_parts {
	struct lp_io_part *part;
	size_t n, capacity;
};

/* file_size and buffer are texts of the user, or NULL. */
int lp_io_parts_make(struct lp_io_parts *parts, bool quick,
		     const char *file_size, const char *buffer,
		     struct lp_error *err);
void lp_io_parts_done(struct lp_io_parts *parts);

#endif
