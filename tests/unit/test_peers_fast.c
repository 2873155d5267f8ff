/* SPDX-License-Identifier: Apache-2.0 */
/* The fast versions flag what the plain ones flag, whatever the samples. */
#include "unit.h"

#include "detect/pdf.h"
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
	BUSY,
	FAR_AWAY,
	HUGE_ONES,
	INFINITE,
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
	case BUSY:
		return u < 0.01 ? lp_random_pareto(r, 1.5)
				: lp_random_normal(r);
	case FAR_AWAY:
		return 1e15 + floor(3 * lp_random_normal(r));
	case HUGE_ONES:
		return 1e306 * lp_random_normal(r);
	case INFINITE:
		return u < 0.001 ? INFINITY : lp_random_exponential(r);
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

static int plain(const struct lp_detector *detector,
		 const struct lp_judge_input *input, struct lp_arena *arena,
		 struct lp_verdict *verdicts)
{
	const struct lp_window *window = &input->window;
	bool cdf = detector == &lp_detector_cdf;
	double *samples = lp_arena_alloc_raw(arena, window->n * window->w *
							    sizeof(*samples));
	struct lp_bins bins =
		cdf ? lp_bins_freedman(window, input->floor, samples)
		    : lp_bins_sturges(window);
	struct lp_curves curves;

	for (size_t i = 0; i < window->n; i++)
		verdicts[i] = lp_verdict_none();
	if (bins.count == 0)
		return 0;
	assert_int_equal(lp_curves_make(&curves, window, &bins, cdf, arena), 0);
	return (cdf ? lp_cdf_plain : lp_pdf_plain)(&curves, input->thresholds,
						   verdicts, arena);
}

static struct lp_judge_input input_of(const struct group *g, bool exact,
				      void **memo)
{
	return (struct lp_judge_input){ .window = { g->x, g->n, g->w },
					.thresholds = g->thresholds,
					.floor.idle = 0.01,
					.exact = exact,
					.memo = memo };
}

/* NaN is the same as NaN. */
static void assert_same(double a, double b)
{
	assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_all_the_same(const struct lp_verdict *a,
				const struct lp_verdict *b)
{
	assert_int_equal(a->flag, b->flag);
	assert_int_equal(a->others, b->others);
	assert_int_equal(a->over, b->over);
	assert_same(a->critical, b->critical);
	assert_same(a->median_distance, b->median_distance);
}

/* Whoever asks for a distance gets that of the plain version. */
static void compare_explained(struct group *g,
			      const struct lp_detector *detector,
			      const struct lp_judge_input *input)
{
	for (size_t i = 0; i < g->n; i += 1 + g->n / 40) {
		struct lp_verdict one;

		assert_int_equal(lp_detector_explain(detector, input, i,
						     &g->arena, &one),
				 0);
		assert_all_the_same(&g->plain[i], &one);
	}
}

static void compare(struct group *g, const struct lp_detector *detector)
{
	void *memo = NULL;
	struct lp_judge_input exact = input_of(g, true, NULL);
	struct lp_judge_input fast = input_of(g, false, &memo);

	lp_arena_reset(&g->arena);
	assert_int_equal(plain(detector, &exact, &g->arena, g->plain), 0);
	assert_int_equal(detector->judge(&exact, &g->arena, g->fast), 0);
	for (size_t i = 0; i < g->n; i++)
		assert_all_the_same(&g->plain[i], &g->fast[i]);
	assert_int_equal(detector->judge(&fast, &g->arena, g->fast), 0);
	for (size_t i = 0; i < g->n; i++) {
		if (g->plain[i].flag != g->fast[i].flag)
			fail_msg("%s: %zu of %zu, window %zu, threshold %a",
				 detector->name, i, g->n, g->w,
				 g->thresholds[i]);
		assert_int_equal(g->plain[i].others, g->fast[i].others);
		assert_true(isnan(g->fast[i].critical));
	}
	compare_explained(g, detector, &fast);
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

/* What a glance at a window is enough for. */
struct glances {
	size_t nobody, some, nothing;
};

static void count_glance(struct group *g, struct glances *glances)
{
	struct lp_judge_input input = input_of(g, false, NULL);
	struct lp_glance glance;

	lp_arena_reset(&g->arena);
	assert_int_equal(lp_cdf_glance(&glance, &input, &g->arena), 0);
	glances->nobody += glance.n_open == 0;
	glances->some += glance.n_open > 0 && glance.n_open < g->n;
	glances->nothing += glance.n_open >= g->n;
}

/* Only a few have a threshold that their distances come near. */
static void aim_at_few(struct group *g, struct lp_random *r)
{
	struct lp_judge_input input = input_of(g, true, NULL);
	size_t first = (size_t)(lp_random_uniform(r) * (double)g->n);

	lp_arena_reset(&g->arena);
	assert_int_equal(plain(&lp_detector_cdf, &input, &g->arena, g->plain),
			 0);
	aim(g);
	for (size_t i = 0; i < g->n; i++)
		if ((i + first) % g->n > 12)
			g->thresholds[i] = 40;
}

static void a_glance_flags_what_all_pairs_flag(void **state)
{
	static const double thresholds[] = { 2, 5, 7, 12, 40 };
	struct glances seen = { 0 };
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 1, 2);
	for (int round = 0; round < 200; round++) {
		size_t w = 12 + (size_t)(60 * lp_random_uniform(&r));
		struct group g = make(&r, 2500 / w + (size_t)(20 * (round % 7)),
				      w, (enum shape)(round % SHAPES));

		for (size_t i = 0; i < g.n; i++)
			g.thresholds[i] = thresholds[round / SHAPES % 5];
		compare(&g, &lp_detector_cdf);
		count_glance(&g, &seen);
		aim_at_few(&g, &r);
		compare(&g, &lp_detector_cdf);
		count_glance(&g, &seen);
		done(&g);
	}
	/* All three ways were gone. */
	assert_true(seen.nobody > 30);
	assert_true(seen.some > 30);
	assert_true(seen.nothing > 30);
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
		cmocka_unit_test(a_glance_flags_what_all_pairs_flag),
		cmocka_unit_test(cdf_by_bounds_flags_what_all_pairs_flag),
		cmocka_unit_test(
			pdf_by_equal_histograms_flags_what_all_pairs_flag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
