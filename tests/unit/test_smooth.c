/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "stats/random.h"
#include "stats/smooth.h"

#include <math.h>
#include <stdlib.h>

static double mean_of_last(const double *x, size_t n, size_t t, size_t i,
			   size_t width)
{
	size_t present = 0;
	double sum = 0;

	for (size_t back = width; back-- > 0;)
		if (back <= t && isfinite(x[(t - back) * n + i])) {
			sum += x[(t - back) * n + i];
			present++;
		}
	return 2 * present < width ? NAN : sum / (double)present;
}

static double draw(struct lp_random *r)
{
	double u = lp_random_uniform(r);

	if (u < 0.2)
		return NAN;
	if (u < 0.22)
		return u < 0.21 ? INFINITY : -INFINITY;
	return u < 0.5 ? 0 : lp_random_pareto(r, 0.3) * (u < 0.6 ? -1 : 1);
}

static void one_round(struct lp_random *r, size_t n, size_t width,
		      size_t points)
{
	double *x = calloc(n * points, sizeof(*x));
	double *means = calloc(n, sizeof(*means));
	struct lp_smooth *s = lp_smooth_new(n, width);

	for (size_t k = 0; k < n * points; k++)
		x[k] = draw(r);
	for (size_t t = 0; t < points; t++) {
		lp_smooth_push(s, x + t * n, means);
		for (size_t i = 0; i < n; i++) {
			double plain = mean_of_last(x, n, t, i, width);

			assert_true(isnan(plain) ? isnan(means[i])
						 : plain == means[i]);
		}
	}
	lp_smooth_free(s);
	free(means);
	free(x);
}

/* A series by itself gives the same. */
static void one_series(struct lp_random *r, size_t width, size_t points)
{
	double *x = calloc(points + 1, sizeof(*x));
	double *means = calloc(points + 1, sizeof(*means));
	size_t n = points < width ? 0 : points - width + 1;

	for (size_t t = 0; t < points; t++)
		x[t] = draw(r);
	lp_smooth_series(x, width, means, n);
	for (size_t t = 0; t < n; t++) {
		double plain = mean_of_last(x, 1, t + width - 1, 0, width);

		assert_true(isnan(plain) ? isnan(means[t]) : plain == means[t]);
	}
	free(means);
	free(x);
}

static void means_are_to_the_bit_what_a_plain_loop_gives(void **state)
{
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 2, 1);
	for (int round = 0; round < 200; round++)
		one_round(&r, 1 + (size_t)(40 * lp_random_uniform(&r)),
			  1 + (size_t)(20 * lp_random_uniform(&r)), 60);
	one_round(&r, 100, 31, 100);
	for (size_t width = 1; width < 40; width++)
		one_series(&r, width, 100);
}

static void half_of_the_samples_are_enough(void **state)
{
	struct lp_smooth *s = lp_smooth_new(1, 4);
	double mean;

	(void)state;
	lp_smooth_push(s, &(double){ 2 }, &mean);
	assert_true(isnan(mean));
	lp_smooth_push(s, &(double){ 4 }, &mean);
	assert_true(mean == 3);
	lp_smooth_free(s);
}

static void a_large_sample_leaves_nothing_behind(void **state)
{
	struct lp_smooth *s = lp_smooth_new(1, 3);
	double mean;

	(void)state;
	lp_smooth_push(s, &(double){ 1e300 }, &mean);
	for (int k = 0; k < 3; k++)
		lp_smooth_push(s, &(double){ 0.1 }, &mean);
	assert_true(mean == (0.1 + 0.1 + 0.1) / 3);
	lp_smooth_free(s);
}

static void a_mean_too_large_for_a_double_is_missing(void **state)
{
	struct lp_smooth *s = lp_smooth_new(1, 2);
	double mean;

	(void)state;
	lp_smooth_push(s, &(double){ 1.5e308 }, &mean);
	lp_smooth_push(s, &(double){ 1.5e308 }, &mean);
	assert_true(isnan(mean));
	lp_smooth_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_to_the_bit_what_a_plain_loop_gives),
		cmocka_unit_test(half_of_the_samples_are_enough),
		cmocka_unit_test(a_large_sample_leaves_nothing_behind),
		cmocka_unit_test(a_mean_too_large_for_a_double_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
