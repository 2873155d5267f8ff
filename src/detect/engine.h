/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine: one metric of one peer group, row by row. (A detector that sees
 * all metrics at once has its own way: joint.h.)
 *
 * Rows are pushed in the order of time, one per grid point; offline and live
 * are the same calls. A point that is left out is a row of missing values.
 * Windows end at multiples of shift * step since the epoch, hold the `window`
 * points up to their end, and are judged when all of them were pushed.
 */
#ifndef LP_DETECT_ENGINE_H
#define LP_DETECT_ENGINE_H

#include "detect/detector.h"

struct lp_engine_options {
	const struct lp_detector *detector;
	struct lp_detector_params params; /* 0: the detector's defaults */
	size_t n;                         /* components */
	int64_t step_ns;
	const double *thresholds; /* [n], NaN: params.threshold; NULL: all */
	struct lp_floor floor;    /* see struct lp_judge_input */
	bool exact;               /* all fields of all verdicts */
};

struct lp_engine;

/* What is known when a window has been judged. Valid until the next push. */
struct lp_judged {
	int64_t begin_ns, end_ns;          /* begin exclusive, end inclusive */
	const struct lp_verdict *verdicts; /* [n] */
	const uint8_t *anomalous; /* [n]: k of the last 2k - 1 were flagged */
	/*
	 * [n]: no sample in the window while more than half of the peers have
	 * some; and k of the last 2k - 1 windows of that.
	 */
	const uint8_t *absent, *gone;
	const uint8_t *has_data; /* [n]: a sample in the window */
	size_t with_data;        /* so many have */
	/*
	 * What was judged: smoothed samples by component, thresholds, floor;
	 * until the sink returns. The sink may allocate from scratch, which is
	 * emptied before the next window.
	 */
	const struct lp_detector *detector;
	const struct lp_judge_input *input;
	struct lp_arena *scratch;
};

/*
 * All fields of the verdict on component i, for a sink that wants to know the
 * distances of some: nobody else pays for them. Histograms are made once a
 * window, and a verdict then takes time that grows as n. 0 or -ENOMEM.
 */
int lp_judged_explain(const struct lp_judged *judged, size_t i,
		      struct lp_verdict *verdict);

/*
 * NULL: out of memory, or (errno EINVAL) parameters that lp_detector_check
 * refuses, a step of 0 or less.
 */
struct lp_engine *lp_engine_new(const struct lp_engine_options *options);
void lp_engine_free(struct lp_engine *engine);

/* Called for each window that a push completes. 0 or -errno. */
typedef int lp_engine_sink(void *user, const struct lp_judged *judged);

/*
 * Push the row of a grid point (a multiple of the step, later than the last).
 * 0, -EINVAL (time not later, or off the grid), -ENOMEM, or what the sink
 * said.
 */
int lp_engine_push(struct lp_engine *engine, int64_t time_ns, const double *row,
		   lp_engine_sink *sink, void *user);

#endif
