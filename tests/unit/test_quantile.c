/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "stats/quantile.h"
#include "stats/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void quartiles_are_those_of_r_type_7(void **state)
{
	/* R 4.2: quantile(c(1, 2, 4, 8, 16, 32)) */
	double x[] = { 32, 1, 16, 2, 8, 4 };

	(void)state;
	assert_true(lp_quantile(x, 6, 0) == 1);
	assert_true(lp_quantile(x, 6, 0.25) == 2.5);
	assert_true(lp_quantile(x, 6, 0.5) == 6);
	assert_true(lp_quantile(x, 6, 0.75) == 14);
	assert_true(lp_quantile(x, 6, 1) == 32);
	assert_true(lp_iqr(x, 6) == 11.5);
}

static void the_mad_is_not_scaled(void **state)
{
	double x[] = { 1, 1, 2, 2, 4, 6, 9 };

	(void)state;
	assert_true(lp_mad(x, 7) == 1);
}

static void nothing_has_no_quantile(void **state)
{
	(void)state;
	assert_true(isnan(lp_quantile(NULL, 0, 0.5)));
	assert_true(isnan(lp_quantile_sorted(NULL, 0, 0.5)));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void the_median_of_few_is_the_median(void **state)
{
	double x[100], y[100];

	(void)state;
	srand(3);
	for (int round = 0; round < 5000; round++) {
		size_t n = 1 + (size_t)rand() % lp_array_size(x);
		int distinct = 1 + rand() % 300;

		for (size_t i = 0; i < n; i++)
			x[i] = y[i] = rand() % distinct / 7.0;
		assert_true(lp_median_few(x, n) == lp_median(y, n));
	}
}

static void selection_agrees_with_sorting_on_random_input(void **state)
{
	double x[200], sorted[200];

	(void)state;
	srand(1);
	for (int round = 0; round < 2000; round++) {
		size_t n = 1 + (size_t)rand() % lp_array_size(x);
		int distinct = 1 + rand() % 300;
		double p = (double)(rand() % 1001) / 1000;

		for (size_t i = 0; i < n; i++)
			x[i] = rand() % distinct;
		memcpy(sorted, x, n * sizeof(*x));
		qsort(sorted, n, sizeof(*sorted), by_value);
		assert_true(lp_quantile(x, n, p) ==
			    lp_quantile_sorted(sorted, n, p));
	}
}

/* Idle, tied, negative, and over all the exponents a double has. */
static double draw(int shape)
{
	double u = (double)(1 + rand() % 10000) / 10001;

	switch (shape) {
	case 0:
		return rand() % 3 ? 0 : u;
	case 1:
		return rand() % 5 - 2;
	case 2:
		return rand() % 2 ? -u : u;
	case 3:
		return ldexp(u, rand() % 2000 - 1000);
	default:
		return 5;
	}
}

static void quantiles_of_many_numbers_agree_with_sorting(void **state)
{
	enum { MOST = 20000 };
	lp_auto_free double *x = calloc(MOST, sizeof(*x));
	lp_auto_free double *sorted = calloc(MOST, sizeof(*sorted));

	(void)state;
	srand(6);
	for (int round = 0; round < 60; round++) {
		size_t n = 2000 + (size_t)rand() % (MOST - 2000);
		double p = (double)(rand() % 1001) / 1000;

		for (size_t i = 0; i < n; i++)
			sorted[i] = x[i] = draw(round % 5);
		qsort(sorted, n, sizeof(*sorted), by_value);
		assert_true(lp_quantile(x, n, p) ==
			    lp_quantile_sorted(sorted, n, p));
		memcpy(x, sorted, n * sizeof(*x));
		assert_true(lp_iqr(x, n) ==
			    lp_quantile_sorted(sorted, n, 0.75) -
				    lp_quantile_sorted(sorted, n, 0.25));
	}
}

/* The numbers stay as they are; a range may be wider than they need. */
static void the_iqr_within_a_range_is_the_iqr(void **state)
{
	enum { MOST = 20000 };
	lp_auto_free double *x = calloc(MOST, sizeof(*x));
	lp_auto_free double *sorted = calloc(MOST, sizeof(*sorted));
	lp_auto_free double *scratch = calloc(MOST, sizeof(*scratch));

	(void)state;
	srand(8);
	assert_true(isnan(lp_iqr_of(x, 0, 0, 0, scratch)));
	for (int round = 0; round < 60; round++) {
		size_t n = 1 + (size_t)rand() % MOST;
		double wider = round % 2 ? 1000 : 0;

		for (size_t i = 0; i < n; i++) {
			double v = draw(round % 5);

			/* Both zeros are drawn, and either may be an end. */
			sorted[i] = x[i] = v == 0 && rand() % 2 ? -0.0 : v;
		}
		qsort(sorted, n, sizeof(*sorted), by_value);
		assert_true(lp_iqr_of(x, n, sorted[0] - wider,
				      sorted[n - 1] + wider, scratch) ==
			    lp_quantile_sorted(sorted, n, 0.75) -
				    lp_quantile_sorted(sorted, n, 0.25));
		qsort(x, n, sizeof(*x), by_value);
		for (size_t i = 0; i < n; i++)
			assert_true(x[i] == sorted[i]);
	}
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void whole_numbers_are_sorted_as_qsort_does(void **state)
{
	uint32_t x[500], sorted[500], scratch[500];

	(void)state;
	srand(7);
	for (int round = 0; round < 500; round++) {
		size_t n = (size_t)rand() % lp_array_size(x);
		int bits = rand() % 32;

		for (size_t i = 0; i < n; i++)
			sorted[i] = x[i] = (uint32_t)rand() * 2u >> bits;
		qsort(sorted, n, sizeof(*sorted), by_size);
		lp_sort_u32(x, n, scratch);
		assert_memory_equal(x, sorted, n * sizeof(*x));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quartiles_are_those_of_r_type_7),
		cmocka_unit_test(the_mad_is_not_scaled),
		cmocka_unit_test(nothing_has_no_quantile),
		cmocka_unit_test(the_median_of_few_is_the_median),
		cmocka_unit_test(selection_agrees_with_sorting_on_random_input),
		cmocka_unit_test(quantiles_of_many_numbers_agree_with_sorting),
		cmocka_unit_test(the_iqr_within_a_range_is_the_iqr),
		cmocka_unit_test(whole_numbers_are_sorted_as_qsort_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
