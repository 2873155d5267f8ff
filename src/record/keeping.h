/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well the clock is kept, noted once a minute: its estimated error as a
 * value of the host, and an event when it is kept no longer, or again. Times of
 * hosts are compared, so one whose clock nobody keeps may be compared at the
 * wrong moment.
 */
#ifndef LP_RECORD_KEEPING_H
#define LP_RECORD_KEEPING_H

#include "model/builder.h"
#include "record/clock.h"
#include "record/notice.h"

/* Zero-initialise. */
struct lp_keeping_log {
	const struct lp_class *host; /* NULL: its values are not wanted */
	bool unkept;    /* it was said that nothing keeps the clock */
	int64_t minute; /* when it was asked last, since the epoch */
};

/* In the builder's newest sample, which is of this time. */
void lp_keeping_note(struct lp_keeping_log *log, const struct lp_clock *clock,
		     int64_t time_ns, struct lp_builder *samples,
		     struct lp_notices *notices);

#endif
