/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/names.h"

#include <stdio.h>

static void numbers_are_given_in_order_and_once(void **state)
{
	struct lp_names names = { 0 };

	(void)state;
	assert_int_equal(lp_names_add(&names, "sda"), 0);
	assert_int_equal(lp_names_add(&names, "sdb"), 1);
	assert_int_equal(lp_names_add(&names, "sda"), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.text[1], "sdb");
	lp_names_done(&names);
}

static void a_prefix_is_another_name(void **state)
{
	struct lp_names names = { 0 };

	(void)state;
	assert_int_equal(lp_names_add_n(&names, "sda1", 3), 0);
	assert_int_equal(lp_names_add(&names, "sda1"), 1);
	assert_int_equal(lp_names_add(&names, ""), 2);
	assert_int_equal(lp_names_find(&names, "sda"), 0);
	assert_int_equal(lp_names_find_n(&names, "sda1x", 4), 1);
	assert_int_equal(lp_names_find(&names, ""), 2);
	assert_true(lp_names_find(&names, "sd") == LP_NAME_NONE);
	lp_names_done(&names);
}

static void an_empty_set_finds_nothing(void **state)
{
	struct lp_names names = { 0 };

	(void)state;
	assert_true(lp_names_find(&names, "x") == LP_NAME_NONE);
	lp_names_done(&names);
}

static void thousands_of_names_keep_their_numbers(void **state)
{
	struct lp_names names = { 0 };
	char text[16];

	(void)state;
	for (uint32_t i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "disk%u", i);
		assert_int_equal(lp_names_add(&names, text), i);
	}
	for (uint32_t i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "disk%u", i);
		assert_int_equal(lp_names_find(&names, text), i);
		assert_string_equal(names.text[i], text);
	}
	lp_names_done(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_given_in_order_and_once),
		cmocka_unit_test(a_prefix_is_another_name),
		cmocka_unit_test(an_empty_set_finds_nothing),
		cmocka_unit_test(thousands_of_names_keep_their_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
