/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who differs from its peers in one window: the first version, method `pdf`
 * (FAST'10 10.1): symmetric Kullback-Leibler divergence of histograms,
 * 1/2 [D(P||Q) + D(Q||P)] = 1/2 sum (P - Q) (ln P - ln Q).
 *
 * Half a pseudo-count in every bin, (n_b + 1/2) / (n + B/2), keeps the
 * divergence of disjoint histograms finite; the document leaves it open.
 */
#ifndef LP_DETECT_PDF_H
#define LP_DETECT_PDF_H

#include "detect/cdf.h"

/*
 * The plain version; as lp_cdf_plain, on histograms that are not cumulative.
 * 0 or -ENOMEM.
 */
int lp_pdf_plain(const struct lp_curves *curves, const double *thresholds,
		 struct lp_verdict *verdicts, struct lp_arena *arena);

/*
 * The fast one: the same `flag` and `others`. Components with equal histograms
 * (most, in an idle group) share their distances, and counting stops when it
 * is decided. 0 or -ENOMEM.
 */
int lp_pdf_fast(const struct lp_curves *curves, const double *thresholds,
		struct lp_verdict *verdicts, struct lp_arena *arena);

/* One component's verdict as the plain version gives it. 0 or -ENOMEM. */
int lp_pdf_explain(const struct lp_curves *curves, size_t i, double threshold,
		   struct lp_verdict *verdict, struct lp_arena *arena);

/*
 * The divergence of two histograms that have `samples` samples each, in one
 * bin of their own: no divergence is larger, and a threshold of that or more
 * is never exceeded. 4.61 for 64 samples in 7 bins.
 */
double lp_pdf_maximum(size_t samples, size_t bins);

#endif
