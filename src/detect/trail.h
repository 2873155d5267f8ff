/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The past of each component: its residuals in the last LP_SCORE_HISTORY
 * blocks, in codes (code.h), side by side.
 */
#ifndef LP_DETECT_TRAIL_H
#define LP_DETECT_TRAIL_H

#include "detect/code.h"
#include "detect/score.h"

struct lp_trail {
	size_t n, count;       /* components, blocks so far */
	const size_t *lengths; /* windows, ended by 0 */
	int16_t *codes;        /* [n][LP_SCORE_HISTORY], a ring */
	uint8_t *present;      /* [longest length][n], a ring: known or not */
	uint8_t *known[LP_SCORE_WINDOWS]; /* [n]: so many of the window's */
	size_t longest;
};

/* False: no memory; lp_trail_done is needed in any case. */
bool lp_trail_init(struct lp_trail *past, size_t n, const size_t *lengths);
void lp_trail_done(struct lp_trail *past);

/* Where the next block's code of a component will be; the oldest is there. */
static inline int16_t *lp_trail_slot(const struct lp_trail *past, size_t i)
{
	return past->codes + i * LP_SCORE_HISTORY +
	       past->count % LP_SCORE_HISTORY;
}

/* A block: its residuals, NaN where missing. */
void lp_trail_add(struct lp_trail *past, const double *residuals);

/* The code of a component so many blocks ago; 1: the last, 241 is gone. */
static inline int16_t lp_trail_code(const struct lp_trail *past, size_t i,
				    size_t ago)
{
	return past
		->codes[i * LP_SCORE_HISTORY + (past->count + LP_SCORE_HISTORY -
						ago) % LP_SCORE_HISTORY];
}

/* The middle of component i, at least one block known, without its last. */
void lp_trail_find_middle(const struct lp_trail *past, size_t i, size_t without,
			  size_t known, struct lp_codes_middle *middle);

/* The last blocks of a component: their mean and the outermost ones. */
struct lp_trail_mean {
	double mean, least, most;
};

/* Of window w; at least one of its blocks is known. */
struct lp_trail_mean lp_trail_mean(const struct lp_trail *past, size_t i,
				   size_t w);

/* The mean of min(clip, max(-clip, residual - base)). */
double lp_trail_clipped(const struct lp_trail *past, size_t i, size_t w,
			double base, double clip);

#endif
