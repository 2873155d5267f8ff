/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock that times operations: the processor's time stamp counter where
 * the kernel itself trusts it, else clock_gettime. Like trace_format.h this is
 * for the preload library, too, but for the function at the end.
 */
#ifndef LP_IO_MODEL_TRACE_CLOCK_H
#define LP_IO_MODEL_TRACE_CLOCK_H

#include "io/model/trace_format.h"

#include <time.h>

static inline uint64_t lp_io_clock_system(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t lp_io_clock_tsc(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

/* kind is an enum lp_io_clock_kind. */
static inline uint64_t lp_io_clock_read(uint32_t kind)
{
	return kind == LP_IO_CLOCK_TSC ? lp_io_clock_tsc()
				       : lp_io_clock_system();
}

/*
 * Choose the clock of this machine and measure it: fills clock, tick_factor,
 * tick_shift, tick_zero, clock_ns and start_ns of the header. Takes about
 * 50 ms, asleep.
 */
void lp_io_clock_choose(struct lp_io_header *header);

#endif
