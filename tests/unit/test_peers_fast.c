/* SPDX-License-Identifier: Apache-2.0 */
/* The fast versions flag what the plain ones flag, whatever the samples. */
#include "unit.h"

#include "detect/detector.h"
#include "stats/random.h"

#include <math.h>
#include <stdlib.h>

struct group {
	size_t n, w;
	double *x, *thresholds;
	struct lp_verdict *plain, *fast;
	struct lp_arena arena;
};

enum shape {
	RANDOM,
	IDLE,
	TIED,
	HEAVY,
	MISSING,
	MOSTLY_MISSING,
	TWO_KINDS,
	ALL_DIFFER,
	SHAPES
};

static double draw(struct lp_random *r, enum shape shape, size_t i)
{
	double u = lp_random_uniform(r);

	switch (shape) {
	case IDLE:
		return u < 0.98 ? 0 : lp_random_exponential(r);
	case TIED:
		return floor(3 * u);
	case HEAVY:
		return lp_random_pareto(r, 0.5);
	case MISSING:
		return u < 0.05 ? NAN : lp_random_uniform(r) + (i % 7 == 0);
	case MOSTLY_MISSING:
		return u < 0.5 ? NAN : lp_random_normal(r);
	case TWO_KINDS:
		return (i % 2 ? 10 : 0) + u;
	case ALL_DIFFER:
		return (double)i + u;
	default:
		return lp_random_normal(r);
	}
}

static struct group make(struct lp_random *r, size_t n, size_t w,
			 enum shape shape)
{
	struct group g = { .n = n, .w = w };

	g.x = calloc(n * w, sizeof(*g.x));
	g.thresholds = calloc(n, sizeof(*g.thresholds));
	g.plain = calloc(n, sizeof(*g.plain));
	g.fast = calloc(n, sizeof(*g.fast));
	for (size_t k = 0; k < n * w; k++)
		g.x[k] = draw(r, shape, k / w);
	return g;
}

static void done(struct group *g)
{
	free(g->x);
	free(g->thresholds);
	free(g->plain);
	free(g->fast);
	lp_arena_done(&g->arena);
}

static void judge(struct group *g, const struct lp_detector *detector,
		  bool exact, bool flagged)
{
	struct lp_judge_input input = { .window = { g->x, g->n, g->w },
					.thresholds = g->thresholds,
					.floor.idle = 0.01,
					.exact = exact,
					.flagged = flagged };

	lp_arena_reset(&g->arena);
	assert_int_equal(
		detector->judge(&input, &g->arena, exact ? g->plain : g->fast),
		0);
}

/* Those with a flag have all that the plain version gives, nobody else. */
static void compare_flagged(struct group *g, const struct lp_detector *detector)
{
	judge(g, detector, false, true);
	for (size_t i = 0; i < g->n; i++) {
		const struct lp_verdict *a = &g->plain[i], *b = &g->fast[i];

		assert_int_equal(a->flag, b->flag);
		assert_int_equal(a->others, b->others);
		if (!b->flag) {
			assert_true(b->over == 0 && isnan(b->critical));
			continue;
		}
		assert_int_equal(a->over, b->over);
		assert_true(a->critical == b->critical);
		assert_true(a->median_distance == b->median_distance);
	}
}

static void compare(struct group *g, const struct lp_detector *detector)
{
	judge(g, detector, true, false);
	judge(g, detector, false, false);
	for (size_t i = 0; i < g->n; i++) {
		if (g->plain[i].flag != g->fast[i].flag)
			fail_msg("%s: %zu of %zu, window %zu, threshold %a",
				 detector->name, i, g->n, g->w,
				 g->thresholds[i]);
		assert_int_equal(g->plain[i].others, g->fast[i].others);
		assert_true(isnan(g->fast[i].critical));
	}
	compare_flagged(g, detector);
}

static double any_threshold(struct lp_random *r)
{
	static const double odd[] = { 0,    -1,       -1e-9, 1e9,
				      -0.0, INFINITY, NAN,   1e-300 };
	double u = lp_random_uniform(r);

	if (u < 0.1)
		return odd[(size_t)(80 * u)];
	/* Whole and half ones meet distances exactly. */
	return u < 0.5 ? floor(60 * lp_random_uniform(r)) / 2 : 10 * u;
}

/* On the distance that decides, just below it, just above it. */
static void aim(struct group *g)
{
	for (size_t i = 0; i < g->n; i++) {
		double c = g->plain[i].critical;

		if (isnan(c))
			continue;
		g->thresholds[i] = i % 3 == 0   ? c
				   : i % 3 == 1 ? nextafter(c, -INFINITY)
						: nextafter(c, INFINITY);
	}
}

/* The flag is "critical > threshold", so it is known beforehand. */
static void check_aimed(const struct group *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (!isnan(g->plain[i].critical))
			assert_int_equal(g->plain[i].flag, i % 3 == 1);
}

static void one_round(struct lp_random *r, const struct lp_detector *detector,
		      size_t n, size_t w, enum shape shape)
{
	struct group g = make(r, n, w, shape);
	double scale = detector == &lp_detector_pdf ? 6 : 1;

	for (size_t i = 0; i < n; i++)
		g.thresholds[i] = any_threshold(r) / scale;
	compare(&g, detector);
	aim(&g);
	compare(&g, detector);
	check_aimed(&g);
	done(&g);
}

static void many_rounds(const struct lp_detector *detector)
{
	struct lp_random r;

	lp_random_init(&r, 1, 1);
	for (int round = 0; round < 400; round++)
		one_round(&r, detector,
			  3 + (size_t)(50 * lp_random_uniform(&r)),
			  1 + (size_t)(80 * lp_random_uniform(&r)),
			  (enum shape)(round % SHAPES));
	for (int shape = 0; shape < SHAPES; shape++) {
		one_round(&r, detector, 130, 60, (enum shape)shape);
		one_round(&r, detector, 20, 300, (enum shape)shape);
	}
	one_round(&r, detector, 700, 60, HEAVY);
	one_round(&r, detector, 2000, 12, MISSING);
	one_round(&r, detector, 2100, 4, RANDOM);
}

static void cdf_by_bounds_flags_what_all_pairs_flag(void **state)
{
	(void)state;
	many_rounds(&lp_detector_cdf);
}

static void pdf_by_equal_histograms_flags_what_all_pairs_flag(void **state)
{
	(void)state;
	many_rounds(&lp_detector_pdf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cdf_by_bounds_flags_what_all_pairs_flag),
		cmocka_unit_test(
			pdf_by_equal_histograms_flags_what_all_pairs_flag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
