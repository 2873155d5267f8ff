/* SPDX-License-Identifier: Apache-2.0 */
#include "table/reach.h"

#include "base/timestamp.h"

/* Recordings from two hours on are looked at in steps of 15 s. */
#define LONG_RECORDING_NS (7200 * LP_NS_PER_S)
#define LONG_STEP_NS (15 * LP_NS_PER_S)
/* Above a minute, windows of 60 samples would take hours. */
#define COARSE_STEP_NS (60 * LP_NS_PER_S)

static int64_t default_step(int64_t interval_ns, int64_t span_ns)
{
	if (span_ns < LONG_RECORDING_NS || interval_ns >= LONG_STEP_NS)
		return interval_ns;
	/* A multiple of the interval, rounded up. */
	return (LONG_STEP_NS + interval_ns - 1) / interval_ns * interval_ns;
}

/*
 * A window that begins at w holds half a window's length of a fault [s, s + D)
 * when s - W/2 <= w <= s + D - W/2: an interval of length D, in which k window
 * beginnings (a shift apart) must lie. That can happen from D = (k - 1) shifts
 * on and must happen from D = k shifts on.
 */
struct lp_reach lp_reach_of(int64_t interval_ns, int64_t span_ns)
{
	struct lp_reach r = { .window = 60, .shift = 30, .k = 3 };

	r.step_ns = default_step(interval_ns, span_ns);
	if (r.step_ns > COARSE_STEP_NS) {
		r.window = 12;
		r.shift = 6;
		r.k = 2;
	}
	r.of = 2 * r.k - 1;
	r.least_ns = (int64_t)(r.k - 1) * r.shift * r.step_ns;
	r.sure_ns = (int64_t)r.k * r.shift * r.step_ns;
	r.needed_ns = (int64_t)(r.window + (r.k - 1) * r.shift) * r.step_ns;
	r.enough = span_ns >= r.needed_ns;
	return r;
}
