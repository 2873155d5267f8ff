/* SPDX-License-Identifier: Apache-2.0 */
/* Groups and windows at the edge of what can be compared. */
#include "unit.h"

#include "detect/engine.h"
#include "detect/vote.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define W 12
#define N_MOST 8

/* Judge n components of W samples, plain and fast; verdicts of the plain. */
static void judge(const struct lp_detector *detector, const double *x, size_t n,
		  struct lp_verdict *verdicts)
{
	double thresholds[N_MOST];
	struct lp_judge_input input = { .window = { x, n, W },
					.thresholds = thresholds,
					.floor.idle = 0.1 };
	struct lp_verdict fast[N_MOST];
	struct lp_arena arena = { 0 };

	for (size_t i = 0; i < n; i++)
		thresholds[i] = 1;
	assert_int_equal(detector->judge(&input, &arena, fast), 0);
	input.exact = true;
	assert_int_equal(detector->judge(&input, &arena, verdicts), 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(fast[i].flag, verdicts[i].flag);
		assert_int_equal(fast[i].others, verdicts[i].others);
	}
	lp_arena_done(&arena);
}

/* Samples that rise a little; the last component is far off. */
static void fill(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t s = 0; s < W; s++)
			x[i * W + s] = (double)s / W +
				       (i + 1 == n ? 50 : 0.01 * (double)i);
}

static void set(double *x, size_t i, double value)
{
	for (size_t s = 0; s < W; s++)
		x[i * W + s] = value;
}

static void both(const double *x, size_t n, struct lp_verdict *cdf,
		 struct lp_verdict *pdf)
{
	judge(&lp_detector_cdf, x, n, cdf);
	judge(&lp_detector_pdf, x, n, pdf);
}

static void three_components_are_enough(void **state)
{
	double x[N_MOST * W];
	struct lp_verdict cdf[N_MOST], pdf[N_MOST];

	(void)state;
	fill(x, 3);
	both(x, 3, cdf, pdf);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(cdf[i].others, 2);
		assert_int_equal(cdf[i].flag, i == 2);
		assert_int_equal(pdf[i].flag, i == 2);
	}
}

static void of_two_nobody_can_tell(void **state)
{
	double x[N_MOST * W];
	struct lp_verdict cdf[N_MOST], pdf[N_MOST];

	(void)state;
	fill(x, 2);
	both(x, 2, cdf, pdf);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(cdf[i].others, 1);
		assert_false(cdf[i].flag || pdf[i].flag);
		assert_true(isnan(cdf[i].critical) && isnan(pdf[i].critical));
	}
}

/*
 * Four components: 0.0, 0.1 ... in each, one of them 50 off. Its quarter of
 * the samples would stretch an IQR over both; the MAD does not see it.
 */
static void fewer_than_five_are_measured_by_their_mad(void **state)
{
	double x[N_MOST * W], scratch[N_MOST * W];
	struct lp_window window = { x, 4, W };
	struct lp_bins bins;

	(void)state;
	fill(x, 4);
	/* 36 samples below 1.02, 12 near 50: median and MAD are below 1. */
	bins = lp_bins_freedman(&window, (struct lp_floor){ .idle = 0.1 },
				scratch);
	assert_true(bins.width < 0.5);
	/* Five, two of them far off: the IQR spans both kinds. */
	fill(x, 5);
	for (size_t s = 0; s < W; s++)
		x[3 * W + s] += 50;
	window.n = 5;
	bins = lp_bins_freedman(&window, (struct lp_floor){ .idle = 0.1 },
				scratch);
	assert_true(bins.width > 10);
}

static void equal_samples_have_no_distances(void **state)
{
	double x[N_MOST * W];
	struct lp_verdict cdf[N_MOST], pdf[N_MOST];

	(void)state;
	for (size_t i = 0; i < 5; i++)
		set(x, i, 3);
	both(x, 5, cdf, pdf);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(cdf[i].others, 0);
		assert_int_equal(pdf[i].others, 0);
		assert_false(cdf[i].flag || pdf[i].flag);
		assert_true(isnan(cdf[i].critical) && isnan(pdf[i].critical));
	}
}

static void nothing_at_all_has_no_distances(void **state)
{
	double x[N_MOST * W];
	struct lp_verdict cdf[N_MOST], pdf[N_MOST];

	(void)state;
	for (size_t i = 0; i < 5; i++)
		set(x, i, NAN);
	both(x, 5, cdf, pdf);
	for (size_t i = 0; i < 5; i++)
		assert_true(cdf[i].others == 0 && !cdf[i].flag && !pdf[i].flag);
}

static void one_without_samples_is_left_out(void **state)
{
	double x[N_MOST * W];
	struct lp_verdict cdf[N_MOST], pdf[N_MOST];

	(void)state;
	fill(x, 5);
	set(x, 1, NAN);
	both(x, 5, cdf, pdf);
	assert_int_equal(cdf[1].others, 0);
	assert_false(cdf[1].flag || pdf[1].flag);
	assert_int_equal(cdf[0].others, 3);
	assert_true(cdf[4].flag && pdf[4].flag);
}

/* An infinite value is missing: the rest is compared as if it were not. */
static void infinite_values_are_missing(void **state)
{
	double x[N_MOST * W], y[N_MOST * W];
	struct lp_verdict a[N_MOST], b[N_MOST];

	(void)state;
	fill(x, 6);
	x[3] = INFINITY;
	x[2 * W + 5] = -INFINITY;
	set(x, 3, INFINITY);
	memcpy(y, x, sizeof(y));
	for (size_t k = 0; k < 6 * W; k++)
		y[k] = isinf(x[k]) ? NAN : x[k];
	for (size_t d = 0; lp_detectors[d]; d++) {
		if (lp_detectors[d]->joint)
			continue;
		judge(lp_detectors[d], x, 6, a);
		judge(lp_detectors[d], y, 6, b);
		for (size_t i = 0; i < 6; i++) {
			assert_int_equal(a[i].flag, b[i].flag);
			assert_int_equal(a[i].others, b[i].others);
			assert_true(isnan(a[i].critical)
					    ? isnan(b[i].critical)
					    : a[i].critical == b[i].critical);
		}
	}
	judge(&lp_detector_cdf, x, 6, a);
	assert_true(a[5].flag);
}

static void negative_values_are_values(void **state)
{
	double x[N_MOST * W];
	struct lp_verdict up[N_MOST], down[N_MOST];

	(void)state;
	fill(x, 5);
	judge(&lp_detector_cdf, x, 5, up);
	for (size_t k = 0; k < 5 * W; k++)
		x[k] -= 1000;
	judge(&lp_detector_cdf, x, 5, down);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(up[i].flag, down[i].flag);
	assert_true(down[4].flag);
}

/* Ranges that a double cannot divide, or only just. */
static void extreme_ranges_do_no_harm(void **state)
{
	static const double extremes[] = { DBL_MAX, 1e300, DBL_MIN,
					   DBL_TRUE_MIN, 3 * DBL_TRUE_MIN };
	double x[N_MOST * W];
	struct lp_verdict verdicts[N_MOST];

	(void)state;
	for (size_t k = 0; k < lp_array_size(extremes); k++)
		for (size_t d = 0; lp_detectors[d]; d++) {
			if (lp_detectors[d]->joint)
				continue;
			fill(x, 6);
			set(x, 1, extremes[k]);
			judge(lp_detectors[d], x, 6, verdicts);
			set(x, 2, -extremes[k]);
			judge(lp_detectors[d], x, 6, verdicts);
			for (size_t i = 0; i < 6; i++)
				set(x, i, (double)i * (extremes[k] / 6));
			judge(lp_detectors[d], x, 6, verdicts);
		}
}

static void a_threshold_that_is_none_is_never_exceeded(void **state)
{
	double x[5 * W], thresholds[] = { NAN, NAN, NAN, NAN, NAN };
	struct lp_judge_input input = { .window = { x, 5, W },
					.thresholds = thresholds };
	struct lp_verdict verdicts[5];
	struct lp_arena arena = { 0 };

	(void)state;
	fill(x, 5);
	for (size_t d = 0; lp_detectors[d]; d++)
		for (int exact = 0; exact < 2; exact++) {
			input.exact = exact;
			if (lp_detectors[d]->joint)
				continue;
			assert_int_equal(lp_detectors[d]->judge(&input, &arena,
								verdicts),
					 0);
			for (size_t i = 0; i < 5; i++)
				assert_false(verdicts[i].flag);
		}
	lp_arena_done(&arena);
}

static int refused(struct lp_detector_params params)
{
	struct lp_engine_options options = { .detector = &lp_detector_cdf,
					     .params = params,
					     .n = 4,
					     .step_ns = 1000000000 };
	struct lp_engine *e;

	errno = 0;
	e = lp_engine_new(&options);
	lp_engine_free(e);
	return e ? 0 : errno;
}

static void parameters_out_of_reach_are_refused(void **state)
{
	struct lp_detector_params p = { .window = LP_WINDOW_MAX };
	struct lp_error err;

	(void)state;
	assert_int_equal(refused(p), 0);
	p.window = LP_WINDOW_MAX + 1;
	assert_int_equal(refused(p), EINVAL);
	p = lp_detector_params(&lp_detector_cdf, &p);
	assert_int_equal(lp_detector_check(&p, &err), -EINVAL);
	assert_string_equal(err.text,
			    "a window of 4097 samples: 1 to 4096 are possible");
	assert_int_equal(refused((struct lp_detector_params){ .k = 32 }), 0);
	assert_int_equal(refused((struct lp_detector_params){ .k = 33 }),
			 EINVAL);
	assert_int_equal(refused((struct lp_detector_params){ .shift = 61 }),
			 EINVAL);
	assert_int_equal(refused((struct lp_detector_params){ .smooth = 5000 }),
			 EINVAL);
}

static void the_largest_k_counts_sixty_three_windows(void **state)
{
	struct lp_vote vote = { 0 };

	(void)state;
	for (int k = 0; k < 31; k++)
		assert_false(lp_vote_add(&vote, true, LP_VOTE_K_MAX));
	assert_true(lp_vote_add(&vote, true, LP_VOTE_K_MAX));
	for (int k = 0; k < 31; k++)
		assert_true(lp_vote_add(&vote, false, LP_VOTE_K_MAX));
	assert_false(lp_vote_add(&vote, false, LP_VOTE_K_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_components_are_enough),
		cmocka_unit_test(of_two_nobody_can_tell),
		cmocka_unit_test(fewer_than_five_are_measured_by_their_mad),
		cmocka_unit_test(equal_samples_have_no_distances),
		cmocka_unit_test(nothing_at_all_has_no_distances),
		cmocka_unit_test(one_without_samples_is_left_out),
		cmocka_unit_test(infinite_values_are_missing),
		cmocka_unit_test(negative_values_are_values),
		cmocka_unit_test(extreme_ranges_do_no_harm),
		cmocka_unit_test(a_threshold_that_is_none_is_never_exceeded),
		cmocka_unit_test(parameters_out_of_reach_are_refused),
		cmocka_unit_test(the_largest_k_counts_sixty_three_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
