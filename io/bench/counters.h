/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's counters before and after a run (Kunkel 2015, table 2): they
 * say which way the operations took.
 */
#ifndef LP_IO_BENCH_COUNTERS_H
#define LP_IO_BENCH_COUNTERS_H

#include "base/names.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise to begin. */
struct lp_counters {
	struct lp_names names; /* "self/io.rchar", "vmstat.pgpgin" ... */
	int64_t *value;        /* by the name's number */
	size_t capacity;
};

/*
 * Read them all: /proc/self/io, meminfo, vmstat, the device of diskstats, and
 * Lustre's llite where it is. root is "" but in tests. What is not there is
 * left out. 0 or -ENOMEM.
 */
int lp_counters_read(struct lp_counters *counters, const char *root,
		     unsigned major, unsigned minor);
void lp_counters_done(struct lp_counters *counters);

/* By number of `after`: the difference; false: there is none. */
bool lp_counters_difference(const struct lp_counters *before,
			    const struct lp_counters *after, uint32_t number,
			    int64_t *difference);

#endif
