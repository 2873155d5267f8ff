/* SPDX-License-Identifier: Apache-2.0 */
/* What a detector says of itself, and of one component. */
#include "unit.h"

#include "detect/engine.h"
#include "stats/random.h"

#include <math.h>
#include <string.h>

#define S LP_NS_PER_S
#define N 9
#define W 20

static const struct lp_detector_params none;

static bool same_number(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b;
}

static void assert_same_params(const struct lp_detector_params *a,
			       const struct lp_detector_params *b)
{
	assert_int_equal(a->smooth, b->smooth);
	assert_int_equal(a->window, b->window);
	assert_int_equal(a->shift, b->shift);
	assert_int_equal(a->k, b->k);
	assert_true(same_number(a->threshold, b->threshold));
}

static bool applies(const char *detector, const struct lp_class *class,
		    const char *metric)
{
	return lp_detector_applies(lp_detector_find(detector),
				   lp_class_metric(class, metric));
}

static void a_metric_of_one_detector_is_no_other_detectors(void **state)
{
	(void)state;
	assert_true(applies("cwnd", &lp_class_tcp, "cwnd"));
	assert_false(applies("cdf", &lp_class_tcp, "cwnd"));
	assert_false(applies("thresh", &lp_class_tcp, "cwnd"));
	assert_true(applies("cdf", &lp_class_disk, "await"));
	assert_true(applies("pdf", &lp_class_net, "rxbyt"));
	assert_false(applies("cwnd", &lp_class_disk, "await"));
}

/* Of those in the list. */
static void assert_judged_by_one(const struct lp_metric *metric, bool trained)
{
	size_t count = 0;

	for (size_t d = 0; lp_detectors[d]; d++)
		count += (trained ? lp_detectors[d]->usual_trained
				  : lp_detectors[d]->usual) &&
			 lp_detector_applies(lp_detectors[d], metric);
	assert_int_equal(count, 1);
}

static void what_accuses_is_judged_by_one_usual_detector(void **state)
{
	(void)state;
	for (size_t c = 0; lp_classes[c]; c++) {
		const struct lp_class *class = lp_classes[c];

		for (size_t q = 0; q < class->n_quantities; q++)
			assert_judged_by_one(&class->quantities[q], false);
		for (size_t m = 0; m < class->n_metrics; m++)
			if (class->metrics[m].indicts)
				assert_judged_by_one(&class->metrics[m], true);
	}
}

static void the_main_detector_is_the_first_for_any_metric(void **state)
{
	const struct lp_detector *list[] = { &lp_detector_cwnd,
					     &lp_detector_thresh,
					     &lp_detector_pdf, NULL };

	(void)state;
	assert_ptr_equal(lp_detector_main(NULL), &lp_detector_limpid);
	assert_ptr_equal(lp_detector_main(list), &lp_detector_thresh);
	list[1] = NULL;
	assert_ptr_equal(lp_detector_main(list), &lp_detector_cdf);
}

static void measures_in_a_metrics_unit_need_training(void **state)
{
	(void)state;
	assert_true(lp_detector_is_ready(&lp_detector_cdf));
	assert_true(lp_detector_is_ready(&lp_detector_cwnd));
	assert_false(lp_detector_is_ready(&lp_detector_median));
	assert_false(lp_detector_is_ready(&lp_detector_thresh));
}

static void up_to_a_minute_windows_are_the_usual_ones(void **state)
{
	(void)state;
	for (size_t d = 0; lp_detectors[d]; d++) {
		struct lp_detector_params p =
			lp_detector_params_at(lp_detectors[d], &none, S);

		if (lp_detectors[d]->joint)
			continue;
		assert_same_params(&p, &lp_detectors[d]->defaults);
	}
	assert_int_equal(
		lp_detector_params_at(&lp_detector_cdf, &none, 60 * S).window,
		60);
}

static void above_a_minute_windows_are_shorter(void **state)
{
	(void)state;
	for (size_t d = 0; lp_detectors[d]; d++) {
		struct lp_detector_params p =
			lp_detector_params_at(lp_detectors[d], &none, 61 * S);

		if (lp_detector_is_special(lp_detectors[d]) ||
		    lp_detectors[d]->joint)
			continue;
		assert_int_equal(p.smooth, 1);
		assert_int_equal(p.window, 12);
		assert_int_equal(p.shift, 6);
		assert_int_equal(p.k, 2);
	}
}

static void a_threshold_in_bins_follows_the_window(void **state)
{
	struct lp_detector_params given = { .window = 20 }, p;

	(void)state;
	p = lp_detector_params_at(&lp_detector_cdf, &none, 600 * S);
	assert_true(p.threshold == 7);
	p = lp_detector_params_at(&lp_detector_pdf, &none, 600 * S);
	assert_true(p.threshold == lp_detector_pdf.defaults.threshold);
	/* 12 * cbrt(20 / 60) = 8.32 */
	p = lp_detector_params_at(&lp_detector_cdf, &given, S);
	assert_true(p.threshold == 8.3);
	given.threshold = 12;
	p = lp_detector_params_at(&lp_detector_cdf, &given, S);
	assert_true(p.threshold == 12);
}

static void what_is_given_is_taken_at_any_step(void **state)
{
	struct lp_detector_params given = { 3, 20, 4, 5, 6 }, p;

	(void)state;
	p = lp_detector_params_at(&lp_detector_cdf, &given, S);
	assert_same_params(&p, &given);
	p = lp_detector_params_at(&lp_detector_pdf, &given, 600 * S);
	assert_same_params(&p, &given);
}

static void cwnd_is_smoothed_over_half_a_minute_at_any_step(void **state)
{
	struct lp_detector_params given = { 3, 20, 4, 5, 0.25 }, p;

	(void)state;
	p = lp_detector_params_at(&lp_detector_cwnd, &none, 15 * S);
	assert_int_equal(p.smooth, 2);
	assert_int_equal(p.window, 1);
	p = lp_detector_params_at(&lp_detector_cwnd, &none, 600 * S);
	assert_int_equal(p.smooth, 1);
	/* Of what is given it takes the threshold. */
	p = lp_detector_params_at(&lp_detector_cwnd, &given, S);
	assert_int_equal(p.smooth, 31);
	assert_int_equal(p.window, 1);
	assert_int_equal(p.k, 1);
	assert_true(p.threshold == 0.25);
}

static void only_pdf_has_a_largest_distance(void **state)
{
	(void)state;
	for (size_t d = 0; lp_detectors[d]; d++)
		assert_true(!lp_detectors[d]->most ==
			    (lp_detectors[d] != &lp_detector_pdf));
	assert_true(fabs(lp_detector_pdf.most(&lp_detector_pdf.defaults) -
			 4.61) < 0.01);
}

/* ---- one component ---- */

static void assert_same_verdict(const struct lp_verdict *a,
				const struct lp_verdict *b)
{
	assert_int_equal(a->flag, b->flag);
	assert_int_equal(a->others, b->others);
	assert_int_equal(a->over, b->over);
	assert_true(same_number(a->median_distance, b->median_distance));
	assert_true(same_number(a->critical, b->critical));
}

static double draw(struct lp_random *r, int round, size_t i)
{
	double v = 3 + lp_random_normal(r) + (i == 1 ? 4 : 0);

	if (round % 4 == 1 && lp_random_uniform(r) < 0.5)
		return NAN;
	if (round % 4 == 2)
		return lp_random_uniform(r) < 0.98 ? 0 : v;
	return round % 40 == 3 ? 7 : v;
}

static void explain_all(const struct lp_detector *detector,
			struct lp_judge_input *input, struct lp_arena *arena)
{
	struct lp_verdict all[N], one;

	input->exact = true;
	assert_int_equal(detector->judge(input, arena, all), 0);
	input->exact = false;
	for (size_t i = 0; i < N; i++) {
		assert_int_equal(
			lp_detector_explain(detector, input, i, arena, &one),
			0);
		assert_same_verdict(&one, &all[i]);
	}
}

static void one_is_explained_as_all_are_judged(void **state)
{
	double x[N * W], thresholds[N];
	struct lp_judge_input input = { .window = { x, N, W },
					.thresholds = thresholds,
					.floor.idle = 0.1 };
	struct lp_arena arena = { 0 };
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 5, 1);
	for (int round = 0; round < 200; round++) {
		for (size_t k = 0; k < N * W; k++)
			x[k] = draw(&r, round, k / W);
		for (size_t i = 0; i < N; i++)
			thresholds[i] = 4 * lp_random_uniform(&r);
		for (size_t d = 0; lp_detectors[d]; d++)
			if (!lp_detectors[d]->joint)
				explain_all(lp_detectors[d], &input, &arena);
		lp_arena_reset(&arena);
	}
	lp_arena_done(&arena);
}

/* ---- what a sink sees ---- */

struct watch {
	const struct lp_detector *detector;
	double rows[200][N];
	size_t windows;
};

static int look(void *user, const struct lp_judged *judged)
{
	struct watch *watch = user;
	const struct lp_window *window = &judged->input->window;
	size_t first = (size_t)(judged->begin_ns / S) + 1, with = 0;
	struct lp_verdict one;

	assert_int_equal(window->n, N);
	assert_int_equal(window->w, W);
	for (size_t i = 0; i < N; i++) {
		bool any = false;

		for (size_t s = 0; s < W; s++) {
			double v = watch->rows[first + s][i];

			any |= !isnan(v);
			assert_true(same_number(window->x[i * W + s], v));
		}
		assert_int_equal(judged->has_data[i], any);
		with += any;
		assert_int_equal(lp_detector_explain(watch->detector,
						     judged->input, i,
						     judged->scratch, &one),
				 0);
		assert_same_verdict(&one, &judged->verdicts[i]);
	}
	assert_int_equal(judged->with_data, with);
	watch->windows++;
	return 0;
}

static void a_sink_sees_the_window_and_explains_it(void **state)
{
	struct lp_engine_options options = {
		.detector = &lp_detector_cdf,
		.params = { .smooth = 1, .window = W, .shift = 7 },
		.n = N,
		.step_ns = S,
		.exact = true,
	};
	struct watch watch = { .detector = &lp_detector_cdf };
	struct lp_engine *e = lp_engine_new(&options);
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 5, 2);
	assert_non_null(e);
	for (size_t t = 1; t < 200; t++) {
		for (size_t i = 0; i < N; i++)
			watch.rows[t][i] = i == 4 && t > 50 && t < 100
						   ? NAN
						   : draw(&r, 0, i);
		assert_int_equal(lp_engine_push(e, (int64_t)t * S,
						watch.rows[t], look, &watch),
				 0);
	}
	assert_int_equal(watch.windows, 26);
	lp_engine_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_metric_of_one_detector_is_no_other_detectors),
		cmocka_unit_test(what_accuses_is_judged_by_one_usual_detector),
		cmocka_unit_test(the_main_detector_is_the_first_for_any_metric),
		cmocka_unit_test(measures_in_a_metrics_unit_need_training),
		cmocka_unit_test(up_to_a_minute_windows_are_the_usual_ones),
		cmocka_unit_test(above_a_minute_windows_are_shorter),
		cmocka_unit_test(a_threshold_in_bins_follows_the_window),
		cmocka_unit_test(what_is_given_is_taken_at_any_step),
		cmocka_unit_test(
			cwnd_is_smoothed_over_half_a_minute_at_any_step),
		cmocka_unit_test(only_pdf_has_a_largest_distance),
		cmocka_unit_test(one_is_explained_as_all_are_judged),
		cmocka_unit_test(a_sink_sees_the_window_and_explains_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
