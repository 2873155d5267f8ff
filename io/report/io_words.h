/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Durations, sizes and throughputs for people, and cells of a table.
 */
#ifndef LP_REPORT_IO_WORDS_H
#define LP_REPORT_IO_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LP_IO_WORD 32

/* "294 ns", "8.1 µs", "12.3 ms", "4.56 s"; NaN gives "–". */
const char *lp_io_time_text(double ns, char text[LP_IO_WORD]);
/* The resolution of a clock: "0.1 ms", "1 s", "10 µs". */
const char *lp_io_clock_text(int64_t resolution_ns, char text[LP_IO_WORD]);
/* Whether a clock with this resolution (1 or less: none) tells it from none. */
bool lp_io_is_below(double ns, int64_t resolution_ns);
/* "12.3 ms", but "at most 0.1 ms" of what is below the clock's resolution. */
const char *lp_io_duration_text(double ns, int64_t resolution_ns,
				char text[LP_IO_WORD]);
/* "1", "64", "4K", "1M" when it is a multiple, else "1234567". */
const char *lp_io_size_text(int64_t bytes, char text[LP_IO_WORD]);
/* "32.5 MB". */
const char *lp_io_bytes_text(double bytes, char text[LP_IO_WORD]);
/* "478 MB/s"; "–" where there is no time. */
const char *lp_io_rate_text(double bytes, double ns, char text[LP_IO_WORD]);
/* "12.3 %", "0.04 %", "0"; "–" of nothing. */
const char *lp_io_share_text(double part, double all, char text[LP_IO_WORD]);

/* Text and a blank, to the right in so many columns; below 0: to the left. */
void lp_io_cell(FILE *out, const char *text, int columns);

#endif
