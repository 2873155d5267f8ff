/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "stats/poisson.h"

#include <math.h>

static void assert_near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance * fabs(b)))
		fail_msg("%.15g is not within %g of %.15g", a, tolerance, b);
}

/* R: pgamma(x, a) */
static void gamma_is_that_of_r(void **state)
{
	(void)state;
	assert_near(lp_gamma_incomplete(0.5, 0.1), 0.3452791539814229, 1e-12);
	assert_near(lp_gamma_incomplete(2, 0.5), 0.09020401043104988, 1e-12);
	assert_near(lp_gamma_incomplete(2, 3), 0.80085172652854419, 1e-12);
	assert_near(lp_gamma_incomplete(10, 12.5), 0.79856889505446416, 1e-12);
	assert_near(lp_gamma_incomplete(50, 40), 0.07033506665939496, 1e-11);
	assert_true(lp_gamma_incomplete(3, 0) == 0);
}

/* R: qchisq(p, degrees) */
static void chi_square_quantiles_are_those_of_r(void **state)
{
	(void)state;
	assert_near(lp_chi_square_quantile(0.025, 2), 0.05063561596857975,
		    1e-10);
	assert_near(lp_chi_square_quantile(0.975, 2), 7.37775890822787073,
		    1e-12);
	assert_near(lp_chi_square_quantile(0.025, 20), 9.590777392264867,
		    1e-12);
	assert_near(lp_chi_square_quantile(0.999, 1), 10.82756617066273, 1e-11);
}

/* R: poisson.test(k)$conf.int */
static void intervals_are_garwoods(void **state)
{
	static const struct {
		size_t events;
		double low, high;
	} known[] = {
		{ 0, 0, 3.688879454113935 },
		{ 1, 0.02531780798428988, 5.57164339093889893 },
		{ 2, 0.2422092785439649, 7.2246876677239582 },
		{ 10, 4.795388696132433, 18.390356042017778 },
		{ 464, 422.7360694492027, 508.2034216017971 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		double low, high;

		lp_poisson_interval(known[i].events, 0.95, &low, &high);
		assert_near(low, known[i].low, 1e-10);
		assert_near(high, known[i].high, 1e-10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gamma_is_that_of_r),
		cmocka_unit_test(chi_square_quantiles_are_those_of_r),
		cmocka_unit_test(intervals_are_garwoods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
