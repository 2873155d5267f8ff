/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times as people say them: "10:00", "yesterday", "-2h".
 *
 * What is said is read at once, and becomes a time when it is known in which
 * zone it was meant, what time it is, and which time was recorded.
 */
#ifndef LP_BASE_WHEN_H
#define LP_BASE_WHEN_H

#include "base/zone.h"

#include <stdbool.h>

enum lp_when_kind {
	LP_WHEN_UNSET,
	LP_WHEN_INSTANT, /* ns: since the epoch */
	LP_WHEN_AGO,     /* ns: before now */
	LP_WHEN_DATE,    /* ns: what clocks show, as in lp_zone_clocks */
	LP_WHEN_DAY,     /* ns: since midnight of the day `day` from today */
	LP_WHEN_CLOCK,   /* ns: since midnight of a day that was not said */
};

struct lp_when {
	enum lp_when_kind kind;
	int64_t ns;
	int day;                 /* 0: today; -1: yesterday */
	bool whole_day;          /* DATE, DAY: no clock was said */
	char zone[LP_ZONE_TEXT]; /* "CET": what it was called; "": not said */
	const char *text;        /* as it was said; the caller's */
};

/* For messages: "is not LP_WHEN_EXPECTED". */
#define LP_WHEN_EXPECTED                                                       \
	"a time such as 10:00, '2026-11-14 10:00', 2026-11-14T10:00:00Z, "     \
	"yesterday, -2h or now"

/*
 * "10:00", "10:00:30.5"; "2026-11-14", "2026-11-14 10:00", also with a T, and
 * with a zone ("Z", "+01:00", " CET"); "today", "yesterday", "yesterday 10:00";
 * "now", "-2h", "-30min" (units as in lp_duration_parse); seconds since the
 * epoch. 0, -EINVAL or -ERANGE.
 */
int lp_when_parse(const char *text, struct lp_when *when);

/* What a time depends on. */
struct lp_when_frame {
	struct lp_zone zone;
	int64_t now_ns;
	int64_t first_ns, last_ns; /* of the recording */
};

/* Whether first_ns and last_ns are needed. */
bool lp_when_needs_recording(const struct lp_when *when);

/*
 * -EINVAL: it is no time, or not one time, in this frame. The line says so,
 * and what to say instead.
 */
int lp_when_resolve(const struct lp_when *when,
		    const struct lp_when_frame *frame, int64_t *time_ns,
		    struct lp_error *err);

#endif
