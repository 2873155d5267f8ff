/* SPDX-License-Identifier: Apache-2.0 */
#include "record/clock.h"

#include "base/timestamp.h"

#include <errno.h>
#include <sys/timex.h>

/* Time servers step a clock that is off by 128 ms or more, and slew it else. */
#define LEAST_STEP_NS (LP_NS_PER_S / 10)
/* Two readings further apart than this say nothing of each other. */
#define MOST_APART_NS (10 * LP_NS_PER_MS)
#define ATTEMPTS 5

static int64_t wall_ns(void *user)
{
	(void)user;
	return lp_time_now();
}

static int64_t machine_ns(void *user)
{
	(void)user;
	return lp_boottime_now();
}

/* Of adjtimex(2), which anybody may ask, in a container, too. */
static int keeping(void *user, struct lp_clock_keeping *keeping)
{
	struct timex timex = { .modes = 0 };
	int state = adjtimex(&timex);

	(void)user;
	if (state < 0)
		return -errno;
	*keeping = (struct lp_clock_keeping){
		.synchronised = state != TIME_ERROR,
		.error_us = timex.esterror,
	};
	return 0;
}

const struct lp_clock lp_clock_real = { wall_ns, machine_ns, NULL, keeping };

/* Whoever loses the CPU between two readings would see a step. */
static bool compare(const struct lp_clock *clock, int64_t *ahead_ns)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		int64_t before = clock->machine_ns(clock->user);
		int64_t wall = clock->wall_ns(clock->user);
		int64_t after = clock->machine_ns(clock->user);

		*ahead_ns = wall - before;
		if (after - before < MOST_APART_NS)
			return true;
	}
	return false;
}

static bool is_step(int64_t ns)
{
	return ns >= LEAST_STEP_NS || ns <= -LEAST_STEP_NS;
}

int64_t lp_clock_step(const struct lp_clock *clock,
		      struct lp_clock_watch *watch, int64_t now_ns)
{
	int64_t ahead = now_ns - clock->machine_ns(clock->user), step;

	if ((!watch->known || is_step(ahead - watch->ahead_ns)) &&
	    !compare(clock, &ahead))
		return 0;
	step = watch->known ? ahead - watch->ahead_ns : 0;
	watch->known = true;
	watch->ahead_ns = ahead;
	return is_step(step) ? step : 0;
}
