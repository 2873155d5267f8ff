/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "disk/spindle.h"

#define MS INT64_C(1000000)
#define S (1000 * MS)

static struct lab_spindle make(void)
{
	return (struct lab_spindle){ .rate = 1000000, .seek_ns = 8 * MS };
}

static void a_request_takes_its_bytes_at_the_rate(void **state)
{
	struct lab_spindle spindle = make();

	(void)state;
	assert_int_equal(lab_spindle_book(&spindle, 5 * S, 0, 100000),
			 5 * S + 100 * MS);
}

static void requests_wait_for_those_before(void **state)
{
	struct lab_spindle spindle = make();

	(void)state;
	for (int64_t i = 0; i < 4; i++)
		assert_int_equal(
			lab_spindle_book(&spindle, S, (uint64_t)i * 1000, 1000),
			S + (i + 1) * MS);
}

static void an_idle_spindle_begins_at_once(void **state)
{
	struct lab_spindle spindle = make();

	(void)state;
	lab_spindle_book(&spindle, S, 0, 1000);
	assert_int_equal(lab_spindle_book(&spindle, 2 * S, 1000, 1000),
			 2 * S + MS);
	assert_int_equal(spindle.busy_ns, 2 * MS);
}

static void only_what_is_not_sequential_seeks(void **state)
{
	struct lab_spindle spindle = make();

	(void)state;
	lab_spindle_book(&spindle, 0, 0, 1000);
	assert_int_equal(spindle.seeks, 0);
	/* Ahead, back, and the same place again: the head is behind it. */
	assert_int_equal(lab_spindle_book(&spindle, S, 5000, 1000), S + 9 * MS);
	assert_int_equal(lab_spindle_book(&spindle, 2 * S, 0, 1000),
			 2 * S + 9 * MS);
	assert_int_equal(lab_spindle_book(&spindle, 3 * S, 0, 1000),
			 3 * S + 9 * MS);
	assert_int_equal(lab_spindle_book(&spindle, 4 * S, 1000, 1000),
			 4 * S + MS);
	assert_int_equal(spindle.seeks, 3);
}

static void a_new_rate_is_for_requests_that_come_then(void **state)
{
	struct lab_spindle spindle = make();

	(void)state;
	assert_int_equal(lab_spindle_book(&spindle, 0, 0, 1000), MS);
	spindle.rate = 500000;
	assert_int_equal(lab_spindle_book(&spindle, 0, 1000, 1000), 3 * MS);
}

static void extreme_rates_and_sizes_do_not_overflow(void **state)
{
	(void)state;
	assert_int_equal(lab_transfer_ns(LAB_RATE_MAX - 1, LAB_RATE_MAX),
			 S - 1);
	assert_int_equal(lab_transfer_ns(LAB_RATE_MAX, LAB_RATE_MIN),
			 10000000 * S);
	assert_int_equal(lab_transfer_ns(0, LAB_RATE_MIN), 0);
	assert_int_equal(lab_transfer_ns(1, LAB_RATE_MIN), MS);
}

static void the_clock_stands_while_the_disk_is_stuck(void **state)
{
	struct lab_clock clock = { .stands = false };

	(void)state;
	assert_int_equal(lab_clock_read(&clock, 5 * S), 5 * S);
	lab_clock_stop(&clock, 6 * S);
	assert_int_equal(lab_clock_read(&clock, 9 * S), 6 * S);
	lab_clock_go(&clock, 10 * S);
	assert_int_equal(lab_clock_read(&clock, 10 * S), 6 * S);
	assert_int_equal(lab_clock_read(&clock, 11 * S), 7 * S);
	lab_clock_stop(&clock, 11 * S);
	lab_clock_go(&clock, 12 * S);
	assert_int_equal(lab_clock_read(&clock, 12 * S), 7 * S);
}

static void stopping_or_going_twice_changes_nothing(void **state)
{
	struct lab_clock clock = { .stands = false };

	(void)state;
	lab_clock_go(&clock, S);
	lab_clock_stop(&clock, 2 * S);
	lab_clock_stop(&clock, 3 * S);
	assert_int_equal(lab_clock_read(&clock, 4 * S), 2 * S);
	lab_clock_go(&clock, 5 * S);
	lab_clock_go(&clock, 6 * S);
	assert_int_equal(lab_clock_read(&clock, 6 * S), 3 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_takes_its_bytes_at_the_rate),
		cmocka_unit_test(requests_wait_for_those_before),
		cmocka_unit_test(an_idle_spindle_begins_at_once),
		cmocka_unit_test(only_what_is_not_sequential_seeks),
		cmocka_unit_test(a_new_rate_is_for_requests_that_come_then),
		cmocka_unit_test(extreme_rates_and_sizes_do_not_overflow),
		cmocka_unit_test(the_clock_stands_while_the_disk_is_stuck),
		cmocka_unit_test(stopping_or_going_twice_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
