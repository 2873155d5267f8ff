/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/pace.h"

#include "base/timestamp.h"

#include <errno.h>
#include <time.h>

static int64_t cost_ns(const struct lab_pace *pace, uint64_t bytes)
{
	return (int64_t)((double)bytes / pace->bytes_per_s *
			 (double)LP_NS_PER_S);
}

void lab_pace_init(struct lab_pace *pace, double bytes_per_s, size_t record,
		   double phase, int64_t now_ns)
{
	pace->bytes_per_s = bytes_per_s;
	pace->due_ns = now_ns;
	if (bytes_per_s > 0)
		pace->due_ns +=
			(int64_t)(phase * (double)cost_ns(pace, record));
}

int64_t lab_pace_take(struct lab_pace *pace, uint64_t bytes, int64_t now_ns)
{
	int64_t wait_ns = pace->due_ns - now_ns;

	if (!(pace->bytes_per_s > 0))
		return 0;
	if (wait_ns < -LAB_PACE_DEBT_NS)
		pace->due_ns = now_ns;
	pace->due_ns += cost_ns(pace, bytes);
	return wait_ns > 0 ? wait_ns : 0;
}

void lab_sleep_ns(int64_t ns)
{
	struct timespec left = { .tv_sec = ns / LP_NS_PER_S,
				 .tv_nsec = ns % LP_NS_PER_S };

	while (ns > 0 && nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

void lab_pace_wait(struct lab_pace *pace, uint64_t bytes)
{
	lab_sleep_ns(lab_pace_take(pace, bytes, lp_monotonic_now()));
}
