/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ticks.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <math.h>
#include <time.h>

/* The smallest round number that is not below `least`, which is above 0. */
static double round_step(double least)
{
	static const double steps[] = { 1, 2, 5 };
	double unit = pow(10, floor(log10(least)));

	for (size_t i = 0; i < lp_array_size(steps); i++)
		if (steps[i] * unit >= least * (1 - 1e-12))
			return steps[i] * unit;
	return 10 * unit;
}

struct lp_ticks lp_value_ticks(double lo, double hi, size_t most)
{
	struct lp_ticks ticks = { .first = lo, .step = 1, .n = 1 };
	double last;

	/* A range without a width, or that no step can divide. */
	if (!isfinite(hi - lo) || hi - lo <= 0 ||
	    hi - lo < 1e-12 * fmax(fabs(lo), fabs(hi)))
		return ticks;
	ticks.step = round_step((hi - lo) / (double)(most - 1));
	/* Rounding must not lose a mark that stands at the very end. */
	ticks.first = ceil(lo / ticks.step - 1e-9) * ticks.step;
	last = floor(hi / ticks.step + 1e-9) * ticks.step;
	ticks.n =
		last < ticks.first
			? 0
			: (size_t)lround((last - ticks.first) / ticks.step) + 1;
	return ticks;
}

static int64_t time_step(int64_t least_ns)
{
	static const int64_t seconds[] = {
		1,     2,     5,     10,    15,     30,     60,
		120,   300,   600,   900,   1800,   3600,   7200,
		10800, 21600, 43200, 86400, 172800, 604800,
	};
	int64_t longest = seconds[lp_array_size(seconds) - 1] * LP_NS_PER_S;

	for (size_t i = 0; i < lp_array_size(seconds); i++)
		if (seconds[i] * LP_NS_PER_S >= least_ns)
			return seconds[i] * LP_NS_PER_S;
	return (least_ns + longest - 1) / longest * longest;
}

struct lp_time_ticks lp_time_ticks(int64_t lo_ns, int64_t hi_ns, size_t most)
{
	int64_t width = hi_ns > lo_ns ? hi_ns - lo_ns : 0;
	struct lp_time_ticks ticks = { .step_ns = time_step(
					       width / (int64_t)(most - 1)) };
	int64_t beyond = lo_ns % ticks.step_ns;

	if (beyond < 0)
		beyond += ticks.step_ns;
	ticks.first_ns = beyond ? lo_ns - beyond + ticks.step_ns : lo_ns;
	if (ticks.first_ns <= hi_ns)
		ticks.n =
			(size_t)((hi_ns - ticks.first_ns) / ticks.step_ns) + 1;
	return ticks;
}

const char *lp_tick_time(int64_t time_ns, int64_t step_ns,
			 char text[LP_TICK_TEXT])
{
	time_t seconds = (time_t)(time_ns / LP_NS_PER_S);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, LP_TICK_TEXT,
		 step_ns >= 86400 * LP_NS_PER_S ? "%m-%d"
		 : step_ns >= 60 * LP_NS_PER_S  ? "%H:%M"
						: "%H:%M:%S",
		 &tm);
	return text;
}
