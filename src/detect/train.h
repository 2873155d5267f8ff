/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thresholds from fault-free data (FAST'10 10.1, thesis 3.3.1, 4.6.1).
 *
 * The documents raise a threshold from 0.1 in steps of 0.1 until no window of
 * the component is flagged, and double it. In closed form: the largest
 * critical distance over the windows, rounded up to 0.1, doubled. For cwnd:
 * the largest of 0.99, 0.98 ... 0.01 that no window is below, not scaled.
 */
#ifndef LP_DETECT_TRAIN_H
#define LP_DETECT_TRAIN_H

#include "detect/engine.h"

struct lp_trainer {
	const struct lp_detector *detector;
	size_t n;
	double *worst; /* [n] critical values, NaN: none yet; the caller's */
	size_t windows;
	unsigned k;      /* 1: of single windows */
	double *history; /* [n * (2k - 1)], or NULL; the caller's */
};

/* Fills worst with NaN. */
void lp_trainer_init(struct lp_trainer *trainer,
		     const struct lp_detector *detector, double *worst,
		     size_t n);
/*
 * The other reading of "eliminates all anomalies": after the vote. The
 * threshold then leaves no k of 2k - 1 windows flagged; single windows may be.
 * `history` has n * (2k - 1) places. After lp_trainer_init.
 */
void lp_trainer_filter(struct lp_trainer *trainer, unsigned k, double *history);

/* An lp_engine_sink; the engine must be `exact`. */
int lp_trainer_take(void *trainer, const struct lp_judged *judged);

/* The threshold for a worst critical value; NaN for NaN. */
double lp_trained_threshold(const struct lp_detector *detector, double worst);

#endif
