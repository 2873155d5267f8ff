/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times as people say them. What becomes a time can be shown in that zone and
 * said again, and is the same time.
 */
#include "base/when.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Not at the very ends of time, where clocks of a zone would be beyond. */
static bool is_inside(int64_t t)
{
	int64_t days = 3 * 86400 * LP_NS_PER_S;

	return t > LP_TIME_MIN + days && t < LP_TIME_MAX - days;
}

static void try_zone(const struct lp_when *when, const char *name)
{
	struct lp_when_frame f = {
		.now_ns = 1795167000 * LP_NS_PER_S,
		.first_ns = 1795080000 * LP_NS_PER_S,
		.last_ns = 1795120000 * LP_NS_PER_S,
	};
	char shown[LP_TIME_TEXT];
	struct lp_when again;
	struct lp_error err;
	int64_t t, back;

	require(lp_zone_find(name, &f.zone, &err) == 0);
	if (lp_when_resolve(when, &f, &t, &err) < 0 || !is_inside(t))
		return;
	lp_zone_format(&f.zone, t, shown);
	require(lp_when_parse(shown, &again) == 0);
	require(lp_when_resolve(&again, &f, &back, &err) == 0);
	require(back == t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_zone zone;
	struct lp_error err;
	struct lp_when when;
	char text[128];

	if (size >= sizeof(text))
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	lp_zone_find(text, &zone, &err);
	if (lp_when_parse(text, &when) < 0)
		return 0;
	try_zone(&when, "UTC");
	try_zone(&when, "-09:30");
	try_zone(&when, "Europe/Berlin");
	return 0;
}
