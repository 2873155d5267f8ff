/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "table/delta.h"

#define TWO_32 (UINT64_C(1) << 32)

static const struct lp_column wide = { .kind = LP_COUNTER, .width = 64 };
static const struct lp_column narrow = { .kind = LP_COUNTER, .width = 32 };
static const struct lp_column full = { .kind = LP_SATURATING, .width = 32 };
static const struct lp_column tiny = { .kind = LP_SATURATING, .width = 4 };

static uint64_t increase(const struct lp_column *column, uint64_t before,
			 uint64_t after)
{
	enum lp_delta delta = lp_delta_classify(column, before, after);

	assert_true(delta <= LP_DELTA_WRAP);
	return after + lp_delta_carry(column, delta) - before;
}

static void a_32_bit_counter_wraps_at_2_to_the_32(void **state)
{
	(void)state;
	assert_int_equal(increase(&narrow, TWO_32 - 10, 5), 15);
	assert_int_equal(increase(&narrow, TWO_32 - 1, 0), 1);
	assert_int_equal(increase(&narrow, 7, 7), 0);
}

static void a_32_bit_counter_that_lost_little_began_anew(void **state)
{
	(void)state;
	assert_int_equal(lp_delta_classify(&narrow, 1000, 3), LP_DELTA_RESET);
	assert_int_equal(lp_delta_classify(&narrow, TWO_32 / 2, 0),
			 LP_DELTA_RESET);
	assert_int_equal(lp_delta_classify(&narrow, TWO_32 / 2 + 1, 0),
			 LP_DELTA_WRAP32);
}

static void a_64_bit_counter_wraps_at_2_to_the_64(void **state)
{
	(void)state;
	assert_int_equal(increase(&wide, UINT64_MAX - 9, 5), 15);
	assert_int_equal(lp_delta_classify(&wide, UINT64_MAX - 9, 5),
			 LP_DELTA_WRAP64);
}

static void a_64_bit_column_of_a_32_bit_driver_wraps_too(void **state)
{
	(void)state;
	assert_int_equal(lp_delta_classify(&wide, TWO_32 - 10, 5),
			 LP_DELTA_WRAP32);
	assert_int_equal(increase(&wide, TWO_32 - 10, 5), 15);
	assert_int_equal(lp_delta_classify(&wide, TWO_32 + 10, 5),
			 LP_DELTA_RESET);
	assert_int_equal(lp_delta_classify(&wide, TWO_32 / 2 - 1, 5),
			 LP_DELTA_RESET);
}

static void a_wider_source_of_a_narrow_column_does_not_wrap_at_its_width(
	void **state)
{
	(void)state;
	assert_int_equal(lp_delta_classify(&narrow, TWO_32 + 100, 5),
			 LP_DELTA_RESET);
}

static void a_large_counter_that_goes_back_a_little_dips(void **state)
{
	(void)state;
	assert_int_equal(lp_delta_classify(&wide, 1000000, 999998),
			 LP_DELTA_DIP);
	assert_int_equal(lp_delta_classify(&wide, 1000, 998), LP_DELTA_RESET);
}

static void all_ones_are_full(void **state)
{
	(void)state;
	assert_true(lp_delta_saturated(&full, TWO_32 - 1));
	assert_true(lp_delta_saturated(&tiny, 15));
	assert_true(lp_delta_saturated(&tiny, TWO_32 - 1));
	assert_false(lp_delta_saturated(&tiny, 14));
	assert_false(lp_delta_saturated(&full, TWO_32));
	assert_false(lp_delta_saturated(&narrow, TWO_32 - 1));
}

static void a_saturating_counter_that_goes_down_was_cleared(void **state)
{
	(void)state;
	assert_int_equal(lp_delta_classify(&full, TWO_32 - 5, 3),
			 LP_DELTA_RESET);
}

static void values_that_plainly_count_up_need_no_closer_look(void **state)
{
	const uint64_t up[] = { 1, 1, 2, 900 }, down[] = { 1, 2, 1 };

	(void)state;
	assert_true(lp_delta_plain(1, up, 4, NULL));
	assert_false(lp_delta_plain(2, up, 4, NULL));
	assert_false(lp_delta_plain(0, down, 3, NULL));
	assert_true(lp_delta_plain(0, down, 2, NULL));
	assert_true(lp_delta_plain(9, down, 0, NULL));
	/* At 2^64 the difference is the increase. */
	assert_true(lp_delta_plain(UINT64_MAX - 5, up, 4, NULL));
	assert_false(lp_delta_plain(TWO_32 - 5, up, 4, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_32_bit_counter_wraps_at_2_to_the_32),
		cmocka_unit_test(a_32_bit_counter_that_lost_little_began_anew),
		cmocka_unit_test(a_64_bit_counter_wraps_at_2_to_the_64),
		cmocka_unit_test(a_64_bit_column_of_a_32_bit_driver_wraps_too),
		cmocka_unit_test(
			a_wider_source_of_a_narrow_column_does_not_wrap_at_its_width),
		cmocka_unit_test(a_large_counter_that_goes_back_a_little_dips),
		cmocka_unit_test(all_ones_are_full),
		cmocka_unit_test(
			a_saturating_counter_that_goes_down_was_cleared),
		cmocka_unit_test(
			values_that_plainly_count_up_need_no_closer_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
