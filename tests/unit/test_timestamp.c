/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/timestamp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define S LP_NS_PER_S

static int parse(const char *text, int64_t *t)
{
	return lp_time_parse(text, strlen(text), t);
}

static void assert_time(const char *text, int64_t expected)
{
	int64_t t = -1;

	assert_int_equal(parse(text, &t), 0);
	assert_true(t == expected);
}

static void epoch_seconds_are_exact_to_the_nanosecond(void **state)
{
	(void)state;
	assert_time("0", 0);
	assert_time("1794775514", 1794775514 * S);
	assert_time("1794775514.25", 1794775514 * S + 250000000);
	assert_time("1794775514.123456789", 1794775514 * S + 123456789);
	assert_time("1794775514.1234567899", 1794775514 * S + 123456789);
	assert_time("-1", -S);
	assert_time("-0.5", -S / 2);
	assert_time("-1.25", -S - S / 4);
}

static void iso_times_are_utc_unless_they_say_otherwise(void **state)
{
	int64_t t = 1794775514 * S; /* date -ud @1794775514 */

	(void)state;
	assert_time("2026-11-15T20:45:14Z", t);
	assert_time("2026-11-15 20:45:14", t);
	assert_time("2026-11-15T20:45:14.5Z", t + S / 2);
	assert_time("2026-11-15T21:45:14+01:00", t);
	assert_time("2026-11-15T15:15:14-0530", t);
	assert_time("2026-11-15T21:45:14+01", t);
	assert_time("2026-11-15T20:45", t - 14 * S);
	assert_time("2026-11-15T20:45Z", t - 14 * S);
	assert_time("2026-11-15", t - (20 * 3600 + 45 * 60 + 14) * S);
}

static void leap_years_follow_the_calendar(void **state)
{
	int64_t t = 7;

	(void)state;
	assert_time("2000-02-29", 951782400 * S);
	assert_time("2024-02-29", 1709164800 * S);
	assert_time("2024-12-31T23:59:60Z", 1735689600 * S);
	assert_int_equal(parse("2023-02-29", &t), -EINVAL);
	assert_int_equal(parse("1900-02-29", &t), -EINVAL);
	assert_int_equal(parse("2024-04-31", &t), -EINVAL);
	assert_int_equal(t, 7);
}

static void what_is_no_time_is_refused_untouched(void **state)
{
	static const char *const bad[] = {
		"",
		"-",
		"x",
		"1.",
		"1 ",
		" 1",
		"1e9",
		"2026-13-01",
		"2026-00-01",
		"2026-01-00",
		"2026-1-1",
		"2026-11-15T",
		"2026-11-15T24:00:00Z",
		"2026-11-15T20:60:00Z",
		"2026-11-15T20:45:61Z",
		"2026-11-15T20:45:14.Z",
		"2026-11-15T20:45:14ZZ",
		"2026-11-15T20:45:14+1",
		"2026-11-15T20:45:14+01:",
		"2026-11-15T20:45:14+01:60",
		"2026-11-15T20:45:14 UTC",
		"20261115T204514Z",
		"1234567890123456789012",
	};
	int64_t t = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &t), -EINVAL);
	assert_int_equal(t, 7);
}

static void times_beyond_64_bits_of_nanoseconds_are_refused(void **state)
{
	int64_t t = 7;

	(void)state;
	assert_int_equal(parse("2262-04-12", &t), -ERANGE);
	assert_int_equal(parse("1677-09-20", &t), -ERANGE);
	assert_int_equal(parse("0001-01-01", &t), -ERANGE);
	assert_int_equal(parse("9999-12-31", &t), -ERANGE);
	assert_int_equal(parse("999999999999999999", &t), -ERANGE);
	assert_int_equal(parse("-999999999999999999", &t), -ERANGE);
	assert_int_equal(t, 7);
	assert_int_equal(parse("2262-04-11T23:47:16.854775808Z", &t), -ERANGE);
	assert_int_equal(parse("-9223372036.854775809", &t), -ERANGE);
	assert_int_equal(t, 7);
}

static void a_time_has_as_many_decimals_as_it_needs(void **state)
{
	char text[LP_TIME_TEXT];
	int64_t t = 1794775514 * S;

	(void)state;
	assert_string_equal(lp_time_format(t, text), "2026-11-15T20:45:14Z");
	assert_string_equal(lp_time_format(t + 500000000, text),
			    "2026-11-15T20:45:14.500Z");
	assert_string_equal(lp_time_format(t + 1000, text),
			    "2026-11-15T20:45:14.000001Z");
	assert_string_equal(lp_time_format(t + 1, text),
			    "2026-11-15T20:45:14.000000001Z");
	assert_string_equal(lp_time_format(-1, text),
			    "1969-12-31T23:59:59.999999999Z");
	assert_string_equal(lp_time_format_compact(t + 999, text),
			    "20261115T204514Z");
}

static void the_ends_of_time_can_be_shown_and_read(void **state)
{
	char text[LP_TIME_TEXT];

	(void)state;
	assert_string_equal(lp_time_format(LP_TIME_MIN, text),
			    "1677-09-21T00:12:43.145224192Z");
	assert_time("1677-09-21T00:12:43.145224192Z", LP_TIME_MIN);
	assert_string_equal(lp_time_format(LP_TIME_MAX, text),
			    "2262-04-11T23:47:16.854775807Z");
	assert_time("2262-04-11T23:47:16.854775807Z", LP_TIME_MAX);
}

/* Any time, from a fixed seed: a failure can be seen again. */
static int64_t random_time(unsigned short seed[3])
{
	int64_t seconds = jrand48(seed) * INT64_C(4);

	return seconds * S + (nrand48(seed) % 1000000000);
}

static void random_times_survive_writing_and_reading(void **state)
{
	unsigned short seed[3] = { 1, 2, 3 };
	char text[LP_TIME_TEXT];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t t = random_time(seed), back;

		assert_int_equal(parse(lp_time_format(t, text), &back), 0);
		assert_true(back == t);
	}
}

static void random_dates_agree_with_the_c_library(void **state)
{
	unsigned short seed[3] = { 4, 5, 6 };
	char text[64];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		time_t seconds = (time_t)(random_time(seed) / S);
		struct tm tm;
		int64_t t;

		gmtime_r(&seconds, &tm);
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
		assert_int_equal(parse(text, &t), 0);
		assert_true(t == (int64_t)seconds * S);
	}
}

static void assert_duration(const char *text, int64_t expected)
{
	int64_t d = -1;

	assert_int_equal(lp_duration_parse(text, &d), 0);
	assert_true(d == expected);
}

static void durations_have_units_and_fractions(void **state)
{
	(void)state;
	assert_duration("0.1", S / 10);
	assert_duration(".5", S / 2);
	assert_duration(".5m", 30 * S);
	assert_duration("10", 10 * S);
	assert_duration("500ms", S / 2);
	assert_duration("1.5ms", 1500000);
	assert_duration("10s", 10 * S);
	assert_duration("5m", 300 * S);
	assert_duration("5min", 300 * S);
	assert_duration("1.5h", 5400 * S);
	assert_duration("2d", 172800 * S);
	assert_duration("0", 0);
}

static void what_is_no_duration_is_refused_untouched(void **state)
{
	static const char *const bad[] = { "",     "s",   "-1",   "1 s",
					   "1w",   "1.s", "1sec", "+1",
					   ".",    "1e3", "1ss",  "200000000d",
					   "1.5.5" };
	int64_t d = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(lp_duration_parse(bad[i], &d), -EINVAL);
	assert_int_equal(d, 7);
}

static void durations_are_shown_to_the_nearest_of_the_smaller_unit(void **state)
{
	char text[LP_TIME_TEXT];

	(void)state;
	assert_string_equal(lp_duration_format(175 * S, text), "2 min 55 s");
	assert_string_equal(lp_duration_format(1350 * S, text), "22 min 30 s");
	assert_string_equal(lp_duration_format(3600 * S - 1, text), "1 h");
	assert_string_equal(lp_duration_format(7200 * S - 1, text), "2 h");
	assert_string_equal(lp_duration_format(172799 * S, text), "2 days");
	assert_string_equal(lp_duration_format(219600 * S, text),
			    "2 days 13 h");
	assert_string_equal(lp_duration_format(65166180 * S, text), "754 days");
}

static void durations_are_shown_for_people(void **state)
{
	char text[LP_TIME_TEXT];

	(void)state;
	assert_string_equal(lp_duration_format(10 * S, text), "10 s");
	assert_string_equal(lp_duration_format(S / 10, text), "0.1 s");
	assert_string_equal(lp_duration_format(S * 3 / 2, text), "1.5 s");
	assert_string_equal(lp_duration_format(90 * S, text), "90 s");
	assert_string_equal(lp_duration_format(600 * S, text), "10 min");
	assert_string_equal(lp_duration_format(7200 * S, text), "2 h");
	assert_string_equal(lp_duration_format(7500 * S, text), "2 h 5 min");
	assert_string_equal(lp_duration_format(86400 * S, text), "24 h");
}

static void a_sum_of_times_stops_at_the_ends_of_time(void **state)
{
	(void)state;
	assert_true(lp_time_add(5 * S, -7 * S) == -2 * S);
	assert_true(lp_time_add(LP_TIME_MAX, 1) == LP_TIME_MAX);
	assert_true(lp_time_add(LP_TIME_MAX, -1) == LP_TIME_MAX - 1);
	assert_true(lp_time_add(LP_TIME_MIN, -1) == LP_TIME_MIN);
	assert_true(lp_time_add(-2 * S, LP_TIME_MIN) == LP_TIME_MIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(epoch_seconds_are_exact_to_the_nanosecond),
		cmocka_unit_test(iso_times_are_utc_unless_they_say_otherwise),
		cmocka_unit_test(leap_years_follow_the_calendar),
		cmocka_unit_test(what_is_no_time_is_refused_untouched),
		cmocka_unit_test(
			times_beyond_64_bits_of_nanoseconds_are_refused),
		cmocka_unit_test(a_time_has_as_many_decimals_as_it_needs),
		cmocka_unit_test(the_ends_of_time_can_be_shown_and_read),
		cmocka_unit_test(random_times_survive_writing_and_reading),
		cmocka_unit_test(random_dates_agree_with_the_c_library),
		cmocka_unit_test(a_sum_of_times_stops_at_the_ends_of_time),
		cmocka_unit_test(durations_have_units_and_fractions),
		cmocka_unit_test(what_is_no_duration_is_refused_untouched),
		cmocka_unit_test(durations_are_shown_for_people),
		cmocka_unit_test(
			durations_are_shown_to_the_nearest_of_the_smaller_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
