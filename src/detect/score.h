/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores: is a component unlike its peers in a quantity (its level), or less
 * like them than it was (its change)? Both are asked over several windows at
 * the end of every block.
 *
 * Evidence and effect are kept apart. z says how sure the difference is, given
 * how the peers scatter; the effect says how large it is. An alarm needs both.
 */
#ifndef LP_DETECT_SCORE_H
#define LP_DETECT_SCORE_H

#include "base/memory.h"
#include "detect/quantity.h"

/* Blocks that are remembered; 40 minutes of 10 s. */
#define LP_SCORE_HISTORY 240
#define LP_SCORE_WINDOWS 5
/* What the first of these depends on: the longest window that ended then. */
#define LP_SCORE_BACK (LP_SCORE_HISTORY + 96)
/* Longer blocks have fewer windows, and fewer quantities. */
#define LP_SCORE_COARSE_S 60

/* What is asked of a component over one window. */
enum lp_score_kind { LP_SCORE_LEVEL, LP_SCORE_CHANGE, LP_SCORE_KINDS };

struct lp_zscore {
	enum lp_score_kind kind;
	size_t blocks;  /* of the window */
	double z;       /* NaN: cannot be said, and then all is */
	double spread;  /* z is in units of this; its parts: */
	double prior;   /* what was assumed */
	double between; /* how far apart the peers are, or have moved */
	double within;  /* how each of them scatters from block to block */
	double base;    /* of a change: its residual before */
	double effect;  /* what it differs by; at least the gate: it counts */
	double gate;
	bool matters; /* and its load is beyond that of its peers */
};

/* One quantity of one group. */
struct lp_scores;

/* The lengths of the windows in blocks of so many seconds, ended by 0. */
const size_t *lp_score_windows(double block_s);

/*
 * limit: the z above which a component is accused. The metric and the blocks
 * outlive it. NULL: out of memory.
 *
 * exact: all medians are those of all values. Otherwise z is within 2 % of
 * that wherever either is above LP_SCORE_QUIET, which takes less than a tenth
 * of the time and a quarter of the memory.
 */
#define LP_SCORE_QUIET 1
struct lp_scores *lp_scores_new(const struct lp_metric *metric,
				struct lp_blocks *blocks, size_t n,
				double block_s, double limit, bool exact);
void lp_scores_free(struct lp_scores *scores);

/* A block has ended; what it holds is in the blocks. 0 or -ENOMEM. */
int lp_scores_end_block(struct lp_scores *scores);

/*
 * Score component i, or all components (i is LP_SCORE_ALL), at the end of the
 * last block, in every window and of every kind; those of which nothing can be
 * said are left out. Of all components and not exact: of scores that are at
 * most LP_SCORE_QUIET only one for each component, and its z may be larger
 * than it is, up to that. 0, -ENOMEM, or what the sink said.
 */
#define LP_SCORE_ALL SIZE_MAX
typedef int lp_score_sink(void *user, size_t i, const struct lp_zscore *score);
int lp_scores_tell(struct lp_scores *scores, size_t i, lp_score_sink *sink,
		   void *user);

/* Whether z is larger by more than rounding. */
bool lp_score_exceeds(double z, double than);

/* Whether it accuses. */
bool lp_score_accuses(const struct lp_zscore *score, double limit);

/* Its residual in the window of so many blocks; NaN: not known. */
double lp_scores_residual(const struct lp_scores *scores, size_t blocks,
			  size_t i);

#endif
