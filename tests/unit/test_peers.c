/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "detect/cdf.h"
#include "detect/pdf.h"

#include <math.h>
#include <stdlib.h>

/*
 * Four components, two samples each, by hand: values 0 0, 0 1, 1 1, 4 4. Range
 * 4; four components, so MAD: median of {0 0 0 1 1 1 4 4} = 1, deviations
 * {1 1 1 0 0 0 3 3}, MAD 1; width 2 / cbrt(2) = 1.587, 3 bins.
 */
static const double small[] = { 0, 0, 0, 1, 1, 1, 4, 4 };

static void bins_follow_freedman_and_diaconis(void **state)
{
	struct lp_window window = { small, 4, 2 };
	double scratch[8];
	struct lp_bins bins = lp_bins_freedman(&window, 1, scratch);

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
	bins = lp_bins_freedman(&window, 1, scratch);
	assert_true(bins.width == 1);
	assert_int_equal(bins.count, 10);
	x[3] = 0;
	assert_int_equal(lp_bins_freedman(&window, 1, scratch).count, 0);
}

static void distances_of_the_hand_computed_case(void **state)
{
	struct lp_window window = { small, 4, 2 };
	double scratch[8];
	struct lp_bins bins = lp_bins_freedman(&window, 1, scratch);
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

struct sample {
	size_t n, w;
	double *x, *thresholds;
};

/* Idle, tied, heavy-tailed, missing, shifted, adversarial. */
static double draw(int shape, size_t i)
{
	double u = (double)(1 + rand() % 10000) / 10001;

	switch (shape) {
	case 0:
		return rand() % 50 ? 0 : u;
	case 1:
		return rand() % 3;
	case 2:
		return pow(u, -2);
	case 3:
		return rand() % 20 ? u + (i % 7 == 0) : NAN;
	case 4:
		return rand() % 2 ? NAN : u;
	default:
		return (double)i + u;
	}
}

static void compare(const struct sample *s, const struct lp_detector *detector)
{
	struct lp_judge_input input = { .window = { s->x, s->n, s->w },
					.thresholds = s->thresholds,
					.floor = 0.01 };
	struct lp_verdict *plain = calloc(s->n, sizeof(*plain));
	struct lp_verdict *fast = calloc(s->n, sizeof(*fast));
	struct lp_arena arena = { 0 };

	assert_int_equal(detector->judge(&input, &arena, fast), 0);
	input.exact = true;
	assert_int_equal(detector->judge(&input, &arena, plain), 0);
	for (size_t i = 0; i < s->n; i++) {
		assert_int_equal(plain[i].flag, fast[i].flag);
		assert_int_equal(plain[i].others, fast[i].others);
	}
	lp_arena_done(&arena);
	free(plain);
	free(fast);
}

static void one_round(size_t n, size_t w, int shape)
{
	struct sample s = { n, w, calloc(n * w, sizeof(double)),
			    calloc(n, sizeof(double)) };
	double base = (double)(rand() % 40) / 4;

	for (size_t i = 0; i < n * w; i++)
		s.x[i] = draw(shape, i / w);
	/* Whole and half thresholds meet distances exactly. */
	for (size_t i = 0; i < n; i++)
		s.thresholds[i] = rand() % 5 ? base : (rand() % 60) / 2.0 - 1;
	compare(&s, &lp_detector_cdf);
	/* Divergences are at most 4.61. */
	for (size_t i = 0; i < n; i++)
		s.thresholds[i] /= 6;
	compare(&s, &lp_detector_pdf);
	free(s.x);
	free(s.thresholds);
}

static void the_fast_way_flags_what_the_plain_one_flags(void **state)
{
	(void)state;
	srand(2);
	for (int round = 0; round < 600; round++)
		one_round(3 + (size_t)rand() % 40, 4 + (size_t)rand() % 60,
			  round % 6);
	one_round(300, 60, 2);
	one_round(2000, 8, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_follow_freedman_and_diaconis),
		cmocka_unit_test(an_idle_group_gets_the_floor_as_width),
		cmocka_unit_test(distances_of_the_hand_computed_case),
		cmocka_unit_test(divergence_of_disjoint_histograms_is_finite),
		cmocka_unit_test(the_fast_way_flags_what_the_plain_one_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
