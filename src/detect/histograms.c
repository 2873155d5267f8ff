/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two detectors that compare histograms: cdf and pdf. They differ in their
 * bins, in whether counts are cumulative, and in the distance.
 */
#include "detect/detector.h"

#include "detect/cdf.h"
#include "detect/pdf.h"

#include <assert.h>
#include <errno.h>

/* What the two do differently. */
struct method {
	bool cumulative;
	struct lp_bins (*bins)(const struct lp_judge_input *input,
			       double *samples);
	int (*plain)(const struct lp_curves *curves, const double *thresholds,
		     struct lp_verdict *verdicts, struct lp_arena *arena);
	int (*fast)(const struct lp_curves *curves, const double *thresholds,
		    struct lp_verdict *verdicts, struct lp_arena *arena);
	int (*one)(const struct lp_curves *curves, size_t i, double threshold,
		   struct lp_verdict *verdict, struct lp_arena *arena);
};

/* No bins (all samples are equal): there are no distances. 0 or -ENOMEM. */
static int make_curves(const struct method *method,
		       const struct lp_judge_input *input,
		       struct lp_curves *curves, struct lp_arena *arena)
{
	const struct lp_window *window = &input->window;
	double *samples = lp_arena_alloc_raw(arena, window->n * window->w *
							    sizeof(*samples));
	struct lp_bins bins;

	if (!samples)
		return -ENOMEM;
	bins = method->bins(input, samples);
	curves->bins = 0;
	return bins.count ? lp_curves_make(curves, window, &bins,
					   method->cumulative, arena)
			  : 0;
}

/* Those who ask for the distances of few pay for few. */
static int explain_flagged(const struct method *method,
			   const struct lp_judge_input *input,
			   const struct lp_curves *curves,
			   struct lp_arena *arena, struct lp_verdict *verdicts)
{
	int r = 0;

	for (size_t i = 0; i < input->window.n && r == 0; i++) {
		if (!verdicts[i].flag)
			continue;
		r = method->one(curves, i, input->thresholds[i], &verdicts[i],
				arena);
		assert(r < 0 || verdicts[i].flag);
	}
	return r;
}

static int judge(const struct method *method,
		 const struct lp_judge_input *input, struct lp_arena *arena,
		 struct lp_verdict *verdicts)
{
	struct lp_curves curves;
	int r;

	if (make_curves(method, input, &curves, arena) < 0)
		return -ENOMEM;
	for (size_t i = 0; curves.bins == 0 && i < input->window.n; i++)
		verdicts[i] = lp_verdict_none();
	if (curves.bins == 0)
		return 0;
	r = (input->exact ? method->plain : method->fast)(
		&curves, input->thresholds, verdicts, arena);
	if (r == 0 && input->flagged && !input->exact)
		r = explain_flagged(method, input, &curves, arena, verdicts);
	return r;
}

static int explain(const struct method *method,
		   const struct lp_judge_input *input, size_t i,
		   struct lp_arena *arena, struct lp_verdict *verdict)
{
	struct lp_curves curves;

	if (make_curves(method, input, &curves, arena) < 0)
		return -ENOMEM;
	if (curves.bins == 0) {
		*verdict = lp_verdict_none();
		return 0;
	}
	return method->one(&curves, i, input->thresholds[i], verdict, arena);
}

/* ---- cdf ---- */

static struct lp_bins bins_cdf(const struct lp_judge_input *input,
			       double *samples)
{
	return lp_bins_freedman(&input->window, input->floor, samples);
}

static const struct method cdf = {
	.cumulative = true,
	.bins = bins_cdf,
	.plain = lp_cdf_plain,
	.fast = lp_cdf_fast,
	.one = lp_cdf_explain,
};

static int judge_cdf(const struct lp_judge_input *input, struct lp_arena *arena,
		     struct lp_verdict *verdicts)
{
	return judge(&cdf, input, arena, verdicts);
}

static int explain_cdf(const struct lp_judge_input *input, size_t i,
		       struct lp_arena *arena, struct lp_verdict *verdict)
{
	return explain(&cdf, input, i, arena, verdict);
}

const struct lp_detector lp_detector_cdf = {
	.name = "cdf",
	.help = "distances of cumulative histograms",
	.usual = true,
	.defaults = { .smooth = 15,
		      .window = 60,
		      .shift = 30,
		      .k = 3,
		      .threshold = 12 },
	.coarse = LP_COARSE_WINDOWS,
	.threshold_in_bins = true,
	.judge = judge_cdf,
	.explain = explain_cdf,
};

/* ---- pdf ---- */

static struct lp_bins bins_pdf(const struct lp_judge_input *input,
			       double *samples)
{
	(void)samples;
	return lp_bins_sturges(&input->window);
}

static const struct method pdf = {
	.bins = bins_pdf,
	.plain = lp_pdf_plain,
	.fast = lp_pdf_fast,
	.one = lp_pdf_explain,
};

static int judge_pdf(const struct lp_judge_input *input, struct lp_arena *arena,
		     struct lp_verdict *verdicts)
{
	return judge(&pdf, input, arena, verdicts);
}

static int explain_pdf(const struct lp_judge_input *input, size_t i,
		       struct lp_arena *arena, struct lp_verdict *verdict)
{
	return explain(&pdf, input, i, arena, verdict);
}

static double most_pdf(const struct lp_detector_params *params)
{
	return lp_pdf_maximum(params->window,
			      lp_bins_sturges_count(params->window));
}

const struct lp_detector lp_detector_pdf = {
	.name = "pdf",
	.help = "Kullback-Leibler divergence of histograms",
	.defaults = { .smooth = 5,
		      .window = 64,
		      .shift = 32,
		      .k = 3,
		      .threshold = 2 },
	.coarse = LP_COARSE_WINDOWS,
	.most = most_pdf,
	.judge = judge_pdf,
	.explain = explain_pdf,
};
