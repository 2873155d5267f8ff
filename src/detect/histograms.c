/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two detectors that compare histograms: cdf and pdf. They differ in their
 * bins, in whether counts are cumulative, and in the distance.
 */
#include "detect/detector.h"

#include "detect/cdf.h"
#include "detect/pdf.h"

#include <errno.h>
#include <math.h>

typedef int compare(const struct lp_curves *curves, const double *thresholds,
		    struct lp_verdict *verdicts, struct lp_arena *arena);

static int judge(const struct lp_judge_input *input, const struct lp_bins *bins,
		 bool cumulative, compare *way, struct lp_arena *arena,
		 struct lp_verdict *verdicts)
{
	struct lp_curves curves;

	/* All samples are equal: there are no distances. */
	if (bins->count == 0) {
		for (size_t i = 0; i < input->window.n; i++)
			verdicts[i] =
				(struct lp_verdict){ .median_distance = NAN,
						     .critical = NAN };
		return 0;
	}
	if (lp_curves_make(&curves, &input->window, bins, cumulative, arena) <
	    0)
		return -ENOMEM;
	return way(&curves, input->thresholds, verdicts, arena);
}

static int judge_cdf(const struct lp_judge_input *input, struct lp_arena *arena,
		     struct lp_verdict *verdicts)
{
	const struct lp_window *window = &input->window;
	double *samples = lp_arena_alloc_raw(arena, window->n * window->w *
							    sizeof(*samples));
	struct lp_bins bins;

	if (!samples)
		return -ENOMEM;
	bins = lp_bins_freedman(window, input->floor, samples);
	return judge(input, &bins, true,
		     input->exact ? lp_cdf_plain : lp_cdf_fast, arena,
		     verdicts);
}

static int judge_pdf(const struct lp_judge_input *input, struct lp_arena *arena,
		     struct lp_verdict *verdicts)
{
	struct lp_bins bins = lp_bins_sturges(&input->window);

	return judge(input, &bins, false,
		     input->exact ? lp_pdf_plain : lp_pdf_fast, arena,
		     verdicts);
}

const struct lp_detector lp_detector_cdf = {
	.name = "cdf",
	.help = "distances of cumulative histograms (thesis 3.3)",
	.defaults = { .smooth = 15,
		      .window = 60,
		      .shift = 30,
		      .k = 3,
		      .threshold = 12 },
	.judge = judge_cdf,
};

const struct lp_detector lp_detector_pdf = {
	.name = "pdf",
	.help = "Kullback-Leibler divergence of histograms (FAST'10 10.1)",
	.defaults = { .smooth = 5,
		      .window = 64,
		      .shift = 32,
		      .k = 3,
		      .threshold = 2 },
	.judge = judge_pdf,
};
