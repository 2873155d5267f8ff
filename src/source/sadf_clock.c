/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When sysstat's records were taken.
 *
 * A record has its time in whole seconds, cut off, and the uptime in
 * hundredths. Rates by the first would be wrong by up to a second an interval;
 * sar itself takes the second. Both clocks of Linux are steered alike, so that
 *
 *     time of day = uptime + constant
 *
 * until the clock is set or the host boots. Each record confines the constant
 * to one second:
 *
 *     ust_time <= uptime + constant < ust_time + 1
 *
 * All records of a span together confine it further; we take the smallest that
 * satisfies them all. So differences of times are exactly those of sar, and
 * every time falls into the second that sar shows, but for a small SLACK: sadc
 * reads the one clock a little after the other.
 */
#include "source/sadf.h"

#include <errno.h>
#include <stdlib.h>

#define CS_PER_S 100
#define NS_PER_CS (LP_NS_PER_S / CS_PER_S)
#define SLACK_CS 25
/* Two readings of one boot time differ by the resolution of the clocks. */
#define SAME_BOOT_S 3

int lp_sadf_clock_add(struct lp_sadf_clock *clock,
		      const struct lp_sadf_head *head)
{
	if (lp_grow(&clock->moments, &clock->capacity, clock->count + 1,
		    sizeof(*clock->moments)) < 0)
		return -ENOMEM;
	clock->moments[clock->count++] =
		(struct lp_sadf_moment){ .head = *head };
	return 0;
}

/* The bounds of the constant, in hundredths of a second. */
struct bounds {
	int64_t low, high;
};

static struct bounds moment_bounds(const struct lp_sadf_moment *moment)
{
	int64_t low = moment->head.time_s * CS_PER_S -
		      (int64_t)moment->head.uptime_cs;

	return (struct bounds){ low, low + CS_PER_S };
}

/* False, bounds untouched: no one constant could satisfy both. */
static bool narrow(struct bounds *bounds, const struct lp_sadf_moment *moment)
{
	struct bounds own = moment_bounds(moment), both = *bounds;

	if (own.low > both.low)
		both.low = own.low;
	if (own.high < both.high)
		both.high = own.high;
	if (both.low > both.high + SLACK_CS)
		return false;
	*bounds = both;
	return true;
}

static void set_span(struct lp_sadf_moment *from, struct lp_sadf_moment *to,
		     int64_t constant_cs)
{
	for (; from < to; from++) {
		int64_t cs = constant_cs + (int64_t)from->head.uptime_cs;

		from->boot_s = constant_cs / CS_PER_S;
		from->time_ns = lp_sadf_is_sample(&from->head)
					? cs * NS_PER_CS
					: from->head.time_s * LP_NS_PER_S;
	}
}

/*
 * The first moment behind the span that begins at `first`, and the span's
 * constant.
 */
static struct lp_sadf_moment *find_span(struct lp_sadf_moment *first,
					struct lp_sadf_moment *end,
					int64_t *constant_cs)
{
	struct bounds bounds = { 0, 0 };
	bool begun = false;
	uint64_t last = 0;

	for (; first < end; first++) {
		if (!lp_sadf_is_sample(&first->head))
			continue;
		if (!begun)
			bounds = moment_bounds(first);
		else if (first->head.uptime_cs < last ||
			 !narrow(&bounds, first))
			break;
		begun = true;
		last = first->head.uptime_cs;
	}
	*constant_cs = bounds.low;
	return first;
}

/* What lies between two samples: a boot, a break in what sadf compares. */
static void find_boots(struct lp_sadf_clock *clock)
{
	const struct lp_sadf_moment *last = NULL;
	bool restart = false;

	for (size_t i = 0; i < clock->count; i++) {
		struct lp_sadf_moment *m = &clock->moments[i];

		if (m->head.type == LP_SADF_RESTART)
			restart = true;
		if (!lp_sadf_is_sample(&m->head))
			continue;
		m->after_break = !last || restart;
		m->after_boot =
			!last || m->head.uptime_cs < last->head.uptime_cs ||
			(restart && m->boot_s > last->boot_s + SAME_BOOT_S);
		last = m;
		restart = false;
	}
}

void lp_sadf_clock_set(struct lp_sadf_clock *clock)
{
	struct lp_sadf_moment *at = clock->moments, *next;
	struct lp_sadf_moment *end = at + clock->count;
	int64_t constant_cs;

	while (at < end) {
		next = find_span(at, end, &constant_cs);
		set_span(at, next, constant_cs);
		at = next;
	}
	find_boots(clock);
}

bool lp_sadf_clock_one_boot(const struct lp_sadf_clock *clock, int64_t boot_s)
{
	for (size_t i = 0; i < clock->count; i++) {
		const struct lp_sadf_moment *m = &clock->moments[i];

		if (lp_sadf_is_sample(&m->head) &&
		    llabs(m->boot_s - boot_s) > SAME_BOOT_S)
			return false;
	}
	return true;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int64_t lp_sadf_clock_interval(const struct lp_sadf_clock *clock)
{
	lp_auto_free uint64_t *steps = NULL;
	const struct lp_sadf_moment *last = NULL;
	size_t n = 0;

	steps = calloc(clock->count + 1, sizeof(*steps));
	for (size_t i = 0; steps && i < clock->count; i++) {
		const struct lp_sadf_moment *m = &clock->moments[i];

		if (!lp_sadf_is_sample(&m->head))
			continue;
		if (last && !m->after_break && !m->after_boot)
			steps[n++] = m->head.uptime_cs - last->head.uptime_cs;
		last = m;
	}
	if (n == 0)
		return 0;
	qsort(steps, n, sizeof(*steps), compare_u64);
	return (int64_t)steps[n / 2] * NS_PER_CS;
}

void lp_sadf_clock_done(struct lp_sadf_clock *clock)
{
	free(clock->moments);
}
