/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the marks of an axis stand: at round numbers, and at round times.
 */
#ifndef LP_REPORT_TICKS_H
#define LP_REPORT_TICKS_H

#include <stddef.h>
#include <stdint.h>

/* first, first + step ... : n of them, all within the range asked for. */
struct lp_ticks {
	double first, step;
	size_t n;
};

/* Steps of 1, 2 or 5 times a power of ten; at most `most` (2 or more). */
struct lp_ticks lp_value_ticks(double lo, double hi, size_t most);

struct lp_time_ticks {
	int64_t first_ns, step_ns;
	size_t n;
};

/* Steps that clocks have: 1, 2, 5, 10, 15, 30 s and min, 1, 2, 3, 6, 12 h,
   days; multiples of the step since the epoch. */
struct lp_time_ticks lp_time_ticks(int64_t lo_ns, int64_t hi_ns, size_t most);

/* "14:30", "14:30:15" or "11-15", as the step needs. */
#define LP_TICK_TEXT 32
const char *lp_tick_time(int64_t time_ns, int64_t step_ns,
			 char text[LP_TICK_TEXT]);

#endif
