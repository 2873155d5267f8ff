/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a file is in the page cache, as the kernel says: what is cached
 * is known without timing anything.
 */
#ifndef LP_IO_BENCH_RESIDENCY_H
#define LP_IO_BENCH_RESIDENCY_H

#include <stdint.h>

struct lp_residency {
	uint64_t pages;    /* that the range touches */
	uint64_t resident; /* of them */
};

/*
 * Of `bytes` at the offset: by cachestat (Linux 6.5), else by mincore. 0 or
 * -errno.
 */
int lp_residency(int fd, uint64_t offset, uint64_t bytes,
		 struct lp_residency *residency);

/* Drop what can be dropped of it; 0 of bytes: to the end. */
void lp_evict(int fd, uint64_t offset, uint64_t bytes);

#endif
