/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who differs from its peers in one window: distances of cumulative
 * histograms (thesis 3.3, method `cdf`).
 *
 * d(P, Q) = sum over bins of |P - Q|, P and Q cumulative shares of the samples
 * present. It is computed from the counts in whole numbers and divided once,
 * so it does not depend on any order, and the two versions below agree to the
 * last bit.
 */
#ifndef LP_DETECT_CDF_H
#define LP_DETECT_CDF_H

#include "detect/detector.h"

/*
 * Judge every component by all its pairs, with any distance: both methods'
 * plain versions are this. Components without a histogram get no flag, and
 * neither does anyone with fewer than two others. 0 or -ENOMEM.
 */
int lp_judge_pairs(const struct lp_curves *curves,
		   double (*distance)(const void *of, size_t i, size_t j),
		   const void *of, const double *thresholds,
		   struct lp_verdict *verdicts, struct lp_arena *arena);

/* The verdict on component i, likewise. 0 or -ENOMEM. */
int lp_judge_pairs_of(const struct lp_curves *curves,
		      double (*distance)(const void *of, size_t i, size_t j),
		      const void *of, size_t i, double threshold,
		      struct lp_verdict *verdict, struct lp_arena *arena);

/* The plain version: all pairs. 0 or -ENOMEM. */
int lp_cdf_plain(const struct lp_curves *curves, const double *thresholds,
		 struct lp_verdict *verdicts, struct lp_arena *arena);

/*
 * The same as the plain one to the last bit, in a fraction of the time: sums
 * are counted, not sorted. 0 or -ENOMEM.
 */
int lp_cdf_all(const struct lp_curves *curves, const double *thresholds,
	       struct lp_verdict *verdicts, struct lp_arena *arena);

/*
 * The fast one: the same `flag` and `others`, most of them from bounds without
 * a single pair. 0 or -ENOMEM.
 */
int lp_cdf_fast(const struct lp_curves *curves, const double *thresholds,
		struct lp_verdict *verdicts, struct lp_arena *arena);

/* What the samples of a window tell before there are histograms. */
struct lp_glance {
	size_t n;      /* components that have a histogram */
	double *far;   /* [n of the window]: NaN: it has none */
	uint8_t *open; /* [n of the window]: it may differ; nobody else does */
	size_t n_open; /* SIZE_MAX: nothing is certain, nothing else is set */
};

/* Look at a window, in memory of the arena. 0 or -ENOMEM. */
int lp_cdf_glance(struct lp_glance *glance, const struct lp_judge_input *input,
		  struct lp_arena *arena);

/*
 * The same `flag` and `others`: by pairs for those who are open, of histograms
 * that are counted when they are needed. `curves` can be NULL if nobody is.
 */
void lp_cdf_settle(const struct lp_glance *glance, struct lp_curves *curves,
		   const struct lp_judge_input *input,
		   struct lp_verdict *verdicts);

/* One component's verdict as the plain version gives it. 0 or -ENOMEM. */
int lp_cdf_explain(const struct lp_curves *curves, size_t i, double threshold,
		   struct lp_verdict *verdict, struct lp_arena *arena);

/* The distance of two components; both have a histogram. */
double lp_cdf_distance(const struct lp_curves *curves, size_t i, size_t j);

#endif
