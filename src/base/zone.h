/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time zones: what clocks show somewhere.
 *
 * The C library knows one zone at a time, that of the environment's TZ. A zone
 * is therefore UTC, a fixed distance from it, or the process's own.
 */
#ifndef LP_BASE_ZONE_H
#define LP_BASE_ZONE_H

#include "base/error.h"
#include "base/timestamp.h"

enum lp_zone_kind { LP_ZONE_UTC, LP_ZONE_FIXED, LP_ZONE_LOCAL };

/* Zero-initialised it is UTC. */
struct lp_zone {
	enum lp_zone_kind kind;
	int32_t offset_s; /* east of Greenwich; of LP_ZONE_FIXED */
};

/* Enough for "CEST", "+0545" or "+05:45". */
#define LP_ZONE_TEXT 16

/*
 * "UTC", "local", "+01:00", "-0530", or a name of the zone database as in
 * "Europe/Berlin". The latter is put into TZ and becomes the process's own
 * zone: call it once, before any thread. -EINVAL: there is no such zone.
 */
int lp_zone_find(const char *name, struct lp_zone *zone, struct lp_error *err);

/* Seconds east of Greenwich at this time, and what the zone is then called. */
int32_t lp_zone_offset(const struct lp_zone *zone, int64_t time_ns,
		       char name[LP_ZONE_TEXT]);

/*
 * What its clocks show, as the nanoseconds since the epoch at which clocks of
 * UTC show the same. Saturates.
 */
int64_t lp_zone_clocks(const struct lp_zone *zone, int64_t time_ns);

/*
 * The times at which its clocks show that: 1; 2, the earlier first, when clocks
 * are set back over it; 0 when they are set forward over it, and time_ns[0] is
 * then what it would have been, had they not been.
 */
size_t lp_zone_times(const struct lp_zone *zone, int64_t clocks_ns,
		     int64_t time_ns[2]);

/* "2026-11-15 21:45:14.500 CET"; in UTC as lp_time_format. */
const char *lp_zone_format(const struct lp_zone *zone, int64_t time_ns,
			   char text[LP_TIME_TEXT]);

#endif
