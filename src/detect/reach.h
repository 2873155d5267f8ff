/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a recording lets the peer comparison see: its step, its windows and the
 * shortest fault.
 */
#ifndef LP_DETECT_REACH_H
#define LP_DETECT_REACH_H

#include "detect/detector.h"

struct lp_reach {
	int64_t step_ns;
	unsigned window, shift; /* in steps */
	unsigned k, of;         /* k of so many windows must be flagged */
	bool own; /* the method has windows of its own, of several lengths;
		     window and shift are its blocks */
	/*
	 * A window is taken to show a fault that fills half of it. Then a
	 * shorter fault than `least` is not seen, one of `sure` always. An
	 * extreme one may need less of a window.
	 */
	int64_t least_ns, sure_ns;
	int64_t needed_ns; /* a recording shorter than this shows nothing */
	bool enough;
};

/*
 * The step in which a detector looks at a recording of this length, if no other
 * is wanted: the interval, and of two hours or more several of them. Both above
 * 0.
 */
int64_t lp_step_default(const struct lp_detector *detector, int64_t interval_ns,
			int64_t span_ns);

/*
 * Of the main usual detector, at the step that suits a recording of this
 * length. interval_ns is that of the host with the longest. Both above 0.
 */
struct lp_reach lp_reach_of(int64_t interval_ns, int64_t span_ns);

/* Of this detector with these parameters (0: its defaults) at this step. */
struct lp_reach lp_reach_with(const struct lp_detector *detector,
			      const struct lp_detector_params *params,
			      int64_t step_ns, int64_t span_ns);

#endif
