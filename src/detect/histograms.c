/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two detectors that compare histograms: cdf and pdf. They differ in their
 * bins, in whether counts are cumulative, and in the distance.
 */
#include "detect/detector.h"

#include "detect/cdf.h"
#include "detect/pdf.h"

#include <errno.h>

/* What the two do differently. */
struct method {
	bool cumulative;
	struct lp_bins (*bins)(const struct lp_judge_input *input,
			       double *samples);
	/* All fields of all verdicts. */
	int (*all)(const struct lp_curves *curves, const double *thresholds,
		   struct lp_verdict *verdicts, struct lp_arena *arena);
	int (*fast)(const struct lp_curves *curves, const double *thresholds,
		    struct lp_verdict *verdicts, struct lp_arena *arena);
	int (*one)(const struct lp_curves *curves, size_t i, double threshold,
		   struct lp_verdict *verdict, struct lp_arena *arena);
};

/*
 * The histograms of a window, kept for who asks later, with or without those
 * of the components. No bins (all samples are equal): there are no distances.
 * NULL: no memory.
 */
static struct lp_curves *curves_of(const struct method *method,
				   const struct lp_judge_input *input,
				   struct lp_arena *arena)
{
	const struct lp_window *window = &input->window;
	struct lp_curves *curves = input->memo ? *input->memo : NULL;
	double *samples;
	struct lp_bins bins;

	if (curves)
		return curves;
	curves = lp_arena_alloc(arena, sizeof(*curves));
	samples = lp_arena_alloc_raw(arena,
				     window->n * window->w * sizeof(*samples));
	if (!curves || !samples)
		return NULL;
	bins = method->bins(input, samples);
	if (bins.count && lp_curves_plan(curves, window, &bins,
					 method->cumulative, arena) < 0)
		return NULL;
	if (input->memo)
		*input->memo = curves;
	return curves;
}

/* The same, with those of all components; they take no time twice. */
static struct lp_curves *all_curves_of(const struct method *method,
				       const struct lp_judge_input *input,
				       struct lp_arena *arena)
{
	struct lp_curves *curves = curves_of(method, input, arena);

	for (size_t i = 0; curves && i < curves->n; i++)
		lp_curves_fill(curves, i);
	return curves;
}

static int judge(const struct method *method,
		 const struct lp_judge_input *input, struct lp_arena *arena,
		 struct lp_verdict *verdicts)
{
	struct lp_curves *curves = all_curves_of(method, input, arena);

	if (!curves)
		return -ENOMEM;
	if (curves->bins.count)
		return (input->exact ? method->all : method->fast)(
			curves, input->thresholds, verdicts, arena);
	for (size_t i = 0; i < input->window.n; i++)
		verdicts[i] = lp_verdict_none();
	return 0;
}

static int explain(const struct method *method,
		   const struct lp_judge_input *input, size_t i,
		   struct lp_arena *arena, struct lp_verdict *verdict)
{
	struct lp_curves *curves = all_curves_of(method, input, arena);

	if (!curves)
		return -ENOMEM;
	*verdict = lp_verdict_none();
	return curves->bins.count ? method->one(curves, i, input->thresholds[i],
						verdict, arena)
				  : 0;
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
	.all = lp_cdf_all,
	.fast = lp_cdf_fast,
	.one = lp_cdf_explain,
};

/* More than so many are better judged by bounds from all histograms. */
#define OPEN_MOST 16

static int judge_cdf(const struct lp_judge_input *input, struct lp_arena *arena,
		     struct lp_verdict *verdicts)
{
	struct lp_curves *curves = NULL;
	struct lp_glance glance;

	if (input->exact)
		return judge(&cdf, input, arena, verdicts);
	if (lp_cdf_glance(&glance, input, arena) < 0)
		return -ENOMEM;
	if (glance.n_open > OPEN_MOST)
		return judge(&cdf, input, arena, verdicts);
	if (glance.n_open > 0) {
		curves = curves_of(&cdf, input, arena);
		if (!curves)
			return -ENOMEM;
	}
	lp_cdf_settle(&glance, curves, input, verdicts);
	return 0;
}

static int explain_cdf(const struct lp_judge_input *input, size_t i,
		       struct lp_arena *arena, struct lp_verdict *verdict)
{
	return explain(&cdf, input, i, arena, verdict);
}

const struct lp_detector lp_detector_cdf = {
	.name = "cdf",
	.help = "distances of cumulative histograms",
	.usual_trained = true,
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
	.all = lp_pdf_plain,
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
