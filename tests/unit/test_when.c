/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/when.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define S LP_NS_PER_S
#define BERLIN "Europe/Berlin"

static int64_t iso(const char *text)
{
	int64_t t = 0;

	assert_int_equal(lp_time_parse(text, strlen(text), &t), 0);
	return t;
}

/* Wednesday, 2026-11-18 09:30 UTC; nothing is recorded. */
static struct lp_when_frame frame_in(const char *zone)
{
	struct lp_when_frame f = { .now_ns = iso("2026-11-18T09:30:00Z"),
				   .first_ns = LP_TIME_MAX,
				   .last_ns = LP_TIME_MIN };
	struct lp_error err;

	if (lp_zone_find(zone, &f.zone, &err) < 0)
		fail_msg("%s: %s", zone, err.text);
	return f;
}

static int resolve(const char *text, const struct lp_when_frame *f, int64_t *t,
		   struct lp_error *err)
{
	struct lp_when when;

	assert_int_equal(lp_when_parse(text, &when), 0);
	return lp_when_resolve(&when, f, t, err);
}

static void assert_when(const char *text, const struct lp_when_frame *f,
			const char *expected)
{
	char shown[LP_TIME_TEXT];
	struct lp_error err;
	int64_t t = 0;

	if (resolve(text, f, &t, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	assert_string_equal(lp_time_format(t, shown), expected);
}

static void assert_refused(const char *text, const struct lp_when_frame *f,
			   const char *line)
{
	struct lp_error err;
	int64_t t = 77;

	assert_int_equal(resolve(text, f, &t, &err), -EINVAL);
	assert_string_equal(err.text, line);
	assert_true(t == 77);
}

static void a_time_with_a_zone_is_that_instant_everywhere(void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);

	(void)state;
	assert_when("2026-11-14T10:00:00Z", &f, "2026-11-14T10:00:00Z");
	assert_when("2026-11-14 10:00+02:00", &f, "2026-11-14T08:00:00Z");
	assert_when("2026-11-14 10:00:00 -0530", &f, "2026-11-14T15:30:00Z");
	assert_when("2026-11-14 10:00 UTC", &f, "2026-11-14T10:00:00Z");
	assert_when("1794775514.25", &f, "2026-11-15T20:45:14.250Z");
}

static void a_time_without_a_zone_is_in_the_zone_that_is_shown(void **state)
{
	struct lp_when_frame utc = frame_in("UTC");
	struct lp_when_frame fixed = frame_in("-05:30");
	struct lp_when_frame berlin = frame_in(BERLIN);

	(void)state;
	assert_when("2026-11-14 10:00", &utc, "2026-11-14T10:00:00Z");
	assert_when("2026-11-14 10:00", &fixed, "2026-11-14T15:30:00Z");
	assert_when("2026-11-14T10:00:30.5", &berlin,
		    "2026-11-14T09:00:30.500Z");
	assert_when("2026-07-14 10:00", &berlin, "2026-07-14T08:00:00Z");
	assert_when("2026-11-14", &berlin, "2026-11-13T23:00:00Z");
}

static void relative_times_count_back_from_now(void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);

	(void)state;
	assert_when("now", &f, "2026-11-18T09:30:00Z");
	assert_when("-2h", &f, "2026-11-18T07:30:00Z");
	assert_when("-30min", &f, "2026-11-18T09:00:00Z");
	assert_when("-1.5d", &f, "2026-11-16T21:30:00Z");
	assert_when("-90", &f, "2026-11-18T09:28:30Z");
}

static void days_begin_at_midnight_of_the_zone(void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);
	struct lp_when_frame early = f;

	(void)state;
	assert_when("today", &f, "2026-11-17T23:00:00Z");
	assert_when("yesterday", &f, "2026-11-16T23:00:00Z");
	assert_when("yesterday 10:00", &f, "2026-11-17T09:00:00Z");
	assert_when("today 9:05:30", &f, "2026-11-18T08:05:30Z");
	/* It is 00:30 there, and still the day before in UTC. */
	early.now_ns = iso("2026-11-17T23:30:00Z");
	assert_when("today", &early, "2026-11-17T23:00:00Z");
}

static void a_clock_is_of_the_day_of_the_recording(void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);

	(void)state;
	f.first_ns = iso("2026-11-14T08:00:00Z");
	f.last_ns = iso("2026-11-14T22:59:00Z");
	assert_when("10:00", &f, "2026-11-14T09:00:00Z");
	assert_when("7:00", &f, "2026-11-14T06:00:00Z");
}

static void over_midnight_a_clock_is_of_the_day_on_which_it_lies(void **state)
{
	struct lp_when_frame f = frame_in("UTC");

	(void)state;
	f.first_ns = iso("2026-11-14T22:00:00Z");
	f.last_ns = iso("2026-11-15T02:00:00Z");
	assert_when("23:00", &f, "2026-11-14T23:00:00Z");
	assert_when("01:00", &f, "2026-11-15T01:00:00Z");
	assert_refused("12:00", &f,
		       "'12:00' needs a day, as in '2026-11-15 12:00': the "
		       "recording goes from 2026-11-14T22:00:00Z to "
		       "2026-11-15T02:00:00Z");
}

static void a_clock_is_refused_where_the_recording_has_several_days(
	void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);

	(void)state;
	assert_refused("10:00", &f,
		       "'10:00' needs a day: there are no samples to take "
		       "it from");
	f.first_ns = iso("2026-11-12T08:00:00Z");
	f.last_ns = iso("2026-11-14T22:59:00Z");
	assert_refused("10:00", &f,
		       "'10:00' needs a day, as in '2026-11-14 10:00': the "
		       "recording goes from 2026-11-12 09:00:00 CET to "
		       "2026-11-14 23:59:00 CET");
	f.first_ns = iso("2016-11-12T08:00:00Z");
	assert_refused("10:00", &f,
		       "'10:00' needs a day, as in '2026-11-14 10:00': the "
		       "recording goes from 2016-11-12 09:00:00 CET to "
		       "2026-11-14 23:59:00 CET");
}

static void a_time_that_clocks_leave_out_is_refused(void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);

	(void)state;
	assert_when("2026-03-29 01:59:59", &f, "2026-03-29T00:59:59Z");
	assert_refused("2026-03-29 02:30", &f,
		       "'2026-03-29 02:30' does not exist, because clocks are "
		       "set forward; try 2026-03-29T03:30:00+02:00");
	assert_when("2026-03-29 03:00", &f, "2026-03-29T01:00:00Z");
}

static void a_time_that_comes_twice_is_refused_unless_it_says_which(
	void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);

	(void)state;
	assert_when("2026-10-25 01:59", &f, "2026-10-24T23:59:00Z");
	assert_refused("2026-10-25 02:30", &f,
		       "'2026-10-25 02:30' occurs twice, because clocks are "
		       "set back; write 2026-10-25T02:30:00+02:00 or "
		       "2026-10-25T02:30:00+01:00");
	assert_when("2026-10-25 02:30 CEST", &f, "2026-10-25T00:30:00Z");
	assert_when("2026-10-25 02:30 CET", &f, "2026-10-25T01:30:00Z");
	assert_when("2026-10-25T02:30:00+01:00", &f, "2026-10-25T01:30:00Z");
	assert_when("2026-10-25 03:00", &f, "2026-10-25T02:00:00Z");
}

static void a_day_without_midnight_begins_an_hour_later(void **state)
{
	struct lp_when_frame f = frame_in("America/Havana");

	(void)state;
	assert_when("2026-03-08", &f, "2026-03-08T05:00:00Z");
	/* And one with two begins with the first. */
	assert_when("2026-11-01", &f, "2026-11-01T04:00:00Z");
}

static void a_zone_of_elsewhere_is_refused(void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);

	(void)state;
	assert_refused("2026-11-14 10:00 EST", &f,
		       "'2026-11-14 10:00 EST': times are in CET here; choose "
		       "another zone with --tz, or add an offset as in "
		       "2026-11-14T10:00:00+01:00");
}

static void what_is_shown_can_be_said_again(void **state)
{
	static const char *const zones[] = { "UTC",        BERLIN,
					     "-09:30",     "Asia/Kathmandu",
					     "Asia/Dubai", "America/St_Johns" };
	int64_t t = iso("2026-10-25T00:30:00.250Z");
	char shown[LP_TIME_TEXT], again[LP_TIME_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		struct lp_when_frame f = frame_in(zones[i]);

		lp_zone_format(&f.zone, t, shown);
		assert_when(shown, &f, lp_time_format(t, again));
	}
}

static void zones_are_named_as_people_name_them(void **state)
{
	struct lp_when_frame f = frame_in(BERLIN);
	char text[LP_TIME_TEXT];

	(void)state;
	assert_string_equal(
		lp_zone_format(&f.zone, iso("2026-07-14T10:00:00Z"), text),
		"2026-07-14 12:00:00 CEST");
	f = frame_in("+5");
	assert_string_equal(
		lp_zone_format(&f.zone, iso("2026-07-14T10:00:00.5Z"), text),
		"2026-07-14 15:00:00.500 +05:00");
	f = frame_in("UTC");
	assert_string_equal(
		lp_zone_format(&f.zone, iso("2026-07-14T10:00:00Z"), text),
		"2026-07-14T10:00:00Z");
}

static void unknown_zones_are_refused_not_taken_for_utc(void **state)
{
	static const char *const wrong[] = {
		"Europe/Berlni", "",       "CEST-CET", "../../etc/passwd",
		"/etc/passwd",   "Europe", "+25:00",   "+1:2:3"
	};
	struct lp_zone zone = { .kind = LP_ZONE_FIXED, .offset_s = 7 };
	struct lp_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (lp_zone_find(wrong[i], &zone, &err) != -EINVAL)
			fail_msg("%s is taken for a zone", wrong[i]);
	assert_int_equal(zone.offset_s, 7);
	assert_int_equal(lp_zone_find("Mars", &zone, &err), -EINVAL);
	assert_string_equal(err.text,
			    "no time zone 'Mars'; expected a name such as "
			    "Europe/Berlin, an offset such as +01:00, UTC or "
			    "local");
}

static void what_is_no_time_is_refused(void **state)
{
	static const char *const wrong[] = {
		"",
		"noon",
		"ten",
		"25:00",
		"10:00Z",
		"10:60",
		"-",
		"-2x",
		"tomorrow",
		"todayish",
		"today ",
		"yesterday noon",
		"2026-13-01",
		"2026-11-14 CET",
		"2026-11-14 10",
		"2026-11-14 10:00 C3T",
		"--2h",
		"10:00:61",
		":",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct lp_when when = { .ns = 7 };

		if (lp_when_parse(wrong[i], &when) != -EINVAL)
			fail_msg("'%s' is taken for a time", wrong[i]);
		assert_int_equal(when.ns, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_with_a_zone_is_that_instant_everywhere),
		cmocka_unit_test(
			a_time_without_a_zone_is_in_the_zone_that_is_shown),
		cmocka_unit_test(relative_times_count_back_from_now),
		cmocka_unit_test(days_begin_at_midnight_of_the_zone),
		cmocka_unit_test(a_clock_is_of_the_day_of_the_recording),
		cmocka_unit_test(
			over_midnight_a_clock_is_of_the_day_on_which_it_lies),
		cmocka_unit_test(
			a_clock_is_refused_where_the_recording_has_several_days),
		cmocka_unit_test(a_time_that_clocks_leave_out_is_refused),
		cmocka_unit_test(
			a_time_that_comes_twice_is_refused_unless_it_says_which),
		cmocka_unit_test(a_day_without_midnight_begins_an_hour_later),
		cmocka_unit_test(a_zone_of_elsewhere_is_refused),
		cmocka_unit_test(what_is_shown_can_be_said_again),
		cmocka_unit_test(zones_are_named_as_people_name_them),
		cmocka_unit_test(unknown_zones_are_refused_not_taken_for_utc),
		cmocka_unit_test(what_is_no_time_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
