/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detectors: who differs from its peers in one window of one metric.
 *
 * To add one: a file with its struct lp_detector, one line in detectors.c, a
 * section in docs/methods, and hand-computed cases in the tests.
 */
#ifndef LP_DETECT_DETECTOR_H
#define LP_DETECT_DETECTOR_H

#include "base/error.h"
#include "detect/curve.h"

/* Every number of a method; zero-valued fields take the method's default. */
struct lp_detector_params {
	size_t smooth;    /* points of the moving average */
	size_t window;    /* samples in a window */
	size_t shift;     /* samples from window to window */
	unsigned k;       /* of the last 2k - 1 windows */
	double threshold; /* of components without one of their own; NaN: the
			     method has no untrained default */
};

/* What a detector says of one component in one window. */
struct lp_verdict {
	bool flag;       /* it differs */
	uint32_t others; /* peers it was compared with; fewer than 2: nobody
			    can tell; 0 for all: nothing to tell apart */
	/* Only when asked for (`exact`), else 0 and NaN: */
	uint32_t over;          /* pairs over the threshold */
	double median_distance; /* to its peers; NaN: none */
	double critical; /* the flag is "critical > threshold"; NaN: none */
};

struct lp_judge_input {
	struct lp_window window;
	const double *thresholds; /* [n] */
	struct lp_floor floor;    /* of the width of bins */
	bool exact;               /* by all pairs, all fields of the verdict */
};

struct lp_detector {
	const char *name;
	const char *help;
	/* The flag is "critical < threshold" instead. */
	bool lower_is_worse;
	struct lp_detector_params defaults;
	/*
	 * verdicts[n]. The arena is for what is needed meanwhile; the caller
	 * resets it. 0 or -ENOMEM.
	 */
	int (*judge)(const struct lp_judge_input *input, struct lp_arena *arena,
		     struct lp_verdict *verdicts);
};

extern const struct lp_detector lp_detector_cdf, lp_detector_pdf,
	lp_detector_median, lp_detector_thresh, lp_detector_cwnd;

/* All detectors of windows, ended by NULL. */
extern const struct lp_detector *const lp_detectors[];

/* NULL: no such detector. */
const struct lp_detector *lp_detector_find(const char *name);

/* `given` with the detector's defaults where it is 0. */
struct lp_detector_params lp_detector_params(
	const struct lp_detector *detector,
	const struct lp_detector_params *given);

/* -EINVAL and why, for parameters (defaults filled in) that cannot be used. */
int lp_detector_check(const struct lp_detector_params *params,
		      struct lp_error *err);

#endif
