/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What both ways to the scores share: the plain one (score_plain.c), in which
 * all medians are exact, and the fast one (score_fast.c). Formulas and where
 * their numbers come from: docs/methods/own-detector.md.
 */
#ifndef LP_DETECT_SCORE_WAY_H
#define LP_DETECT_SCORE_WAY_H

#include "detect/score.h"

/* A median of absolute deviations is so much of a standard deviation. */
#define LP_SCORE_NORMAL 1.4826
/* From so many on, one component cannot move the spread of all. */
#define LP_SCORE_OWN_COUNTS_FROM 8
/* Less of the peers' past says nothing of their spread. */
#define LP_SCORE_VALUES_MIN 6
#define LP_SCORE_BASE_MIN 5
/* One block counts at most as so many limits. */
#define LP_SCORE_CLIP 2
/* Of a change, what is left as a difference is at least that of the gate. */
#define LP_SCORE_LEVEL_LEFT 0.5

struct lp_score_setup {
	const struct lp_metric *metric;
	const struct lp_quantity *quantity;
	struct lp_blocks *blocks;
	const size_t *windows; /* ended by 0 */
	size_t n;
	double block_s, limit;
};

struct lp_score_way {
	struct lp_scores *(*new)(const struct lp_score_setup *setup);
	void (*free)(struct lp_scores *scores);
	int (*end_block)(struct lp_scores *scores);
	int (*tell)(struct lp_scores *scores, size_t i, lp_score_sink *sink,
		    void *user);
	double (*residual)(const struct lp_scores *scores, size_t w, size_t i);
};

extern const struct lp_score_way lp_scores_plain, lp_scores_fast;

/* What each way's scores begin with. */
struct lp_scores {
	const struct lp_score_way *way;
	struct lp_score_setup setup;
	size_t count; /* blocks so far */
};

/*
 * A level without its z and effect, of a window of so many blocks in a group of
 * n.
 */
struct lp_zscore lp_score_level(const struct lp_quantity *q, size_t blocks,
				size_t n, double within, double between);

/* The same of a change from a base that so many blocks made. */
struct lp_zscore lp_score_change(const struct lp_quantity *q, size_t blocks,
				 double within, double changed, double base,
				 size_t base_blocks);

/* Of counts; shares of bytes, of the component and of the others' median. */
struct lp_zscore lp_score_loss(const struct lp_quantity *q, size_t blocks,
			       double residual, double between, double own,
			       double others);

#endif
