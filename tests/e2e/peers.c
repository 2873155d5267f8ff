/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid computes of made-up peers, step by step, for peers.R to compute
 * again. One line each, numbers in hexadecimal so that none is rounded:
 *
 *     case,NAME,METHOD,N,POINTS,SMOOTH,WINDOW,SHIFT,K,FLOOR
 *     thresholds,T...
 *     x,V...                         a row of samples, by time
 *     mean,V...                      the same, smoothed
 *     bins,END,LOW,WIDTH,COUNT       of the window that ends at row END
 *     histogram,END,I,PRESENT,C...   of component I, from 0
 *     distance,END,I,J,D
 *     verdict,END,I,FLAG,OTHERS,OVER,MEDIAN,CRITICAL,ANOMALOUS,ABSENT,GONE
 *     trained,I,THRESHOLD
 */
#include "base/memory.h"
#include "detect/pdf.h"
#include "detect/shares.h"
#include "detect/train.h"
#include "stats/random.h"
#include "stats/smooth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS INT64_C(1000000000)

struct peers {
	const char *name;
	double (*draw)(struct lp_random *random, size_t i, size_t t);
	const struct lp_detector *detector;
	struct lp_detector_params params;
	size_t n, points;
	struct lp_floor floor;
	double *means;              /* [points][n] */
	struct lp_trainer *trainer; /* both NULL in the table */
};

/* By hand in the unit tests: 0 0, 0 1, 1 1, 4 4. */
static double draw_small(struct lp_random *random, size_t i, size_t t)
{
	static const double x[4][2] = {
		{ 0, 0 }, { 0, 1 }, { 1, 1 }, { 4, 4 }
	};

	(void)random;
	return x[i][t % 2];
}

static double draw_plain(struct lp_random *random, size_t i, size_t t)
{
	double v = 5 + lp_random_normal(random);

	return i == 1 && t > 60 ? 3 * v : v;
}

static double draw_idle(struct lp_random *random, size_t i, size_t t)
{
	(void)i;
	(void)t;
	return lp_random_uniform(random) < 0.97 ? 0
						: lp_random_exponential(random);
}

static double draw_tied(struct lp_random *random, size_t i, size_t t)
{
	return floor(3 * lp_random_uniform(random)) + (i == 2 && t > 90);
}

static double draw_heavy(struct lp_random *random, size_t i, size_t t)
{
	double v = lp_random_pareto(random, 0.7);

	return i % 7 == 3 && t % 100 > 50 ? 10 * v : v;
}

/* Single points, a component that goes for good, one that never was. */
static double draw_missing(struct lp_random *random, size_t i, size_t t)
{
	double u = lp_random_uniform(random);

	if ((i == 0 && t > 70) || i == 1 || (i == 2 && t % 60 > 20))
		return NAN;
	if (i == 3 && t % 17 == 0)
		return INFINITY;
	return u < 0.2 ? NAN : u + (i == 4);
}

static double draw_negative(struct lp_random *random, size_t i, size_t t)
{
	(void)t;
	return (i == 0 ? 30 : 10) * lp_random_normal(random) - 5;
}

static double draw_equal(struct lp_random *random, size_t i, size_t t)
{
	(void)random;
	(void)i;
	return t < 100 ? 7 : (double)(t % 2);
}

static void print_row(const char *what, const double *row, size_t n)
{
	printf("%s", what);
	for (size_t i = 0; i < n; i++)
		printf(",%a", row[i]);
	putchar('\n');
}

static void print_histograms(const struct lp_curves *curves, size_t end)
{
	for (size_t i = 0; i < curves->n; i++) {
		const void *row = lp_curves_row(curves, i);

		printf("histogram,%zu,%zu,%u", end, i, curves->present[i]);
		for (size_t b = 0; b < curves->bins.count; b++)
			printf(",%u", curves->rows->at(row, b));
		putchar('\n');
	}
}

static void print_distances(const struct lp_curves *curves, bool cumulative,
			    struct lp_arena *arena, size_t end)
{
	struct lp_shares shares;

	if (lp_shares_make(&shares, curves, arena) < 0)
		exit(1);
	for (size_t i = 0; i < curves->n; i++)
		for (size_t j = i + 1; j < curves->n; j++)
			if (curves->present[i] && curves->present[j])
				printf("distance,%zu,%zu,%zu,%a\n", end, i, j,
				       cumulative
					       ? lp_cdf_distance(curves, i, j)
					       : lp_shares_divergence(&shares,
								      i, j));
}

/* The window once more, by the steps that the detectors hide. */
static void print_window(const struct peers *p, size_t end)
{
	bool cumulative = p->detector == &lp_detector_cdf;
	size_t w = p->params.window;
	struct lp_arena arena = { 0 };
	double *x = lp_arena_alloc(&arena, p->n * w * sizeof(*x));
	double *scratch = lp_arena_alloc(&arena, p->n * w * sizeof(*x));
	struct lp_window window = { x, p->n, w };
	struct lp_bins bins;
	struct lp_curves curves;

	for (size_t i = 0; i < p->n; i++)
		for (size_t s = 0; s < w; s++)
			x[i * w + s] = p->means[(end - w + s) * p->n + i];
	bins = cumulative ? lp_bins_freedman(&window, p->floor, scratch)
			  : lp_bins_sturges(&window);
	printf("bins,%zu,%a,%a,%zu\n", end, bins.low, bins.width, bins.count);
	if (bins.count &&
	    lp_curves_make(&curves, &window, &bins, cumulative, &arena) == 0) {
		print_histograms(&curves, end);
		print_distances(&curves, cumulative, &arena, end);
	}
	lp_arena_done(&arena);
}

static int print_judged(void *user, const struct lp_judged *judged)
{
	struct peers *p = user;
	size_t end = (size_t)(judged->end_ns / STEP_NS);

	if (p->detector == &lp_detector_cdf || p->detector == &lp_detector_pdf)
		print_window(p, end);
	for (size_t i = 0; i < p->n; i++) {
		const struct lp_verdict *v = &judged->verdicts[i];

		printf("verdict,%zu,%zu,%d,%u,%u,%a,%a,%d,%d,%d\n", end, i,
		       v->flag, v->others, v->over, v->median_distance,
		       v->critical, judged->anomalous[i], judged->absent[i],
		       judged->gone[i]);
	}
	return lp_trainer_take(p->trainer, judged);
}

static void smooth(struct peers *p, const double *x)
{
	struct lp_smooth *s = lp_smooth_new(p->n, p->params.smooth);

	for (size_t t = 0; t < p->points; t++)
		lp_smooth_push(s, x + t * p->n, p->means + t * p->n);
	lp_smooth_free(s);
}

static void print_samples(const struct peers *p, const double *x)
{
	for (size_t t = 0; t < p->points; t++) {
		print_row("x", x + t * p->n, p->n);
		print_row("mean", p->means + t * p->n, p->n);
	}
}

static void judge(struct peers *p, const double *x, const double *thresholds,
		  double *worst)
{
	struct lp_engine_options options = { .detector = p->detector,
					     .params = p->params,
					     .n = p->n,
					     .step_ns = STEP_NS,
					     .thresholds = thresholds,
					     .floor = p->floor,
					     .exact = true };
	struct lp_engine *e = lp_engine_new(&options);

	lp_trainer_init(p->trainer, p->detector, worst, p->n);
	for (size_t t = 0; t < p->points; t++)
		if (!e || lp_engine_push(e, (int64_t)(t + 1) * STEP_NS,
					 x + t * p->n, print_judged, p) < 0)
			exit(1);
	for (size_t i = 0; i < p->n; i++)
		printf("trained,%zu,%a\n", i,
		       lp_trained_threshold(p->detector, worst[i]));
	lp_engine_free(e);
}

static void fill(const struct peers *p, struct lp_random *random, double *x,
		 double *thresholds)
{
	double usual = p->detector == &lp_detector_pdf ? 1 : 4;

	for (size_t t = 0; t < p->points; t++)
		for (size_t i = 0; i < p->n; i++)
			x[t * p->n + i] = p->draw(random, i, t);
	/* Of its own, on and off the grid of distances. */
	for (size_t i = 0; i < p->n; i++)
		thresholds[i] = p->detector->lower_is_worse
					? 0.6
					: usual * (double)(1 + i % 3) / 2;
}

static void run(struct peers p, uint64_t seed)
{
	size_t cells = p.n * p.points;
	double *x = calloc(cells, sizeof(*x));
	double *thresholds = calloc(p.n, sizeof(*thresholds));
	double *worst = calloc(p.n, sizeof(*worst));
	struct lp_trainer trainer;
	struct lp_random random;

	p.trainer = &trainer;
	p.means = calloc(cells, sizeof(*p.means));
	p.params = lp_detector_params(p.detector, &p.params);
	lp_random_init(&random, 20, seed);
	printf("case,%s,%s,%zu,%zu,%zu,%zu,%zu,%u,%a,%a\n", p.name,
	       p.detector->name, p.n, p.points, p.params.smooth,
	       p.params.window, p.params.shift, p.params.k, p.floor.idle,
	       p.floor.always);
	fill(&p, &random, x, thresholds);
	print_row("thresholds", thresholds, p.n);
	smooth(&p, x);
	print_samples(&p, x);
	judge(&p, x, thresholds, worst);
	free(x);
	free(thresholds);
	free(worst);
	free(p.means);
}

/* NAME, DRAW, N, POINTS, FLOOR, then parameters if not the defaults. */
#define PEERS(NAME, DRAW, N, POINTS, FLOOR, ...)                               \
	{                                                                      \
		.name = NAME, .draw = DRAW, .n = N, .points = POINTS,          \
		.floor.idle = FLOOR, .params = {                               \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define SHORT .smooth = 5, .window = 20, .shift = 10

static const struct peers cases[] = {
	PEERS("small", draw_small, 4, 20, 1, .smooth = 1, .window = 2,
	      .shift = 2, .k = 1),
	PEERS("plain", draw_plain, 10, 300, 1, .smooth = 0),
	PEERS("three", draw_plain, 3, 200, 1, SHORT),
	PEERS("two", draw_plain, 2, 100, 1, SHORT),
	PEERS("four", draw_heavy, 4, 200, 1, SHORT),
	PEERS("idle", draw_idle, 12, 300, 0.05, SHORT),
	PEERS("tied", draw_tied, 9, 250, 0.5, SHORT),
	PEERS("tied and not smoothed", draw_tied, 9, 250, 0.5, .smooth = 1,
	      .window = 27, .shift = 9, .k = 2),
	PEERS("heavy", draw_heavy, 16, 400, 1, .smooth = 0),
	PEERS("missing", draw_missing, 11, 300, 0.1, SHORT),
	PEERS("negative", draw_negative, 7, 200, 0.1, SHORT),
	PEERS("equal", draw_equal, 5, 200, 0.1, SHORT),
	PEERS("long window", draw_heavy, 6, 900, 0.1, .smooth = 3,
	      .window = 300, .shift = 150),
	{ .name = "nearly idle",
	  .draw = draw_heavy,
	  .n = 8,
	  .points = 200,
	  .floor = { .idle = 0.1, .always = 5 },
	  .params = { SHORT } },
};

int main(void)
{
	for (size_t d = 0; lp_detectors[d]; d++)
		for (size_t k = 0; k < lp_array_size(cases); k++) {
			struct peers p = cases[k];

			p.detector = lp_detectors[d];
			/* R knows those of one metric; the other kind has a
			   test of its own (detector). */
			if (!p.detector->joint)
				run(p, k);
		}
	return 0;
}
