/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second kind of detector: it sees all metrics of a peer group at once,
 * makes quantities of them (struct lp_class, `quantities`), and judges these at
 * the ends of blocks of its own length. What it remembers, and over which
 * windows it looks, is its own matter.
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
	size_t n;                               /* components */
	const struct lp_metric *const *metrics; /* that it takes */
	size_t n_metrics;
	const struct lp_metric *const *quantities; /* that it judges */
	size_t n_quantities;
	int64_t step_ns, block_ns; /* of a point; a multiple of it */
	double limit;              /* a larger distance accuses */
	bool exact;                /* not only nearly so, and slowly */
};

/* What speaks most against one component in one quantity. NaN: not known. */
struct lp_ground {
	bool compared; /* it has peers */
	bool accused;
	const char *kind; /* "level", "change"; NULL: nothing can be said */
	int64_t window_ns;
	double distance;     /* in units of what its peers scatter by */
	double effect, gate; /* what it differs by, and what would matter */
	double weight;       /* the effect in multiples of the least that makes
				it the cause of something else */
	double before;       /* of a change: the effect before it */
	bool loaded;         /* it is given more work at the same time */
	double most;         /* the largest distance, whatever its effect */
	/* The smallest effect that would be accused now, as a difference from
	   the peers and as a change. */
	double least_level, least_change;
	/* Of those that are accused, in the unit of the quantity: */
	double value, peers_low, peers_median, peers_high;
};

/* A component beside its peers, in the unit of the quantity. NaN: not known. */
struct lp_compared {
	double value, peers_low, peers_median, peers_high;
};

/* A number that others are made of. */
typedef int lp_sum_sink(void *user, const char *name, double value);

struct lp_joint {
	/* A block is as many whole steps as fit in here, at least one. */
	int64_t block_ns;
	size_t blocks_back; /* that what it says of a block depends on */
	/* In its shortest window, of blocks of this length. */
	size_t (*least_blocks)(int64_t block_ns);
	/* NULL: no memory. */
	void *(*open)(const struct lp_joint_setup *setup);
	void (*close)(void *state);
	/*
	 * rows[metric][component]: the values of the step that ends at this
	 * time. A point of which nobody has a row is left out. 0 or -errno.
	 */
	int (*push)(void *state, int64_t time_ns, const double *const *rows);
	/*
	 * A block has ended: grounds[quantity][component], n in a row. They
	 * are those of the block before, and stay where they are the same. 0 or
	 * -errno.
	 */
	int (*judge)(void *state, int64_t end_ns, struct lp_ground *grounds);
	/*
	 * All reasons for and against component i in the block that was
	 * judged last. 0 or what the sink said.
	 */
	int (*explain)(void *state, size_t i, lp_reason_sink *sink, void *user);
	/* What it and its peers did in a window that ends with that block. */
	void (*compare)(void *state, size_t quantity, size_t i,
			int64_t window_ns, struct lp_compared *compared);
	/*
	 * What that block holds of component i, of which all scores are made;
	 * NaN where it is missing. 0 or what the sink said.
	 */
	int (*tell_sums)(void *state, size_t i, lp_sum_sink *sink, void *user);
};

/* The steps of a block. */
size_t lp_joint_steps(const struct lp_joint *joint, int64_t step_ns);

#endif
