/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticks aligned to the wall clock: at every whole multiple of the interval
 * since the epoch, so that all hosts sample at the same moments.
 */
#ifndef LP_RECORD_TICK_H
#define LP_RECORD_TICK_H

#include "base/error.h"

#include <stdint.h>

#define LP_INTERVAL_MIN_NS INT64_C(100000000)
#define LP_INTERVAL_MAX_NS INT64_C(3600000000000)

/* The first aligned time after now. */
int64_t lp_tick_after(int64_t now_ns, int64_t interval_ns);
/* How much earlier or later than expected one may come, and still be it. */
int64_t lp_tick_slack(int64_t interval_ns);
/* To the nearest microsecond: the archive packs such times better. */
int64_t lp_tick_round(int64_t time_ns);
/* Days since the epoch, counted from 00:00:05 UTC to 00:00:05 UTC. */
int64_t lp_tick_day(int64_t time_ns);

struct lp_ticker {
	int fd;
	int64_t interval_ns;
};

int lp_ticker_open(struct lp_ticker *ticker, int64_t interval_ns,
		   struct lp_error *err);
/*
 * Wait for the next tick. One that is late comes at once, those missed
 * meanwhile are left out, and a clock that was set is aligned to anew.
 */
int lp_ticker_wait(struct lp_ticker *ticker);
/* Let a waiting thread go now. */
void lp_ticker_wake(struct lp_ticker *ticker);
void lp_ticker_close(struct lp_ticker *ticker);

#endif
