/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of blocks, by hand: one point a second, blocks of four. */
#include "unit.h"

#include "base/memory.h"
#include "detect/blocks.h"

#include <math.h>

#define POINTS 4
#define N 3

/* A rate per second, one in thousandths, and a mean. */
static const struct lp_metric requests = { .input = LP_INPUT_REQUESTS,
					   .scale = 1 };
static const struct lp_metric wait = { .input = LP_INPUT_WAIT, .scale = 1 };
static const struct lp_metric written = { .input = LP_INPUT_IN, .scale = 0.5 };
static const struct lp_metric sent = { .input = LP_INPUT_OUT, .scale = 1 };
static const struct lp_metric resent = { .input = LP_INPUT_RESENT, .scale = 1 };
static const struct lp_metric packets = { .input = LP_INPUT_RESENT_PACKETS,
					  .scale = 1 };

static struct lp_blocks *blocks_of(const struct lp_metric *const *metrics,
				   size_t n, double step_s)
{
	struct lp_blocks *b =
		lp_blocks_new(N, metrics, n, step_s, POINTS, NULL);

	assert_non_null(b);
	return b;
}

/* A point of two metrics. */
static void take2(struct lp_blocks *b, const double *first,
		  const double *second, double lossy)
{
	const double *rows[] = { first, second };

	lp_blocks_take(b, rows, lossy);
}

static void rates_become_sums_of_what_they_count(void **state)
{
	const struct lp_metric *metrics[] = { &requests, &written };
	struct lp_blocks *b = blocks_of(metrics, 2, 2);
	const struct lp_sums *sums;

	(void)state;
	for (size_t k = 0; k < POINTS; k++)
		take2(b, (double[N]){ 1, 10, (double)k },
		      (double[N]){ 1, 0, 3 }, 0);
	lp_blocks_end(b);
	sums = lp_blocks_sums(b, 1);
	/* 4 points of 2 s */
	assert_true(sums[0].v[LP_SUM_REQUESTS] == 8);
	assert_true(sums[1].v[LP_SUM_REQUESTS] == 80);
	assert_true(sums[2].v[LP_SUM_REQUESTS] == 12);
	/* the metric is half of what it counts */
	assert_true(sums[0].v[LP_SUM_IN] == 16);
	assert_true(sums[2].v[LP_SUM_IN] == 48);
	assert_int_equal(sums[0].present[LP_SUM_IN], 1);
	assert_int_equal(sums[0].present[LP_SUM_OUT], 0);
	assert_true(isnan(lp_sum_known(&sums[0], LP_SUM_OUT, 1)));
	lp_blocks_free(b);
}

static void half_of_the_points_stand_for_all(void **state)
{
	const struct lp_metric *metrics[] = { &requests, &written };
	struct lp_blocks *b = blocks_of(metrics, 2, 1);
	const struct lp_sums *sums;

	(void)state;
	for (size_t k = 0; k < POINTS; k++)
		take2(b, (double[N]){ 3, k < 2 ? 3 : NAN, k < 1 ? 3 : NAN },
		      (double[N]){ NAN, NAN, NAN }, 0);
	lp_blocks_end(b);
	sums = lp_blocks_sums(b, 1);
	assert_true(sums[0].v[LP_SUM_REQUESTS] == 12);
	assert_true(sums[1].v[LP_SUM_REQUESTS] == 12);
	assert_int_equal(sums[2].present[LP_SUM_REQUESTS], 0);
	lp_blocks_free(b);
}

static void times_of_requests_weigh_by_their_number(void **state)
{
	const struct lp_metric *metrics[] = { &requests, &wait };
	struct lp_blocks *b = blocks_of(metrics, 2, 1);
	const struct lp_sums *sums;

	(void)state;
	/* 1 of 100 ms, then 9 of 10 ms; the last is not counted at all */
	take2(b, (double[N]){ 1, 1, NAN }, (double[N]){ 100, 100, 6 }, 0);
	take2(b, (double[N]){ 9, 9, NAN }, (double[N]){ 10, 10, 6 }, 0);
	take2(b, (double[N]){ 0, 0, NAN }, (double[N]){ 0, 0, 2 }, 0);
	take2(b, (double[N]){ 0, 0, NAN }, (double[N]){ 0, 0, 2 }, 0);
	lp_blocks_end(b);
	sums = lp_blocks_sums(b, 1);
	assert_true(sums[0].v[LP_SUM_WAIT_MS] == 190);
	assert_int_equal(sums[0].present[LP_SUM_LEVEL_MS], 0);
	assert_true(sums[2].v[LP_SUM_LEVEL_MS] == 4);
	assert_int_equal(sums[2].present[LP_SUM_REQUESTS], 0);
	lp_blocks_free(b);
}

static void points_are_lossy_by_the_share_of_bytes(void **state)
{
	const struct lp_metric *metrics[] = { &sent, &resent };
	struct lp_blocks *b = blocks_of(metrics, 2, 1);
	const struct lp_sums *sums;

	(void)state;
	/* below, at and above 1 %; the last one sends nothing */
	for (size_t k = 0; k < POINTS; k++)
		take2(b, (double[N]){ 1000, 1000, 0 },
		      (double[N]){ k ? 10 : 11, k ? 100 : 0, 0 }, 0.01);
	lp_blocks_end(b);
	sums = lp_blocks_sums(b, 1);
	assert_true(sums[0].v[LP_SUM_LOSSY] == 1);
	assert_true(sums[1].v[LP_SUM_LOSSY] == 3);
	assert_true(sums[0].v[LP_SUM_ACTIVE] == 4);
	assert_true(sums[2].v[LP_SUM_ACTIVE] == 0);
	assert_true(sums[1].v[LP_SUM_RESENT] == 300);
	lp_blocks_free(b);
}

static void packets_stand_for_bytes_that_nobody_counted(void **state)
{
	const struct lp_metric *metrics[] = { &sent, &packets };
	struct lp_blocks *b = blocks_of(metrics, 2, 1);
	const struct lp_sums *sums;

	(void)state;
	for (size_t k = 0; k < POINTS; k++)
		take2(b, (double[N]){ 1e6, 1e6, NAN }, (double[N]){ 1, 0, 1 },
		      0.001);
	lp_blocks_end(b);
	sums = lp_blocks_sums(b, 1);
	assert_true(sums[0].v[LP_SUM_RESENT] == 4 * 1448);
	assert_true(sums[0].v[LP_SUM_LOSSY] == 4);
	assert_int_equal(sums[2].present[LP_SUM_RESENT], 0);
	lp_blocks_free(b);
}

static void a_sum_of_blocks_leaves_out_missing_ones(void **state)
{
	const struct lp_metric *metrics[] = { &requests, &written };
	struct lp_blocks *b = blocks_of(metrics, 2, 1);
	const struct lp_sums *sums;

	(void)state;
	for (size_t block = 0; block < 5; block++) {
		double v = block % 2 ? NAN : (double)block;

		for (size_t k = 0; k < POINTS; k++)
			take2(b, (double[N]){ (double)block, v, NAN },
			      (double[N]){ 0, 0, 0 }, 0);
		lp_blocks_end(b);
	}
	sums = lp_blocks_sums(b, 4);
	assert_true(sums[0].v[LP_SUM_REQUESTS] == 4 * (1 + 2 + 3 + 4));
	assert_true(sums[1].v[LP_SUM_REQUESTS] == 4 * (2 + 4));
	assert_int_equal(sums[1].present[LP_SUM_REQUESTS], 2);
	/* two of four are known, of five too few would be */
	assert_true(lp_sum_known(&sums[1], LP_SUM_REQUESTS, 4) == 24);
	assert_true(isnan(lp_sum_known(&sums[1], LP_SUM_REQUESTS, 5)));
	assert_true(isnan(lp_sum_known(&sums[2], LP_SUM_REQUESTS, 4)));
	assert_int_equal(lp_blocks_count(b), 5);
	lp_blocks_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_become_sums_of_what_they_count),
		cmocka_unit_test(half_of_the_points_stand_for_all),
		cmocka_unit_test(times_of_requests_weigh_by_their_number),
		cmocka_unit_test(points_are_lossy_by_the_share_of_bytes),
		cmocka_unit_test(packets_stand_for_bytes_that_nobody_counted),
		cmocka_unit_test(a_sum_of_blocks_leaves_out_missing_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
