/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

static int parse_u64(const char *text, uint64_t *v)
{
	return lp_parse_u64(text, strlen(text), v);
}

static int parse_double(const char *text, double *v)
{
	return lp_parse_double(text, strlen(text), v);
}

static void scanning_moves_behind_each_number(void **state)
{
	const char *at = "  12\t0 99x", *end = at + 10;
	uint64_t v;

	(void)state;
	assert_true(lp_scan_u64(&at, end, &v));
	assert_int_equal(v, 12);
	assert_true(lp_scan_u64(&at, end, &v));
	assert_int_equal(v, 0);
	assert_true(lp_scan_u64(&at, end, &v));
	assert_int_equal(v, 99);
	assert_false(lp_scan_u64(&at, end, &v));
	assert_int_equal(v, 99);
	assert_int_equal(*at, 'x');
}

static void scanning_stops_at_the_end_not_at_a_terminator(void **state)
{
	const char *text = "123456", *at = text;
	uint64_t v;

	(void)state;
	assert_true(lp_scan_u64(&at, text + 3, &v));
	assert_int_equal(v, 123);
	assert_false(lp_scan_u64(&at, text + 3, &v));
}

static void the_largest_number_is_read_and_the_next_refused(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_int_equal(parse_u64("18446744073709551615", &v), 0);
	assert_true(v == UINT64_MAX);
	v = 7;
	assert_int_equal(parse_u64("18446744073709551616", &v), -ERANGE);
	assert_int_equal(parse_u64("99999999999999999999999", &v), -ERANGE);
	assert_int_equal(v, 7);
}

static void what_is_no_whole_number_is_refused_untouched(void **state)
{
	static const char *const bad[] = { "",   " 1", "1 ", "-1", "+1",
					   "1x", "x",  "1.", "0x1" };
	uint64_t v = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse_u64(bad[i], &v), -EINVAL);
	assert_int_equal(v, 7);
}

static void doubles_are_read_as_c_writes_them(void **state)
{
	double v;

	(void)state;
	assert_int_equal(parse_double("-1.5e3", &v), 0);
	assert_true(v == -1500);
	assert_int_equal(parse_double(".25", &v), 0);
	assert_true(v == 0.25);
	assert_int_equal(parse_double("0", &v), 0);
	assert_true(v == 0);
}

static void what_is_no_finite_double_is_refused_untouched(void **state)
{
	static const char *const bad[] = { "",   "nan", "inf", "0x10",
					   " 1", "1 ",  "1,5", "e",
					   "-",  ".",   "1e+", "--1" };
	double v = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse_double(bad[i], &v), -EINVAL);
	assert_int_equal(parse_double("1e999", &v), -ERANGE);
	assert_true(v == 7);
}

static void a_written_double_reads_back_as_itself(void **state)
{
	static const double some[] = { 0,       -0.0,    0.1,       1.0 / 3,
				       1e300,   DBL_MIN, DBL_MAX,   4.9e-324,
				       12345.6, -2.5,    1e15 + 0.3 };
	char text[LP_NUMBER_TEXT];
	double back;

	(void)state;
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		lp_format_double(some[i], text);
		assert_int_equal(parse_double(text, &back), 0);
		assert_memory_equal(&back, &some[i], sizeof(back));
	}
}

static void short_doubles_stay_short_and_missing_ones_are_empty(void **state)
{
	char text[LP_NUMBER_TEXT];

	(void)state;
	assert_string_equal(lp_format_double(0.1, text), "0.1");
	assert_string_equal(lp_format_double(5, text), "5");
	assert_string_equal(lp_format_double(NAN, text), "");
}

static void only_one_is_singular(void **state)
{
	(void)state;
	assert_string_equal(lp_plural(0, "sample", "samples"), "samples");
	assert_string_equal(lp_plural(1, "sample", "samples"), "sample");
	assert_string_equal(lp_plural(2, "sample", "samples"), "samples");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scanning_moves_behind_each_number),
		cmocka_unit_test(scanning_stops_at_the_end_not_at_a_terminator),
		cmocka_unit_test(
			the_largest_number_is_read_and_the_next_refused),
		cmocka_unit_test(what_is_no_whole_number_is_refused_untouched),
		cmocka_unit_test(doubles_are_read_as_c_writes_them),
		cmocka_unit_test(what_is_no_finite_double_is_refused_untouched),
		cmocka_unit_test(a_written_double_reads_back_as_itself),
		cmocka_unit_test(
			short_doubles_stay_short_and_missing_ones_are_empty),
		cmocka_unit_test(only_one_is_singular),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
