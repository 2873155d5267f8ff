/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "detect/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define S INT64_C(1000000000)
#define N 6

struct seen {
	size_t windows, flags[N], anomalous[N], gone[N];
	int64_t ends[64];
};

static int remember(void *user, const struct lp_judged *judged)
{
	struct seen *seen = user;

	seen->ends[seen->windows % 64] = judged->end_ns;
	seen->windows++;
	for (size_t i = 0; i < N; i++) {
		seen->flags[i] += judged->verdicts[i].flag;
		seen->anomalous[i] += judged->anomalous[i];
		seen->gone[i] += judged->gone[i];
	}
	return 0;
}

static struct lp_engine *engine_of(const struct lp_detector *detector)
{
	struct lp_engine_options options = {
		.detector = detector,
		.n = N,
		.step_ns = S,
		.floor.idle = 0.01,
	};

	return lp_engine_new(&options);
}

/* Six alike; from `since` on the third is ten times as slow. */
static void run(struct lp_engine *e, struct seen *seen, int64_t first,
		int64_t count, int64_t since)
{
	double row[N];

	for (int64_t t = first; t < first + count; t++) {
		for (size_t i = 0; i < N; i++)
			row[i] = 5 + (double)(rand() % 100) / 100;
		if (t >= since)
			row[2] *= 10;
		assert_int_equal(lp_engine_push(e, t * S, row, remember, seen),
				 0);
	}
}

/* Distances that were asked for, of one window and component after another. */
struct distances {
	bool ask; /* for those that the engine left out */
	size_t windows;
	double of[64][N];
};

static int measure(void *user, const struct lp_judged *judged)
{
	struct distances *d = user;
	struct lp_verdict v;

	for (size_t i = 0; i < N; i++) {
		assert_true(!d->ask || judged->detector->explain == NULL ||
			    isnan(judged->verdicts[i].critical));
		assert_int_equal(lp_judged_explain(judged, i, &v), 0);
		assert_int_equal(v.flag, judged->verdicts[i].flag);
		d->of[d->windows % 64][i] =
			lp_verdict_reason(judged->detector, &v, 1).distance;
	}
	d->windows++;
	return 0;
}

static void push_slow_third(const struct lp_detector *detector, bool exact,
			    struct distances *d)
{
	struct lp_engine_options options = { .detector = detector,
					     .params.threshold = 1,
					     .n = N,
					     .step_ns = S,
					     .floor.idle = 0.01,
					     .exact = exact };
	struct lp_engine *e = lp_engine_new(&options);
	double row[N];

	d->ask = !exact;
	srand(4);
	for (int64_t t = 0; t < 400; t++) {
		for (size_t i = 0; i < N; i++)
			row[i] = 5 + (double)(rand() % 100) / 100;
		row[2] *= t >= 200 ? 3 : 1;
		assert_int_equal(lp_engine_push(e, t * S, row, measure, d), 0);
	}
	lp_engine_free(e);
}

static void whoever_asks_gets_distances_without_the_exact_way(void **state)
{
	(void)state;
	for (size_t k = 0; lp_detectors[k]; k++) {
		struct distances asked = { 0 }, exact = { 0 };

		if (lp_detectors[k]->joint)
			continue;
		push_slow_third(lp_detectors[k], false, &asked);
		push_slow_third(lp_detectors[k], true, &exact);
		assert_true(exact.windows > 8);
		assert_int_equal(asked.windows, exact.windows);
		assert_memory_equal(asked.of, exact.of, sizeof(exact.of));
	}
}

static void windows_end_at_multiples_of_the_shift(void **state)
{
	struct lp_engine *e = engine_of(&lp_detector_cdf);
	struct seen seen = { 0 };

	(void)state;
	/* The first full window of 60 that ends at a multiple of 30. */
	run(e, &seen, 1007, 200, INT64_MAX);
	assert_int_equal(seen.windows, 5);
	assert_int_equal(seen.ends[0], 1080 * S);
	assert_int_equal(seen.ends[4], 1200 * S);
	lp_engine_free(e);
}

static void a_slow_one_is_anomalous_after_three_windows(void **state)
{
	struct lp_engine *e = engine_of(&lp_detector_cdf);
	struct seen seen = { 0 };

	(void)state;
	srand(3);
	run(e, &seen, 0, 600, 300);
	for (size_t i = 0; i < N; i++)
		if (i != 2)
			assert_int_equal(seen.flags[i], 0);
	assert_true(seen.flags[2] >= 8);
	assert_int_equal(seen.anomalous[2], seen.flags[2] - 2);
	lp_engine_free(e);
}

static void the_first_version_finds_it_too(void **state)
{
	struct lp_engine *e = engine_of(&lp_detector_pdf);
	struct seen seen = { 0 };

	(void)state;
	srand(4);
	run(e, &seen, 0, 640, 320);
	assert_true(seen.anomalous[2] > 0);
	assert_int_equal(seen.anomalous[1], 0);
	lp_engine_free(e);
}

static void points_left_out_are_missing_and_nobody_is_absent(void **state)
{
	struct lp_engine *e = engine_of(&lp_detector_cdf);
	struct seen seen = { 0 };

	(void)state;
	run(e, &seen, 0, 60, INT64_MAX);
	run(e, &seen, 360, 60, INT64_MAX);
	/* Windows end at 30 s steps from 60 to 390 s; none ends at 419. */
	assert_int_equal(seen.windows, 12);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(seen.gone[i], 0);
	lp_engine_free(e);
}

static void one_that_vanishes_is_gone_after_three_windows(void **state)
{
	struct lp_engine *e = engine_of(&lp_detector_cdf);
	struct seen seen = { 0 };
	double row[N] = { 1, 2, 3, 4, 5, NAN };

	(void)state;
	for (int64_t t = 1; t < 120; t++)
		assert_int_equal(lp_engine_push(e, t * S, row, remember, &seen),
				 0);
	assert_int_equal(seen.gone[5], 0);
	for (int64_t t = 120; t <= 150; t++)
		assert_int_equal(lp_engine_push(e, t * S, row, remember, &seen),
				 0);
	assert_int_equal(seen.windows, 4);
	assert_int_equal(seen.gone[5], 2);
	assert_int_equal(seen.gone[0], 0);
	lp_engine_free(e);
}

static void time_does_not_stand_still_or_leave_the_grid(void **state)
{
	struct lp_engine *e = engine_of(&lp_detector_cdf);
	double row[N] = { 0 };

	(void)state;
	assert_int_equal(lp_engine_push(e, 5 * S, row, remember, NULL), 0);
	assert_int_equal(lp_engine_push(e, 5 * S, row, remember, NULL),
			 -EINVAL);
	assert_int_equal(lp_engine_push(e, 6 * S + 1, row, remember, NULL),
			 -EINVAL);
	lp_engine_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			whoever_asks_gets_distances_without_the_exact_way),
		cmocka_unit_test(windows_end_at_multiples_of_the_shift),
		cmocka_unit_test(a_slow_one_is_anomalous_after_three_windows),
		cmocka_unit_test(the_first_version_finds_it_too),
		cmocka_unit_test(
			points_left_out_are_missing_and_nobody_is_absent),
		cmocka_unit_test(one_that_vanishes_is_gone_after_three_windows),
		cmocka_unit_test(time_does_not_stand_still_or_leave_the_grid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
