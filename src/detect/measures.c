/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two cheaper measures that the thesis compares with (5.8): `median`, the sum
 * of the differences to the group's median series, and `thresh`, the largest
 * sample. Neither has an untrained threshold: both are in the metric's unit.
 */
#include "detect/detector.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>

/* Components with fewer than half of its samples have no measure. */
static bool enough(const double *x, size_t w, size_t *present)
{
	*present = 0;
	for (size_t s = 0; s < w; s++)
		*present += lp_is_sample(x[s]);
	return *present && 2 * *present >= w;
}

static void conclude(const struct lp_judge_input *input, size_t i,
		     double measure, struct lp_verdict *verdict)
{
	*verdict = (struct lp_verdict){
		.median_distance = measure,
		.critical = measure,
		.flag = measure > input->thresholds[i],
	};
}

static void count_others(const struct lp_window *window,
			 struct lp_verdict *verdicts)
{
	uint32_t with = 0;

	for (size_t i = 0; i < window->n; i++)
		with += isnan(verdicts[i].critical) ? 0u : 1u;
	for (size_t i = 0; i < window->n; i++) {
		bool has = !isnan(verdicts[i].critical);

		verdicts[i].others = has ? with - 1 : 0;
		verdicts[i].flag = verdicts[i].flag && with > 2;
	}
}

static void median_series(const struct lp_window *window, double *column,
			  double *middle)
{
	for (size_t s = 0; s < window->w; s++) {
		size_t n = 0;

		for (size_t i = 0; i < window->n; i++) {
			double v = window->x[i * window->w + s];

			if (lp_is_sample(v))
				column[n++] = v;
		}
		middle[s] = lp_median(column, n);
	}
}

/* Missing samples are taken for average ones: the sum is scaled up. */
static double distance_to(const double *middle, const double *x, size_t w)
{
	double sum = 0;
	size_t present;

	if (!enough(x, w, &present))
		return NAN;
	for (size_t s = 0; s < w; s++)
		if (lp_is_sample(x[s]))
			sum += fabs(x[s] - middle[s]);
	return sum * (double)w / (double)present;
}

static int judge_median(const struct lp_judge_input *input,
			struct lp_arena *arena, struct lp_verdict *verdicts)
{
	const struct lp_window *window = &input->window;
	double *column = lp_arena_alloc_raw(arena, window->n * sizeof(*column));
	double *middle = lp_arena_alloc_raw(arena, window->w * sizeof(*middle));

	if (!column || !middle)
		return -ENOMEM;
	median_series(window, column, middle);
	for (size_t i = 0; i < window->n; i++)
		conclude(input, i,
			 distance_to(middle, window->x + i * window->w,
				     window->w),
			 &verdicts[i]);
	count_others(window, verdicts);
	return 0;
}

static double largest(const double *x, size_t w)
{
	double most = -INFINITY;
	size_t present;

	if (!enough(x, w, &present))
		return NAN;
	for (size_t s = 0; s < w; s++)
		if (lp_is_sample(x[s]) && x[s] > most)
			most = x[s];
	return most;
}

static int judge_thresh(const struct lp_judge_input *input,
			struct lp_arena *arena, struct lp_verdict *verdicts)
{
	const struct lp_window *window = &input->window;

	(void)arena;
	for (size_t i = 0; i < window->n; i++)
		conclude(input, i,
			 largest(window->x + i * window->w, window->w),
			 &verdicts[i]);
	count_others(window, verdicts);
	return 0;
}

#define WINDOWS_AS_CDF                                                         \
	{                                                                      \
		.smooth = 15, .window = 60, .shift = 30, .k = 3,               \
		.threshold = NAN                                               \
	}

const struct lp_detector lp_detector_median = {
	.name = "median",
	.help = "summed difference to the group's median series",
	.defaults = WINDOWS_AS_CDF,
	.coarse = LP_COARSE_WINDOWS,
	.judge = judge_median,
};

const struct lp_detector lp_detector_thresh = {
	.name = "thresh",
	.help = "largest value of the window",
	.defaults = WINDOWS_AS_CDF,
	.coarse = LP_COARSE_WINDOWS,
	.judge = judge_thresh,
};
