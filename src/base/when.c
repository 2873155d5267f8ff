/* SPDX-License-Identifier: Apache-2.0 */
#include "base/when.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DAY_NS (86400 * LP_NS_PER_S)
/* The longest that says anything, and then some. */
#define LONGEST 64

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "10:00", "9:05:30.5": nanoseconds since midnight. */
static int parse_clock(const char *text, int64_t *ns)
{
	bool one_digit = is_digit(text[0]) && text[1] == ':';
	char whole[LONGEST + 16];
	size_t n = strlen(text);

	if (n < 4 || n > LONGEST || strspn(text, "0123456789:.") != n)
		return -EINVAL;
	snprintf(whole, sizeof(whole), "1970-01-01T%s%s", one_digit ? "0" : "",
		 text);
	return lp_time_parse(whole, strlen(whole), ns);
}

/* "today", "yesterday 10:00"; `rest` is what follows the word. */
static int parse_day(const char *rest, int day, struct lp_when *when)
{
	int64_t ns = 0;

	if (rest[0] && (rest[0] != ' ' || parse_clock(rest + 1, &ns) < 0))
		return -EINVAL;
	when->kind = LP_WHEN_DAY;
	when->day = day;
	when->whole_day = !rest[0];
	when->ns = ns;
	return 0;
}

static int parse_ago(const char *text, struct lp_when *when)
{
	when->kind = LP_WHEN_AGO;
	return lp_duration_parse(text, &when->ns);
}

/*
 * "2026-11-14 10:00 CET", as limpid prints times on a terminal: the name is cut
 * off and kept. An offset (" +03") belongs to the time itself.
 */
static void take_zone(char *text, struct lp_when *when)
{
	char *space = strrchr(text, ' ');
	size_t n = space ? strlen(space + 1) : 0;

	if (!space || strchr(text, ' ') == space || n < 1 || n >= LP_ZONE_TEXT)
		return;
	if (space[1] == '+' || space[1] == '-') {
		memmove(space, space + 1, n + 1);
		return;
	}
	for (size_t i = 1; i <= n; i++)
		if (!isalpha((unsigned char)space[i]))
			return;
	memcpy(when->zone, space + 1, n + 1);
	*space = '\0';
}

static int parse_date(const char *said, struct lp_when *when)
{
	char text[LONGEST + 1];
	size_t n;
	int status;

	snprintf(text, sizeof(text), "%s", said);
	take_zone(text, when);
	n = strlen(text);
	status = lp_time_parse(text, n, &when->ns);
	if (status < 0)
		return status;
	when->whole_day = n == 10;
	if (strpbrk(text + 10, "Z+-") || strcmp(when->zone, "UTC") == 0)
		when->kind = LP_WHEN_INSTANT;
	else
		when->kind = LP_WHEN_DATE;
	return when->whole_day && when->zone[0] ? -EINVAL : 0;
}

static int parse(const char *text, size_t n, struct lp_when *when)
{
	static const char today[] = "today", yesterday[] = "yesterday";

	if (n == 0 || n > LONGEST)
		return -EINVAL;
	if (strcmp(text, "now") == 0)
		return parse_ago("0", when);
	if (text[0] == '-')
		return parse_ago(text + 1, when);
	if (strncmp(text, today, strlen(today)) == 0)
		return parse_day(text + strlen(today), 0, when);
	if (strncmp(text, yesterday, strlen(yesterday)) == 0)
		return parse_day(text + strlen(yesterday), -1, when);
	if (n >= 10 && text[4] == '-')
		return parse_date(text, when);
	if (n > 2 && (text[1] == ':' || text[2] == ':')) {
		when->kind = LP_WHEN_CLOCK;
		return parse_clock(text, &when->ns);
	}
	when->kind = LP_WHEN_INSTANT;
	return lp_time_parse(text, n, &when->ns);
}

int lp_when_parse(const char *text, struct lp_when *when)
{
	struct lp_when parsed = { .text = text };
	int status = parse(text, strlen(text), &parsed);

	if (status == 0)
		*when = parsed;
	return status;
}

bool lp_when_needs_recording(const struct lp_when *when)
{
	return when->kind == LP_WHEN_CLOCK;
}

/* ---- resolve ---- */

/* The beginning of the day, in what clocks show. */
static int64_t midnight(int64_t clocks_ns)
{
	int64_t since = clocks_ns % DAY_NS;

	return lp_time_add(clocks_ns, -(since < 0 ? since + DAY_NS : since));
}

/* Only the time that is called so in the zone. */
static size_t keep_called(const struct lp_zone *zone, const char *name,
			  int64_t times[2], size_t n)
{
	char called[LP_ZONE_TEXT];
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		lp_zone_offset(zone, times[i], called);
		if (strcmp(called, name) == 0)
			times[kept++] = times[i];
	}
	return kept;
}

static int not_in_zone(const struct lp_when *when, const struct lp_zone *zone,
		       int64_t time_ns, struct lp_error *err)
{
	char called[LP_ZONE_TEXT];

	lp_zone_offset(zone, time_ns, called);
	return lp_fail(err, EINVAL,
		       "'%s': times are in %s here; choose another zone with "
		       "--tz, or add an offset as in 2026-11-14T10:00:00+01:00",
		       when->text, called);
}

/* "2026-10-25T02:30:00+02:00": says which of two. */
static const char *exact(const struct lp_zone *zone, int64_t time_ns,
			 char text[LP_TIME_TEXT])
{
	char name[LP_ZONE_TEXT];
	int32_t offset = lp_zone_offset(zone, time_ns, name);
	int32_t minutes = (offset < 0 ? -offset : offset) / 60;
	size_t n;

	lp_time_format(lp_zone_clocks(zone, time_ns), text);
	n = strlen(text) - 1;
	snprintf(text + n, LP_TIME_TEXT - n, "%c%02d:%02d",
		 offset < 0 ? '-' : '+', minutes / 60 % 100, minutes % 60);
	return text;
}

/* The time at which clocks show this; whole days begin whenever they begin. */
static int from_clocks(const struct lp_when *when, const struct lp_zone *zone,
		       int64_t clocks_ns, int64_t *time_ns,
		       struct lp_error *err)
{
	int64_t times[2];
	size_t n = lp_zone_times(zone, clocks_ns, times);
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT];
	int64_t would_be = times[0];

	if (n && when->zone[0]) {
		n = keep_called(zone, when->zone, times, n);
		if (n == 0)
			return not_in_zone(when, zone, would_be, err);
	}
	if (n == 2 && !when->whole_day)
		return lp_fail(err, EINVAL,
			       "'%s' occurs twice, because clocks are set "
			       "back; write %s or %s",
			       when->text, exact(zone, times[0], a),
			       exact(zone, times[1], b));
	if (n == 0 && !when->whole_day)
		return lp_fail(err, EINVAL,
			       "'%s' does not exist, because clocks are set "
			       "forward; try %s",
			       when->text, exact(zone, would_be, a));
	*time_ns = times[0];
	return 0;
}

static int needs_day(const struct lp_when *when, const struct lp_when_frame *f,
		     struct lp_error *err)
{
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT], day[LP_TIME_TEXT];

	lp_time_format(lp_zone_clocks(&f->zone, f->last_ns), day);
	day[10] = '\0';
	return lp_fail(err, EINVAL,
		       "'%s' needs a day, as in '%s %s': the recording goes "
		       "from %s to %s",
		       when->text, day, when->text,
		       lp_zone_format(&f->zone, f->first_ns, a),
		       lp_zone_format(&f->zone, f->last_ns, b));
}

/*
 * On the day of the recording; of one that goes over midnight, the day on
 * which the time lies in it, if there is but one such day.
 */
static int from_recording(const struct lp_when *when,
			  const struct lp_when_frame *f, int64_t *time_ns,
			  struct lp_error *err)
{
	int64_t first = midnight(lp_zone_clocks(&f->zone, f->first_ns));
	int64_t last = midnight(lp_zone_clocks(&f->zone, f->last_ns));
	int64_t found = LP_TIME_MIN, t;
	size_t n = 0;

	if (f->first_ns > f->last_ns)
		return lp_fail(err, EINVAL,
			       "'%s' needs a day: there are no samples to take "
			       "it from",
			       when->text);
	if (first == last)
		return from_clocks(when, &f->zone, lp_time_add(first, when->ns),
				   time_ns, err);
	if (lp_time_add(last, -first) > 2 * DAY_NS)
		return needs_day(when, f, err);
	for (; first <= last; first += DAY_NS) {
		int status = from_clocks(when, &f->zone,
					 lp_time_add(first, when->ns), &t, err);

		if (status < 0)
			return status;
		n += t >= f->first_ns && t <= f->last_ns;
		found = t >= f->first_ns && t <= f->last_ns ? t : found;
	}
	if (n != 1)
		return needs_day(when, f, err);
	*time_ns = found;
	return 0;
}

int lp_when_resolve(const struct lp_when *when, const struct lp_when_frame *f,
		    int64_t *time_ns, struct lp_error *err)
{
	int64_t today;

	switch (when->kind) {
	case LP_WHEN_UNSET:
		return 0;
	case LP_WHEN_INSTANT:
		*time_ns = when->ns;
		return 0;
	case LP_WHEN_AGO:
		*time_ns = lp_time_add(f->now_ns, -when->ns);
		return 0;
	case LP_WHEN_DATE:
		return from_clocks(when, &f->zone, when->ns, time_ns, err);
	case LP_WHEN_DAY:
		today = midnight(lp_zone_clocks(&f->zone, f->now_ns));
		return from_clocks(when, &f->zone,
				   today + when->day * DAY_NS + when->ns,
				   time_ns, err);
	case LP_WHEN_CLOCK:
		return from_recording(when, f, time_ns, err);
	}
	return -EINVAL;
}
