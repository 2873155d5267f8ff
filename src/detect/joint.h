/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second kind of detector: it sees all metrics of a peer group at once and
 * judges at the ends of blocks of its own length. What it remembers, and over
 * which windows it looks, is its own matter.
 *
 *     open, then for each point push (the rows of all metrics),
 *     at each end of a block judge, after it explain as often as one likes,
 *     close
 */
#ifndef LP_DETECT_JOINT_H
#define LP_DETECT_JOINT_H

#include "detect/detector.h"

/* All of it outlives the state that is opened with it. */
struct lp_joint_setup {
	size_t n; /* components */
	const struct lp_metric *const *metrics;
	size_t n_metrics;
	int64_t step_ns, block_ns; /* of a point; a multiple of it */
	const double *thresholds;  /* [n] */
};

struct lp_joint {
	/* Whether it wants the rows of this metric, be it accusing or not. */
	bool (*takes)(const struct lp_metric *metric);
	/* A block is as many whole steps as fit in here, at least one. */
	int64_t block_ns;
	/* NULL: no memory. */
	void *(*open)(const struct lp_joint_setup *setup);
	void (*close)(void *state);
	/*
	 * rows[metric][component]: the values of the step that ends at this
	 * time. A point of which nobody has a row is left out. 0 or -errno.
	 */
	int (*push)(void *state, int64_t time_ns, const double *const *rows);
	/*
	 * A block has ended: verdicts[n], all fields of each. `others` counts
	 * the peers, `critical` is the distance of the reason that weighs most
	 * and `metric` its metric. The arena is for what is needed meanwhile.
	 * 0 or -errno.
	 */
	int (*judge)(void *state, int64_t end_ns, struct lp_arena *arena,
		     struct lp_verdict *verdicts);
	/*
	 * All reasons for and against component i in the block that was
	 * judged last. 0 or what the sink said.
	 */
	int (*explain)(const void *state, size_t i, lp_reason_sink *sink,
		       void *user);
};

#endif
