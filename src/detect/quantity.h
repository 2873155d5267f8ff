/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities: what limpid's own detector compares. They depend little on the
 * load, so that healthy peers agree within a few percent.
 *
 *   service  busy time per request and per byte, the smaller excess of both:
 *            larger requests raise the one and lower the other, a slow disk
 *            raises both
 *   latency  time of a request
 *   load     what came in or went out, beyond the peers', as a share of what
 *            they move in all
 *   loss     points in which more than usual was retransmitted
 *
 * A residual says how far a component is from the median of its peers, 0 if it
 * is like them: of times the logarithm of their ratio, of loads a share, of
 * loss a difference with a standard deviation of about 1.
 */
#ifndef LP_DETECT_QUANTITY_H
#define LP_DETECT_QUANTITY_H

#include "detect/blocks.h"
#include "stats/middle.h"

/* How a quantity is compared; see docs/methods/own-detector.md. */
struct lp_quantity {
	enum lp_metric_role role;
	enum lp_resource resource;
	/* What healthy components may differ by for good, and may change by,
	   before the peers have shown how much they really do. */
	double prior, prior_change;
	/* Less is no alarm: of a difference, of a change. */
	double gate, gate_change;
	/*
	 * Nor is it unless the component also exceeds its peers by this, on the
	 * mean: points of its utilisation, requests in flight (either will do),
	 * or bytes per second. 0: not asked.
	 */
	double more_util, more_queue, more_bytes;
	double least_load; /* per second: of less, no shares are made */
	bool counts;       /* of events: with a spread of their own */
	bool coarse;       /* also compared in blocks over 60 s */
};

/* NULL: it is none. */
const struct lp_quantity *lp_quantity_of(const struct lp_metric *metric);

/*
 * The residuals of all components over `blocks` blocks of this many seconds,
 * NaN where fewer than two others have a value: residuals[n]. scratch has room
 * for 6 * n.
 */
void lp_quantity_residuals(const struct lp_metric *metric,
			   const struct lp_sums *sums, size_t n, size_t blocks,
			   double block_s, double *residuals, double *scratch);

/*
 * The value in the metric's unit, for people: ms, sectors per second, percent.
 * NaN: not known.
 */
double lp_quantity_value(const struct lp_metric *metric,
			 const struct lp_sums *sums, size_t blocks,
			 double block_s);

/* Of the bytes sent, the share that was retransmitted. NaN: nothing was. */
double lp_quantity_share(const struct lp_sums *sums, size_t blocks);

/* The middles of what `more_util`, `more_queue`, `more_bytes` are about. */
struct lp_quantity_peers {
	struct lp_middle util, queue, bytes;
};

/* Of a whole group. scratch has room for n. */
void lp_quantity_peers(const struct lp_metric *metric,
		       const struct lp_sums *sums, size_t n, size_t blocks,
		       double block_s, struct lp_quantity_peers *peers,
		       double *scratch);

/*
 * Whether one of the group exceeds the median of the others by enough to
 * matter, on the mean. What was not recorded counts as enough, except bytes.
 */
bool lp_quantity_matters(const struct lp_metric *metric,
			 const struct lp_quantity_peers *peers,
			 const struct lp_sums *sums, size_t blocks,
			 double block_s);

/*
 * The median of the others of each: y[n] with NaN where missing, others[n]
 * NaN where fewer than two others have one. scratch has room for n.
 */
void lp_medians_of_others(const double *y, size_t n, double *others,
			  double *scratch);

#endif
