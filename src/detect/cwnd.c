/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Congestion windows, second by second (FAST'10 10.1, thesis 4.6.1): loss
 * halves cwnd, so on a logarithmic scale a lossy server sinks below the
 * median of its peers. Smoothed over 31 s by the engine, then a window of one
 * sample: a server whose log2 is below its fraction of the median is named.
 */
#include "detect/detector.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>

/* Thesis 4.6.1: so many seconds. */
#define SMOOTH_S 31

/* A window of 1 has nothing to lose; below it the logarithm is negative. */
static double log_cwnd(double cwnd)
{
	return !lp_is_sample(cwnd) ? NAN : cwnd >= 1 ? log2(cwnd) : 0;
}

static int judge_cwnd(const struct lp_judge_input *input,
		      struct lp_arena *arena, struct lp_verdict *verdicts)
{
	size_t n = input->window.n, w = input->window.w;
	double *present = lp_arena_alloc_raw(arena, n * sizeof(*present));
	uint32_t with = 0;
	double middle;

	if (!present)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		double v = log_cwnd(input->window.x[i * w + w - 1]);

		verdicts[i] = (struct lp_verdict){ .median_distance = v,
						   .critical = NAN };
		if (!isnan(v))
			present[with++] = v;
	}
	middle = lp_median(present, with);
	for (size_t i = 0; i < n; i++) {
		struct lp_verdict *v = &verdicts[i];

		if (isnan(v->median_distance) || !(middle > 0))
			continue;
		v->others = with - 1;
		v->critical = v->median_distance / middle;
		v->flag = with > 2 && v->critical < input->thresholds[i];
	}
	return 0;
}

const struct lp_detector lp_detector_cwnd = {
	.name = "cwnd",
	.help = "logarithm of the congestion window against the median",
	.usual_trained = true,
	.role = LP_CONGESTION,
	.lower_is_worse = true,
	.needs_loss = true,
	.smooth_ns = SMOOTH_S * LP_NS_PER_S,
	.defaults = { .smooth = SMOOTH_S,
		      .window = 1,
		      .shift = 1,
		      .k = 1,
		      .threshold = 0.5 },
	.judge = judge_cwnd,
};
