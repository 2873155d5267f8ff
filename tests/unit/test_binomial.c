/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "stats/binomial.h"

#include <math.h>

static void assert_near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.15g is not within %g of %.15g", a, tolerance, b);
}

static void beta_with_whole_numbers_is_a_polynomial(void **state)
{
	(void)state;
	assert_near(lp_beta_incomplete(0.3, 1, 1), 0.3, 1e-15);
	assert_near(lp_beta_incomplete(0.3, 2, 1), 0.09, 1e-15);
	assert_near(lp_beta_incomplete(0.3, 1, 3), 1 - 0.7 * 0.7 * 0.7, 1e-14);
	/* 3x^2 - 2x^3 */
	assert_near(lp_beta_incomplete(0.9, 2, 2), 3 * 0.81 - 2 * 0.729, 1e-14);
	assert_true(lp_beta_incomplete(0, 2, 2) == 0);
	assert_true(lp_beta_incomplete(1, 2, 2) == 1);
}

/* I_x(a, b) = 1 - I_{1-x}(b, a), and the sum of binomial probabilities. */
static void beta_is_the_tail_of_a_binomial(void **state)
{
	double p = 0.37, sum = 0;

	(void)state;
	for (int k = 12; k <= 40; k++)
		sum += exp(lgamma(41) - lgamma(k + 1) - lgamma(41 - k) +
			   k * log(p) + (40 - k) * log(1 - p));
	assert_near(lp_beta_incomplete(p, 12, 29), sum, 1e-13);
	assert_near(lp_beta_incomplete(1 - p, 29, 12), 1 - sum, 1e-13);
}

static void quantiles_invert_the_function(void **state)
{
	(void)state;
	for (double p = 0.01; p < 1; p += 0.07)
		assert_near(
			lp_beta_incomplete(lp_beta_quantile(p, 7, 3.5), 7, 3.5),
			p, 1e-13);
}

/* R's binom.test(x, n)$conf.int. */
static void intervals_are_those_of_r(void **state)
{
	double low, high;

	(void)state;
	lp_binomial_interval(7, 10, 0.95, &low, &high);
	assert_near(low, 0.3475471499, 1e-9);
	assert_near(high, 0.9332604888, 1e-9);
	lp_binomial_interval(0, 10, 0.95, &low, &high);
	assert_near(low, 0, 0);
	assert_near(high, 1 - pow(0.025, 0.1), 1e-12);
	lp_binomial_interval(10, 10, 0.95, &low, &high);
	assert_near(low, pow(0.025, 0.1), 1e-12);
	assert_near(high, 1, 0);
	lp_binomial_interval(0, 0, 0.95, &low, &high);
	assert_true(low == 0 && high == 1);
}

/* Each end leaves 2.5 % beyond it. */
static void ends_leave_their_share_of_the_probability(void **state)
{
	double low, high;

	(void)state;
	lp_binomial_interval(232, 300, 0.95, &low, &high);
	assert_near(lp_beta_incomplete(low, 232, 69), 0.025, 1e-12);
	assert_near(1 - lp_beta_incomplete(high, 233, 68), 0.025, 1e-12);
	assert_true(low < 232 / 300.0 && 232 / 300.0 < high);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beta_with_whole_numbers_is_a_polynomial),
		cmocka_unit_test(beta_is_the_tail_of_a_binomial),
		cmocka_unit_test(quantiles_invert_the_function),
		cmocka_unit_test(intervals_are_those_of_r),
		cmocka_unit_test(ends_leave_their_share_of_the_probability),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
