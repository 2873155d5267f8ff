/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two detectors that compare histograms: cdf and pdf. They differ in their
 * bins, in whether counts are cumulative, and in the distance.
 */
#include "detect/detector.h"

#include "base/memory.h"
#include "detect/cdf.h"
#include "detect/pdf.h"

#include <errno.h>

static struct lp_curves allocate(struct lp_arena *arena, size_t n, size_t bins)
{
	return (struct lp_curves){
		.counts =
			lp_arena_alloc_raw(arena, n * bins * sizeof(uint16_t)),
		.present = lp_arena_alloc_raw(arena, n * sizeof(uint16_t)),
	};
}

static int compare_cdf(const struct lp_judge_input *input,
		       const struct lp_curves *curves, double *scratch,
		       struct lp_verdict *verdicts)
{
	if (!input->exact)
		return lp_cdf_fast(curves, input->thresholds, verdicts);
	lp_cdf_plain(curves, input->thresholds, verdicts, scratch);
	return 0;
}

static int compare_pdf(const struct lp_judge_input *input,
		       const struct lp_curves *curves, double *scratch,
		       struct lp_verdict *verdicts)
{
	if (!input->exact)
		return lp_pdf_fast(curves, input->thresholds, verdicts);
	return lp_pdf_plain(curves, input->thresholds, verdicts, scratch);
}

static int judge(const struct lp_judge_input *input, bool cumulative,
		 struct lp_verdict *verdicts)
{
	const struct lp_window *window = &input->window;
	struct lp_arena arena = { 0 };
	/* Samples of the whole group, later the distances of one component. */
	double *scratch = lp_arena_alloc_raw(&arena, window->n * window->w *
							     sizeof(*scratch));
	struct lp_curves curves = { 0 };
	struct lp_bins bins = { 0 };
	int status = -ENOMEM;

	if (scratch) {
		bins = cumulative
			       ? lp_bins_freedman(window, input->floor, scratch)
			       : lp_bins_sturges(window);
		curves = allocate(&arena, window->n, bins.count);
	}
	if (curves.counts && curves.present) {
		lp_curves_fill(&curves, window, &bins, cumulative);
		status = cumulative ? compare_cdf(input, &curves, scratch,
						  verdicts)
				    : compare_pdf(input, &curves, scratch,
						  verdicts);
	}
	lp_arena_done(&arena);
	return status;
}

static int judge_cdf(const struct lp_judge_input *input,
		     struct lp_verdict *verdicts)
{
	return judge(input, true, verdicts);
}

static int judge_pdf(const struct lp_judge_input *input,
		     struct lp_verdict *verdicts)
{
	return judge(input, false, verdicts);
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
