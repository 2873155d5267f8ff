/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "detect/budget.h"
#include "detect/tail.h"
#include "stats/random.h"

#include <errno.h>
#include <math.h>

#define HOUR_NS (INT64_C(3600) * 1000000000)

static int tail_of(const struct lp_maxima *m, struct lp_tail *tail)
{
	return lp_maxima_tail(&m, 1, tail);
}

static struct lp_budget parsed(const char *text)
{
	struct lp_budget budget = { 0 };
	struct lp_error err;

	assert_int_equal(lp_budget_parse(text, &budget, &err), 0);
	return budget;
}

static void a_budget_is_of_the_whole_system_or_of_each_server(void **state)
{
	struct lp_budget month = parsed("1/month"), usual = { 0 };
	struct lp_budget each = parsed("3/2d/server");
	char text[LP_BUDGET_TEXT];

	(void)state;
	assert_true(lp_budget_rate(&month, 10) == 1.0 / 7200);
	assert_true(lp_budget_rate(&each, 10) == 3.0 / 48);
	assert_true(lp_budget_rate(&usual, 10) == 0.01);
	assert_string_equal(lp_budget_text(&month, text),
			    "1 false alarm per month of the whole system");
	assert_string_equal(lp_budget_text(&each, text),
			    "3 false alarms per 48 hours of each server");
	assert_string_equal(lp_budget_text(&usual, text),
			    "1 false alarm per 100 hours of each server");
}

static void a_budget_that_is_none_is_refused(void **state)
{
	static const char *const bad[] = {
		"",           "1",         "/month",     "0/month",
		"-1/month",   "1/0s",      "nan/day",    "inf/day",
		"1/server",   "1/month/",  "1/monthly",  "100/hour",
		"1/9000000d", "1//server", "1/day/host",
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(bad); i++) {
		struct lp_budget budget = { .alarms = 7 };
		struct lp_error err;

		assert_int_equal(lp_budget_parse(bad[i], &budget, &err),
				 -EINVAL);
		assert_true(budget.alarms == 7);
	}
}

static void the_lab_s_tail_gives_the_limits_that_were_published(void **state)
{
	(void)state;
	assert_true(fabs(lp_tail_limit(&lp_tail_lab, 0.01) - 6.1) < 0.005);
	assert_true(fabs(lp_tail_limit(&lp_tail_lab, 1.0 / 240) - 6.71) < 0.01);
	assert_true(fabs(lp_tail_limit(&lp_tail_lab, 1.0 / 72000) - 10.7) <
		    0.01);
}

static void few_excesses_are_no_tail(void **state)
{
	struct lp_maxima *m = lp_maxima_new(6);
	struct lp_tail tail;

	(void)state;
	for (int h = 0; h < 9; h++)
		for (size_t i = 0; i < 6; i++)
			lp_maxima_add(m, h * HOUR_NS + 1, i, 3);
	assert_int_equal(tail_of(m, &tail), 0);
	assert_false(lp_tail_is_measured(&tail));
	lp_maxima_free(m);
}

static void distances_that_are_all_the_largest_are_no_tail(void **state)
{
	struct lp_maxima *m = lp_maxima_new(6);
	struct lp_tail tail;

	(void)state;
	for (int h = 0; h < 90; h++)
		for (size_t i = 0; i < 6; i++)
			lp_maxima_add(m, h * HOUR_NS + 1, i, h % 3 ? 10 : 4);
	assert_int_equal(tail_of(m, &tail), 0);
	assert_false(lp_tail_is_measured(&tail));
	lp_maxima_free(m);
}

static void hours_before_the_last_week_are_forgotten(void **state)
{
	struct lp_maxima *m = lp_maxima_new(6);
	struct lp_tail tail;

	(void)state;
	for (int h = 0; h < 200; h++)
		for (size_t i = 0; i < 6; i++)
			lp_maxima_add(m, h * HOUR_NS + 1, i,
				      h < 100 ? 3 + (double)i : 0.5);
	assert_int_equal(tail_of(m, &tail), 0);
	assert_int_equal(tail.excesses, 500);
	lp_maxima_forget(m);
	assert_int_equal(tail_of(m, &tail), 0);
	/* One of six in each hour may be ill. */
	assert_true(tail.hours == 5 * 168);
	assert_int_equal(tail.excesses, 5 * 68);
	lp_maxima_forget(m);
	assert_int_equal(tail_of(m, &tail), 0);
	assert_true(tail.hours == 5 * 168);
	lp_maxima_free(m);
}

/* Exponential above 2 with scale 1.5, and one component that is ill. */
static void a_tail_is_measured_without_those_that_are_ill(void **state)
{
	struct lp_maxima *m = lp_maxima_new(12);
	struct lp_tail tail;
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 1, 1);
	for (int h = 0; h < 400; h++)
		for (size_t i = 0; i < 12; i++)
			for (int b = 0; b < 3; b++)
				lp_maxima_add(
					m, h * HOUR_NS + 1 + b, i,
					i == 4 ? 50 + b
					: b    ? 0.1
					       : 2 - 1.5 * log(1 -
							       lp_random_uniform(
								       &r)));
	assert_int_equal(tail_of(m, &tail), 0);
	assert_true(lp_tail_is_measured(&tail));
	assert_true(tail.hours == 4000);
	/* The largest healthy one of each hour is left out, too. */
	assert_true(tail.scale > 0.7 && tail.scale < 1.5);
	assert_true(tail.from > 2.5 && tail.from < 3.5);
	assert_true(fabs(tail.rate - 0.5) < 0.01);
	lp_maxima_free(m);
}

static void an_hour_begins_after_its_first_nanosecond(void **state)
{
	struct lp_maxima *m = lp_maxima_new(3);
	struct lp_tail tail;

	(void)state;
	lp_maxima_add(m, HOUR_NS, 0, 3);
	lp_maxima_add(m, HOUR_NS + 1, 0, 4);
	assert_int_equal(tail_of(m, &tail), 0);
	/* Of each hour's only value the most extreme is left out. */
	assert_true(tail.hours == 0);
	lp_maxima_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_budget_is_of_the_whole_system_or_of_each_server),
		cmocka_unit_test(a_budget_that_is_none_is_refused),
		cmocka_unit_test(
			the_lab_s_tail_gives_the_limits_that_were_published),
		cmocka_unit_test(few_excesses_are_no_tail),
		cmocka_unit_test(
			distances_that_are_all_the_largest_are_no_tail),
		cmocka_unit_test(hours_before_the_last_week_are_forgotten),
		cmocka_unit_test(a_tail_is_measured_without_those_that_are_ill),
		cmocka_unit_test(an_hour_begins_after_its_first_nanosecond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
