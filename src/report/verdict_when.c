/* SPDX-License-Identifier: Apache-2.0 */
#include "report/verdict.h"

#define DAY_S (24 * 3600)

#define CLOCK_TEXT 48

/* "01:59:48" */
static const char *clock_text(const struct lp_zone *zone, int64_t time_ns,
			      char text[CLOCK_TEXT])
{
	int64_t s = lp_zone_clocks(zone, time_ns) / LP_NS_PER_S % DAY_S;

	s = s < 0 ? s + DAY_S : s;
	snprintf(text, CLOCK_TEXT, "%02d:%02d:%02d", (int)(s / 3600),
		 (int)(s / 60 % 60), (int)(s % 60));
	return text;
}

/* "between 01:59:48 and 01:59:55", whole seconds that hold the bounds. */
static void put_between(const struct lp_zone *zone, int64_t low_ns,
			int64_t high_ns, char text[3 * CLOCK_TEXT])
{
	char low[CLOCK_TEXT], high[CLOCK_TEXT];

	snprintf(text, (size_t)3 * CLOCK_TEXT, "between %s and %s",
		 clock_text(zone, low_ns, low),
		 clock_text(zone, high_ns + LP_NS_PER_S - 1, high));
}

const char *lp_verdict_bounds(const struct lp_finding *f,
			      const struct lp_zone *zone,
			      char text[LP_BOUNDS_TEXT])
{
	char began[3 * CLOCK_TEXT], ended[3 * CLOCK_TEXT];
	bool always = f->since_low_ns == f->since_high_ns;

	text[0] = '\0';
	if (!f->dated)
		return text;
	put_between(zone, f->since_low_ns, f->since_high_ns, began);
	put_between(zone, f->until_low_ns, f->until_high_ns, ended);
	snprintf(text, LP_BOUNDS_TEXT, "It %s%s%s%s.",
		 always ? "was so from the start of the recording" : "started ",
		 always ? "" : began,
		 f->lasting ? " and was still ongoing at the end"
			    : " and ended ",
		 f->lasting ? "" : ended);
	return text;
}
