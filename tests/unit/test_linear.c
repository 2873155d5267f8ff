/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "stats/linear.h"

#include <math.h>

static const double size[] = { 1, 16, 256, 1024, 4096 };
static const double time_ns[] = { 810, 790, 905, 1210, 2650 };
static const double weights[] = { 1, 2, 0.5, 3, 0.25 };

/* R 4.2: lm(time_ns ~ size), with weights, without an intercept. */
#define FREE_I 784.086550110184
#define FREE_C 0.453285230752657
#define WEIGHTED_I 778.215436919399
#define WEIGHTED_C 0.442106131264754
#define FIXED_C 0.478631155372763
#define FIXED_WEIGHTED_C 0.487264001948649

static void the_line_is_that_of_lm(void **state)
{
	struct lp_line line = lp_line_fit(size, time_ns, NULL, 5);

	(void)state;
	assert_true(fabs(line.intercept - FREE_I) < 1e-9);
	assert_true(fabs(line.slope - FREE_C) < 1e-12);
	assert_true(fabs(lp_line_at(&line, 100) - FREE_I - 100 * FREE_C) <
		    1e-9);
	line = lp_line_fit(size, time_ns, weights, 5);
	assert_true(fabs(line.intercept - WEIGHTED_I) < 1e-9);
	assert_true(fabs(line.slope - WEIGHTED_C) < 1e-12);
}

static void a_given_intercept_stays(void **state)
{
	struct lp_line line = lp_line_fit_from(size, time_ns, NULL, 5, 700);

	(void)state;
	assert_true(line.intercept == 700);
	assert_true(fabs(line.slope - FIXED_C) < 1e-12);
	line = lp_line_fit_from(size, time_ns, weights, 5, 700);
	assert_true(fabs(line.slope - FIXED_WEIGHTED_C) < 1e-12);
}

static void one_size_has_no_slope(void **state)
{
	const double x[] = { 4096, 4096 }, y[] = { 10, 20 };
	struct lp_line line = lp_line_fit(x, y, NULL, 2);

	(void)state;
	assert_true(line.intercept == 15 && line.slope == 0);
	line = lp_line_fit(x, y, NULL, 1);
	assert_true(line.intercept == 10 && line.slope == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_is_that_of_lm),
		cmocka_unit_test(a_given_intercept_stays),
		cmocka_unit_test(one_size_has_no_slope),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
