/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time: int64 nanoseconds since the epoch, UTC, inside; ISO 8601 outside.
 */
#ifndef LP_BASE_TIMESTAMP_H
#define LP_BASE_TIMESTAMP_H

#include <stddef.h>
#include <stdint.h>

#define LP_NS_PER_S INT64_C(1000000000)
#define LP_NS_PER_MS INT64_C(1000000)
#define LP_TIME_MIN INT64_MIN
#define LP_TIME_MAX INT64_MAX

/* Enough for "2026-11-15T20:45:14.123456789Z". */
#define LP_TIME_TEXT 40

/*
 * "1794775514", "1794775514.25", "2026-11-15", "2026-11-15T20:45:14.5Z",
 * "2026-11-15 20:45:14+01:00"; without a zone it is UTC. Exact to the
 * nanosecond. 0, -EINVAL (not a time) or -ERANGE (before 1678, after 2262).
 */
int lp_time_parse(const char *text, size_t n, int64_t *time_ns);

/* The sum, or the end of time that it goes beyond. */
int64_t lp_time_add(int64_t time_ns, int64_t by_ns);

/* ISO 8601, UTC, with as many decimals (0, 3, 6, 9) as are needed. */
const char *lp_time_format(int64_t time_ns, char text[LP_TIME_TEXT]);
/* As in file names: 20261115T204514Z. */
const char *lp_time_format_compact(int64_t time_ns, char text[LP_TIME_TEXT]);

/* "0.1", "10" (seconds), "500ms", "10s", "5m", "1h", "2d". 0 or -EINVAL. */
int lp_duration_parse(const char *text, int64_t *duration_ns);
/*
 * For people: "1.5 s" and "90 s", from two minutes on two units to the nearest
 * of the smaller ("2 min 55 s", "2 h 5 min", "3 days 4 h"), then "754 days".
 */
const char *lp_duration_format(int64_t duration_ns, char text[LP_TIME_TEXT]);

int64_t lp_time_now(void);
/* Nanoseconds of a clock that never steps. */
int64_t lp_monotonic_now(void);
/* The same, and it counts on while the machine sleeps. */
int64_t lp_boottime_now(void);

#endif
