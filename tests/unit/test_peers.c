/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "detect/cdf.h"
#include "detect/pdf.h"

#include <math.h>

/*
 * Four components, two samples each, by hand: values 0 0, 0 1, 1 1, 4 4. Range
 * 4; four components, so MAD: median of {0 0 0 1 1 1 4 4} = 1, deviations
 * {1 1 1 0 0 0 3 3}, MAD 1; width 2 / cbrt(2) = 1.587, 3 bins.
 */
static const double small[] = { 0, 0, 0, 1, 1, 1, 4, 4 };

static const struct lp_floor floor_of_one = { .idle = 1 };

static void bins_follow_freedman_and_diaconis(void **state)
{
	struct lp_window window = { small, 4, 2 };
	double scratch[8];
	struct lp_bins bins = lp_bins_freedman(&window, floor_of_one, scratch);

	(void)state;
	assert_true(bins.low == 0);
	assert_true(fabs(bins.width - 2 / cbrt(2)) < 1e-15);
	assert_int_equal(bins.count, 3);
}

static void an_idle_group_gets_the_floor_as_width(void **state)
{
	double x[5 * 4] = { 0 }, scratch[20];
	struct lp_window window = { x, 5, 4 };
	struct lp_bins bins;

	(void)state;
	x[3] = 10;
	bins = lp_bins_freedman(&window, floor_of_one, scratch);
	assert_true(bins.width == 1);
	assert_int_equal(bins.count, 10);
	x[3] = 0;
	assert_int_equal(lp_bins_freedman(&window, floor_of_one, scratch).count,
			 0);
}

static void no_bin_of_a_nearly_idle_group_is_narrower_than_the_floor(
	void **state)
{
	/* Quartiles 0 and 1, one burst: bins of 1.26 would be 80. */
	double x[5 * 4] = { 1, 0, 1, 0, 1, 0, 1, 0, 1, 0,
			    1, 0, 1, 0, 1, 0, 1, 0, 1, 100 };
	struct lp_floor floor = { .idle = 20, .always = 20 };
	struct lp_window window = { x, 5, 4 };
	struct lp_bins bins;
	double scratch[20];

	(void)state;
	bins = lp_bins_freedman(&window, floor, scratch);
	assert_true(bins.width == 20);
	assert_int_equal(bins.count, 5);
	floor.always = 0;
	assert_int_equal(lp_bins_freedman(&window, floor, scratch).count, 80);
}

static void distances_of_the_hand_computed_case(void **state)
{
	struct lp_window window = { small, 4, 2 };
	double scratch[8];
	struct lp_bins bins = lp_bins_freedman(&window, floor_of_one, scratch);
	struct lp_arena arena = { 0 };
	struct lp_curves curves;

	(void)state;
	assert_int_equal(lp_curves_make(&curves, &window, &bins, true, &arena),
			 0);
	/* 0 and 1 share bin 0; 4 is alone in bin 2: (1,1,1) and (0,0,1). */
	assert_true(lp_cdf_distance(&curves, 0, 2) == 0);
	assert_true(lp_cdf_distance(&curves, 0, 3) == 2);
	lp_arena_done(&arena);
}

static void divergence_of_disjoint_histograms_is_finite(void **state)
{
	double x[3 * 64], thresholds[3] = { 4.6, 4.6, 4.7 };
	struct lp_window window = { x, 3, 64 };
	struct lp_arena arena = { 0 };
	struct lp_curves curves;
	struct lp_verdict verdicts[3];
	struct lp_bins bins;

	(void)state;
	for (size_t i = 0; i < 3 * 64; i++)
		x[i] = i < 64;
	bins = lp_bins_sturges(&window);
	assert_int_equal(bins.count, 7);
	lp_curves_make(&curves, &window, &bins, false, &arena);
	assert_int_equal(lp_pdf_plain(&curves, thresholds, verdicts, &arena),
			 0);
	/* ((64.5 - 0.5) / 67.5) ln(64.5 / 0.5) */
	assert_true(fabs(verdicts[0].median_distance - 64 / 67.5 * log(129)) <
		    1e-14);
	assert_true(fabs(lp_pdf_maximum(64, 7) - 64 / 67.5 * log(129)) < 1e-14);
	assert_true(verdicts[0].flag);
	assert_false(verdicts[1].flag);
	assert_false(verdicts[2].flag);
	lp_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_follow_freedman_and_diaconis),
		cmocka_unit_test(an_idle_group_gets_the_floor_as_width),
		cmocka_unit_test(
			no_bin_of_a_nearly_idle_group_is_narrower_than_the_floor),
		cmocka_unit_test(distances_of_the_hand_computed_case),
		cmocka_unit_test(divergence_of_disjoint_histograms_is_finite),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
