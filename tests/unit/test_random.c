/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "stats/random.h"

#include <math.h>

#define N 200000

static struct lp_random seeded(uint64_t seed, uint64_t stream)
{
	struct lp_random random;

	lp_random_init(&random, seed, stream);
	return random;
}

static void assert_near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%g is not within %g of %g", a, tolerance, b);
}

/* Mean and variance of N draws of one distribution. */
static void moments(double (*draw)(struct lp_random *), double *mean,
		    double *variance)
{
	struct lp_random random = seeded(1, 2);
	double sum = 0, squares = 0;

	for (int i = 0; i < N; i++) {
		double x = draw(&random);

		sum += x;
		squares += x * x;
	}
	*mean = sum / N;
	*variance = squares / N - *mean * *mean;
}

/* From the authors' own xoshiro256starstar.c with the state 1, 2, 3, 4. */
static void the_generator_is_xoshiro256_starstar(void **state)
{
	struct lp_random random = { .state = { 1, 2, 3, 4 } };

	(void)state;
	assert_int_equal(lp_random_u64(&random), 11520);
	assert_int_equal(lp_random_u64(&random), 0);
	assert_int_equal(lp_random_u64(&random), 1509978240);
	assert_int_equal(lp_random_u64(&random), 1215971899390074240);
}

static void equal_seeds_give_equal_numbers_and_others_do_not(void **state)
{
	struct lp_random a = seeded(7, 1), b = seeded(7, 1);
	struct lp_random c = seeded(7, 2), d = seeded(8, 1);

	(void)state;
	for (int i = 0; i < 100; i++) {
		uint64_t x = lp_random_u64(&a);

		assert_true(x == lp_random_u64(&b));
		assert_true(x != lp_random_u64(&c));
		assert_true(x != lp_random_u64(&d));
	}
}

static void neighbouring_streams_are_not_correlated(void **state)
{
	struct lp_random a = seeded(7, 1), b = seeded(7, 2);
	double sum = 0;

	(void)state;
	for (int i = 0; i < N; i++)
		sum += lp_random_normal(&a) * lp_random_normal(&b);
	assert_near(sum / N, 0, 5 / sqrt(N));
}

static double cubic(struct lp_random *random)
{
	return lp_random_lognormal(random, 0.5);
}

static double tail(struct lp_random *random)
{
	return lp_random_pareto(random, 5);
}

static double few(struct lp_random *random)
{
	return lp_random_poisson(random, 2.5);
}

static double many(struct lp_random *random)
{
	return lp_random_poisson(random, 400);
}

/* Five standard errors of mean and variance, from the fourth moments. */
static void distributions_have_their_means_and_variances(void **state)
{
	double s = 5 / sqrt(N), e = exp(0.25), mean, variance;

	(void)state;
	moments(lp_random_uniform, &mean, &variance);
	assert_near(mean, 0.5, 0.3 * s);
	assert_near(variance, 1 / 12.0, 0.08 * s);
	moments(lp_random_normal, &mean, &variance);
	assert_near(mean, 0, s);
	assert_near(variance, 1, 1.5 * s);
	moments(lp_random_exponential, &mean, &variance);
	assert_near(mean, 1, s);
	assert_near(variance, 1, 3 * s);
	moments(cubic, &mean, &variance);
	assert_near(mean, exp(0.125), 0.7 * s);
	assert_near(variance, (e - 1) * e, 2 * s);
	moments(tail, &mean, &variance);
	assert_near(mean, 5 / 4.0, 0.4 * s);
	moments(few, &mean, &variance);
	assert_near(mean, 2.5, 1.6 * s);
	assert_near(variance, 2.5, 4 * s);
	moments(many, &mean, &variance);
	assert_near(mean, 400, 20 * s);
	assert_near(variance, 400, 600 * s);
}

static void tails_are_as_heavy_as_asked_for(void **state)
{
	struct lp_random random = seeded(3, 4);
	int over = 0;

	(void)state;
	for (int i = 0; i < N; i++)
		over += lp_random_pareto(&random, 1.5) > 10;
	assert_near((double)over / N, pow(10, -1.5), 0.002);
}

static void no_rate_means_no_events(void **state)
{
	struct lp_random random = seeded(3, 4);

	(void)state;
	assert_true(lp_random_poisson(&random, 0) == 0);
	assert_true(lp_random_poisson(&random, -1) == 0);
	assert_true(lp_random_poisson(&random, NAN) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_generator_is_xoshiro256_starstar),
		cmocka_unit_test(
			equal_seeds_give_equal_numbers_and_others_do_not),
		cmocka_unit_test(neighbouring_streams_are_not_correlated),
		cmocka_unit_test(distributions_have_their_means_and_variances),
		cmocka_unit_test(tails_are_as_heavy_as_asked_for),
		cmocka_unit_test(no_rate_means_no_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
