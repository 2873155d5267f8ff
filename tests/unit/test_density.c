/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "stats/density.h"
#include "stats/quantile.h"
#include "stats/random.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MANY 20000

/* Two clusters, a long tail and ties: what durations look like. */
static void make_numbers(double *x, size_t n, uint64_t seed)
{
	struct lp_random random;
	double spread;

	lp_random_init(&random, seed, 0);
	spread = exp(3 * lp_random_normal(&random) - 2);
	for (size_t i = 0; i < n; i++) {
		double kind = lp_random_uniform(&random);
		double v = spread * lp_random_normal(&random);

		if (kind < 0.3)
			v = 4 + 2 * v;
		else if (kind < 0.32)
			v = 4 + 3 * lp_random_exponential(&random);
		else if (kind < 0.4)
			v = 0.25;
		x[i] = 10 + v;
	}
}

static double peak_of(const struct lp_density *d, double *at, double *value)
{
	double peak = 0;

	lp_density_grid(d, LP_DENSITY_POINTS, at, value);
	for (size_t i = 0; i < LP_DENSITY_POINTS; i++)
		peak = fmax(peak, value[i]);
	return peak;
}

static void cells_agree_with_the_sum_as_it_stands(void **state)
{
	static double x[MANY];
	double at[LP_DENSITY_POINTS], value[LP_DENSITY_POINTS];

	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		size_t n = seed < 10 ? 2 + seed : MANY / seed;
		struct lp_density d;
		double peak;

		make_numbers(x, n, seed);
		assert_int_equal(lp_density_init(&d, x, n, 2), 0);
		peak = peak_of(&d, at, value);
		assert_true(d.error <= 1e-12 * peak);
		for (size_t i = 0; i < LP_DENSITY_POINTS; i += 3) {
			double direct =
				lp_density_direct(x, n, d.bandwidth, at[i]);

			assert_true(fabs(value[i] - direct) <=
				    d.error + 1e-13 * peak);
		}
		lp_density_done(&d);
	}
}

static void the_slope_is_that_of_the_density(void **state)
{
	static double x[MANY];
	struct lp_density d;
	double from, to;

	(void)state;
	make_numbers(x, 500, 7);
	assert_int_equal(lp_density_init(&d, x, 500, 1), 0);
	lp_density_range(&d, &from, &to);
	for (double t = from; t < to; t += (to - from) / 97) {
		double e = 1e-5 * d.bandwidth;
		double slope = (lp_density_direct(x, 500, d.bandwidth, t + e) -
				lp_density_direct(x, 500, d.bandwidth, t - e)) /
			       (2 * e);

		assert_true(fabs(lp_density_slope(&d, t) - slope) <
			    1e-7 / d.bandwidth / d.bandwidth);
	}
	lp_density_done(&d);
}

/* R 4.2: x <- c(1, 2, 4, 8, 16, 32); bw.nrd0(x) */
static void the_bandwidth_is_that_of_r(void **state)
{
	const double x[] = { 32, 1, 16, 2, 8, 4 };
	const double same[] = { 3, 3, 3 }, nought[] = { 0, 0 };
	struct lp_density d;

	(void)state;
	assert_int_equal(lp_density_init(&d, x, 6, 1), 0);
	assert_true(fabs(d.bandwidth - 5.39765722335) < 1e-10);
	assert_true(fabs(d.iqr - 11.5) < 1e-15);
	lp_density_done(&d);
	/* No spread at all: R takes the first number, or 1. */
	assert_int_equal(lp_density_init(&d, same, 3, 1), 0);
	assert_true(fabs(d.bandwidth - 2.7 * pow(3, -0.2)) < 1e-12);
	lp_density_done(&d);
	assert_int_equal(lp_density_init(&d, nought, 2, 1), 0);
	assert_true(fabs(d.bandwidth - 0.9 * pow(2, -0.2)) < 1e-12);
	lp_density_done(&d);
}

static void quartiles_from_cells_are_exact(void **state)
{
	static double x[MANY], copy[MANY];

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		size_t n = MANY / seed;
		struct lp_density d;

		make_numbers(x, n, seed + 100);
		memcpy(copy, x, n * sizeof(*x));
		assert_int_equal(lp_density_init(&d, x, n, 2), 0);
		assert_true(d.iqr == lp_iqr(copy, n));
		lp_density_done(&d);
	}
}

static void extrema_alternate_and_the_slope_is_nought_there(void **state)
{
	static double x[MANY];

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct lp_extremum *e;
		struct lp_density d;
		size_t n;

		make_numbers(x, 3000, seed);
		assert_int_equal(lp_density_init(&d, x, 3000, 1), 0);
		assert_int_equal(lp_density_extrema(&d, &e, &n), 0);
		assert_int_equal(n % 2, 1);
		for (size_t i = 0; i < n; i++) {
			double h = 1e-3 * d.bandwidth, v = e[i].value;
			double sign = e[i].is_maximum ? 1 : -1;

			assert_int_equal(e[i].is_maximum, i % 2 == 0);
			assert_true((v - lp_density_at(&d, e[i].at - h)) *
					    sign >=
				    -2 * d.error);
			assert_true((v - lp_density_at(&d, e[i].at + h)) *
					    sign >=
				    -2 * d.error);
		}
		free(e);
		lp_density_done(&d);
	}
}

static void far_outliers_do_not_need_endless_cells(void **state)
{
	double x[1000];
	struct lp_extremum *e;
	struct lp_density d;
	size_t n;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		x[i] = 1 + 1e-12 * (double)i;
	x[999] = 1e9;
	assert_int_equal(lp_density_init(&d, x, 1000, 2), 0);
	assert_true(d.bandwidth >= 1e9 / 20001);
	assert_int_equal(lp_density_extrema(&d, &e, &n), 0);
	assert_int_equal(n, 3);
	assert_true(fabs(e[0].at - 1) < 1e-3);
	assert_true(fabs(e[2].at - 1e9) < 1e-3 * d.bandwidth);
	free(e);
	lp_density_done(&d);
}

static void numbers_that_have_no_density_are_refused(void **state)
{
	double x[] = { 1, NAN, 2 }, y[] = { 1, 2, -INFINITY };
	struct lp_density d = { 0 };

	(void)state;
	assert_int_equal(lp_density_init(&d, x, 0, 1), -EINVAL);
	assert_int_equal(lp_density_init(&d, x, 1, 1), -EINVAL);
	assert_int_equal(lp_density_init(&d, x, 3, 1), -EINVAL);
	assert_int_equal(lp_density_init(&d, y, 3, 1), -EINVAL);
	lp_density_done(&d);
}

static void the_fall_is_found_where_it_is(void **state)
{
	static double x[MANY];
	struct lp_density d;
	double at, value;

	(void)state;
	make_numbers(x, MANY, 5);
	assert_int_equal(lp_density_init(&d, x, MANY, 2), 0);
	value = 0.01 * lp_density_at(&d, 10);
	at = lp_density_falls_to(&d, 10, 1000, value);
	assert_true(lp_density_at(&d, at) <= value);
	assert_true(lp_density_at(&d, at - 2e-9 * d.bandwidth) > value);
	assert_true(lp_density_falls_to(&d, 10, 10.001, value / 1e6) == 10.001);
	at = lp_density_falls_to(&d, 10, -1000, value);
	assert_true(at < 10);
	assert_true(lp_density_at(&d, at) <= value);
	assert_true(lp_density_at(&d, at + 2e-9 * d.bandwidth) > value);
	assert_true(lp_density_falls_to(&d, 10, 9.999, value / 1e6) == 9.999);
	lp_density_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_agree_with_the_sum_as_it_stands),
		cmocka_unit_test(the_slope_is_that_of_the_density),
		cmocka_unit_test(the_bandwidth_is_that_of_r),
		cmocka_unit_test(quartiles_from_cells_are_exact),
		cmocka_unit_test(
			extrema_alternate_and_the_slope_is_nought_there),
		cmocka_unit_test(far_outliers_do_not_need_endless_cells),
		cmocka_unit_test(numbers_that_have_no_density_are_refused),
		cmocka_unit_test(the_fall_is_found_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
