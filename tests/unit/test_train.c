/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "detect/train.h"

#include <math.h>
#include <stdlib.h>

static void thresholds_are_rounded_up_and_doubled(void **state)
{
	(void)state;
	assert_true(lp_trained_threshold(&lp_detector_cdf, 0) == 0.2);
	assert_true(lp_trained_threshold(&lp_detector_cdf, 0.1) == 0.2);
	assert_true(lp_trained_threshold(&lp_detector_cdf, 0.11) == 0.4);
	assert_true(lp_trained_threshold(&lp_detector_cdf, 2.95) == 6);
	assert_true(lp_trained_threshold(&lp_detector_cdf, 0.3) == 0.6);
	assert_true(isnan(lp_trained_threshold(&lp_detector_cdf, NAN)));
}

static void cwnd_fractions_are_rounded_down_and_not_scaled(void **state)
{
	(void)state;
	assert_true(lp_trained_threshold(&lp_detector_cwnd, 1.2) == 0.99);
	assert_true(lp_trained_threshold(&lp_detector_cwnd, 0.745) == 0.74);
	assert_true(lp_trained_threshold(&lp_detector_cwnd, 0.5) == 0.5);
	assert_true(lp_trained_threshold(&lp_detector_cwnd, 0) == 0.01);
}

#define N 7
#define STEP INT64_C(1000000000)

struct half {
	size_t flags;
	bool voted;
};

static int count_flags(void *user, const struct lp_judged *judged)
{
	struct half *h = user;

	for (size_t i = 0; i < N; i++)
		h->flags += h->voted ? judged->anomalous[i]
				     : judged->verdicts[i].flag;
	return 0;
}

static void push_all(struct lp_engine *e, lp_engine_sink *sink, void *user)
{
	double row[N];

	srand(5);
	for (int64_t t = 1; t < 900; t++) {
		for (size_t i = 0; i < N; i++)
			row[i] = pow((double)(1 + rand() % 1000) / 1000, -1) +
				 (i == 3);
		assert_int_equal(lp_engine_push(e, t * STEP, row, sink, user),
				 0);
	}
}

/* By the documents' own way: raise until no window is flagged. */
static double raise_until_quiet(struct lp_engine_options options, size_t i,
				bool voted)
{
	for (double k = 1;; k++) {
		double thresholds[N];
		struct lp_engine *e;
		struct half h = { .voted = voted };

		for (size_t j = 0; j < N; j++)
			thresholds[j] = j == i ? k / 10 : 1e9;
		options.thresholds = thresholds;
		e = lp_engine_new(&options);
		push_all(e, count_flags, &h);
		lp_engine_free(e);
		if (h.flags == 0)
			return 2 * k / 10;
	}
}

static void compare_with_raising(const struct lp_detector *detector, bool voted)
{
	struct lp_engine_options options = { .detector = detector,
					     .n = N,
					     .step_ns = STEP,
					     .floor.idle = 1,
					     .exact = true };
	struct lp_engine *e = lp_engine_new(&options);
	struct lp_trainer trainer;
	double worst[N], history[N * 5];

	lp_trainer_init(&trainer, detector, worst, N);
	if (voted)
		lp_trainer_filter(&trainer, 3, history);
	push_all(e, lp_trainer_take, &trainer);
	lp_engine_free(e);
	assert_true(trainer.windows > 20);
	for (size_t i = 0; i < N; i++)
		assert_true(lp_trained_threshold(detector, worst[i]) ==
			    raise_until_quiet(options, i, voted));
}

static void the_closed_form_is_what_raising_step_by_step_gives(void **state)
{
	(void)state;
	compare_with_raising(&lp_detector_cdf, false);
	compare_with_raising(&lp_detector_pdf, false);
}

static void so_it_is_when_only_votes_count(void **state)
{
	(void)state;
	compare_with_raising(&lp_detector_cdf, true);
	compare_with_raising(&lp_detector_pdf, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thresholds_are_rounded_up_and_doubled),
		cmocka_unit_test(
			cwnd_fractions_are_rounded_down_and_not_scaled),
		cmocka_unit_test(
			the_closed_form_is_what_raising_step_by_step_gives),
		cmocka_unit_test(so_it_is_when_only_votes_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
