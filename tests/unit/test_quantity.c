/* SPDX-License-Identifier: Apache-2.0 */
/* Residuals of quantities, by hand. */
#include "unit.h"

#include "base/memory.h"
#include "detect/quantity.h"
#include "stats/quantile.h"
#include "stats/random.h"

#include <math.h>
#include <string.h>

#define N 5

/* But for rounding. */
static bool near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

static const struct lp_metric *quantity(const struct lp_class *class,
					const char *name)
{
	const struct lp_metric *metric = lp_class_quantity(class, name);

	assert_non_null(metric);
	return metric;
}

static void know(struct lp_sums *s, enum lp_sum which, double v,
		 uint16_t blocks)
{
	s->v[which] = v;
	s->present[which] = blocks;
}

static struct lp_sums disk(double busy_ms, double requests, double sectors)
{
	struct lp_sums s = { 0 };

	know(&s, LP_SUM_BUSY_MS, busy_ms, 1);
	know(&s, LP_SUM_REQUESTS, requests, 1);
	know(&s, LP_SUM_WAIT_MS, 2 * busy_ms, 1);
	know(&s, LP_SUM_IN, sectors / 4, 1);
	know(&s, LP_SUM_OUT, sectors * 3 / 4, 1);
	return s;
}

static void residuals(const struct lp_metric *metric,
		      const struct lp_sums *sums, double *r)
{
	double scratch[6 * N];

	lp_quantity_residuals(metric, sums, N, 1, 10, r, scratch);
}

static void medians_leave_out_the_component(void **state)
{
	const double y[N] = { 1, 2, NAN, 8, 16 };
	const double odd[N] = { 3, 1, 4, 1, 5 };
	double others[N], scratch[N];

	(void)state;
	lp_medians_of_others(y, N, others, scratch);
	assert_true(others[0] == 8 && others[1] == 8);
	assert_true(others[3] == 2 && others[4] == 2);
	assert_true(isnan(others[2]));
	lp_medians_of_others(odd, N, others, scratch);
	/* of 1 1 4 5; of 1 3 4 5; of 1 1 3 5; of 1 1 3 4 */
	assert_true(others[0] == 2.5 && others[1] == 3.5);
	assert_true(others[2] == 2 && others[3] == 3.5 && others[4] == 2);
	lp_medians_of_others((double[]){ 1, NAN, 2 }, 3, others, scratch);
	assert_true(isnan(others[0]) && isnan(others[2]));
}

/* As leaving out one and looking for the median of the rest. */
static double slow_median(const double *y, size_t n, size_t except)
{
	double rest[3000];
	size_t m = 0;

	for (size_t j = 0; j < n; j++)
		if (j != except && !isnan(y[j]))
			rest[m++] = y[j];
	return m < 2 ? NAN : lp_median(rest, m);
}

static void check_medians(const double *y, size_t n, size_t stride)
{
	static double others[3000], scratch[3000];

	lp_medians_of_others(y, n, others, scratch);
	for (size_t i = 0; i < n; i += stride) {
		double want = isnan(y[i]) ? NAN : slow_median(y, n, i);

		assert_true(others[i] == want ||
			    (isnan(others[i]) && isnan(want)));
	}
}

static void medians_of_others_agree_with_leaving_each_out(void **state)
{
	static double y[3000];
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 3, 4);
	for (int round = 0; round < 500; round++) {
		bool many = round % 50 == 49;
		size_t n = many ? 2900 + (size_t)round % 3
				: 3 + (size_t)round % 60;

		for (size_t i = 0; i < n; i++) {
			y[i] = lp_random_normal(&r);
			if (round % 3 == 0)
				y[i] = floor(3 * y[i]);
			if (lp_random_uniform(&r) < 0.1)
				y[i] = NAN;
		}
		check_medians(y, n, many ? 97 : 1);
	}
}

static void service_is_the_smaller_excess(void **state)
{
	const struct lp_metric *service = quantity(&lp_class_disk, "service");
	/* others: 5 ms a request, 0.01 ms a sector */
	struct lp_sums sums[N] = {
		disk(500, 100, 50000),        disk(500, 100, 50000),
		disk(500, 100, 50000),        disk(500, 100, 50000),
		disk(1500, 100, 50000 * 1.5),
	};
	double r[N];

	(void)state;
	/* three times the time per request, twice that per sector */
	residuals(service, sums, r);
	assert_true(near(r[4], log(2)));
	assert_true(r[0] == 0);
	/* larger requests: more time for each, less for each sector */
	sums[4] = disk(1000, 100, 200000);
	residuals(service, sums, r);
	assert_true(r[4] == 0);
	/* faster in both: what is nearer to the others */
	sums[4] = disk(250, 100, 50000 / 1.5);
	residuals(service, sums, r);
	assert_true(near(r[4], log(0.75)));
	/* too few requests to say */
	sums[4] = disk(1000, 7, 50000);
	residuals(service, sums, r);
	assert_true(isnan(r[4]) && r[0] == 0);
}

static void latency_is_the_time_of_all_requests(void **state)
{
	const struct lp_metric *latency = quantity(&lp_class_disk, "latency");
	struct lp_sums sums[N];
	double r[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		sums[i] = disk(100 * (double)(i + 1), 100, 1000);
	/* 2 4 6 8 10 ms; the others' median of the last is 5 */
	residuals(latency, sums, r);
	assert_true(near(r[4], log(10) - (log(4) + log(6)) / 2));
	assert_true(near(r[2], log(6) - (log(4) + log(8)) / 2));
	/* where only a mean time is known, two blocks of it are halved */
	sums[0] = (struct lp_sums){ 0 };
	know(&sums[0], LP_SUM_LEVEL_MS, 16, 2);
	assert_true(lp_quantity_value(latency, &sums[0], 2, 10) == 8);
}

static void loads_are_shares_of_what_the_others_move(void **state)
{
	const struct lp_metric *read = quantity(&lp_class_disk, "read");
	const struct lp_metric *write = quantity(&lp_class_disk, "write");
	struct lp_sums sums[N];
	double r[N];

	(void)state;
	/* in 10 s: 300 read and 100 written a second, the last three times */
	for (size_t i = 0; i < N; i++)
		sums[i] = disk(1, 1, i == 4 ? 12000 : 4000);
	residuals(read, sums, r);
	assert_true(near(r[4], (900.0 - 300) / 400));
	assert_true(r[0] == 0);
	residuals(write, sums, r);
	assert_true(near(r[4], (300.0 - 100) / 400));
	/* the others are all but idle: not shares of nothing */
	for (size_t i = 0; i < N; i++)
		sums[i] = disk(1, 1, i == 4 ? 4000 : 40);
	residuals(write, sums, r);
	assert_true(near(r[4], (100.0 - 1) / 200));
}

static void half_known_loads_are_per_known_second(void **state)
{
	const struct lp_metric *write = quantity(&lp_class_disk, "write");
	struct lp_sums s = { 0 };

	(void)state;
	know(&s, LP_SUM_IN, 6000, 3);
	assert_true(lp_quantity_value(write, &s, 6, 10) == 200);
	assert_true(isnan(lp_quantity_value(write, &s, 7, 10)));
}

static struct lp_sums link(double lossy, double active)
{
	struct lp_sums s = { 0 };

	know(&s, LP_SUM_LOSSY, lossy, 1);
	know(&s, LP_SUM_ACTIVE, active, 1);
	know(&s, LP_SUM_OUT, 1e6, 1);
	know(&s, LP_SUM_RESENT, lossy * 1e3, 1);
	return s;
}

static void loss_is_compared_by_the_roots_of_counts(void **state)
{
	const struct lp_metric *loss = quantity(&lp_class_tcp, "loss");
	struct lp_sums sums[N] = { link(1, 10), link(2, 10), link(0, 10),
				   link(0, 0), link(8, 10) };
	double r[N];

	(void)state;
	residuals(loss, sums, r);
	/* of the others 0, 1 and 2 of 10 */
	assert_true(near(r[4], 2 * (sqrt(8.375) - sqrt(1.375))));
	assert_true(near(r[0], 2 * (sqrt(1.375) - sqrt(2.375))));
	assert_true(isnan(r[3]));
	assert_true(near(lp_quantity_value(loss, &sums[4], 1, 10), 0.8));
}

static bool matters(const char *name, const struct lp_sums *sums, size_t i)
{
	const struct lp_metric *metric = quantity(&lp_class_disk, name);
	struct lp_quantity_peers peers;
	double scratch[N];

	lp_quantity_peers(metric, sums, N, 1, 10, &peers, scratch);
	return lp_quantity_matters(metric, &peers, &sums[i], 1, 10);
}

static void only_more_work_in_hand_matters(void **state)
{
	struct lp_sums sums[N];

	(void)state;
	/* busy for 1000 of 10000 ms: 10 points, 0.2 requests in flight */
	for (size_t i = 0; i < N; i++)
		sums[i] = disk(1000, 100, 4000);
	assert_false(matters("service", sums, 4));
	/* 3 points more of utilisation, or 0.03 requests more in flight */
	know(&sums[4], LP_SUM_BUSY_MS, 1299, 1);
	assert_false(matters("service", sums, 4));
	know(&sums[4], LP_SUM_BUSY_MS, 1300, 1);
	assert_true(matters("service", sums, 4));
	assert_false(matters("read", sums, 4));
	know(&sums[4], LP_SUM_BUSY_MS, 1000, 1);
	know(&sums[4], LP_SUM_WAIT_MS, 2301, 1);
	assert_true(matters("latency", sums, 4));
	/* what was not recorded counts as enough */
	for (size_t i = 0; i < N; i++)
		sums[i].present[LP_SUM_BUSY_MS] =
			sums[i].present[LP_SUM_WAIT_MS] = 0;
	assert_true(matters("latency", sums, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians_leave_out_the_component),
		cmocka_unit_test(medians_of_others_agree_with_leaving_each_out),
		cmocka_unit_test(service_is_the_smaller_excess),
		cmocka_unit_test(latency_is_the_time_of_all_requests),
		cmocka_unit_test(loads_are_shares_of_what_the_others_move),
		cmocka_unit_test(half_known_loads_are_per_known_second),
		cmocka_unit_test(loss_is_compared_by_the_roots_of_counts),
		cmocka_unit_test(only_more_work_in_hand_matters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
