/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks: what each component of a group did in 10 s, or in one interval of
 * the recording if that is longer. Sums of counters' increases, so that several
 * blocks together are as exact as one; never means of means.
 *
 *     take, take ... (the points of a block) ── end ── take ...
 */
#ifndef LP_DETECT_BLOCKS_H
#define LP_DETECT_BLOCKS_H

#include "model/catalogue.h"

/* What is added up. */
enum lp_sum {
	LP_SUM_BUSY_MS,  /* time with work in hand */
	LP_SUM_REQUESTS, /* that were served */
	LP_SUM_WAIT_MS,  /* their times, added up */
	LP_SUM_IN,       /* sectors written, bytes received */
	LP_SUM_OUT,      /* sectors read, bytes sent */
	LP_SUM_RESENT,   /* bytes of that, in vain */
	LP_SUM_LEVEL_MS, /* the block's mean time of a request, where nobody
			    counted them */
	LP_SUM_LOSSY,    /* points in which more was sent in vain than is usual
			    in the group */
	LP_SUM_ACTIVE,   /* points in which anything was sent */
	LP_SUMS,
};

extern const char *const lp_sum_names[LP_SUMS];

/* Of one component over some blocks. */
struct lp_sums {
	double v[LP_SUMS];
	uint16_t present[LP_SUMS]; /* blocks in which it is known */
};

/* Blocks that can be added up. */
#define LP_BLOCKS_KEPT 240
/* Lengths of which sums may be kept. */
#define LP_BLOCKS_LENGTHS 8

struct lp_blocks;

/*
 * For n components and rows of these metrics, which have an input; points of a
 * block. NULL: out of memory.
 *
 * lengths, ascending and ended by 0: of so many blocks sums are asked for,
 * and these alone are kept, from block to block. Blocks are then rounded to 24
 * bits. NULL: all blocks are kept, and added up each time.
 */
struct lp_blocks *lp_blocks_new(size_t n,
				const struct lp_metric *const *metrics,
				size_t n_metrics, double step_s, size_t points,
				const size_t *lengths);
void lp_blocks_free(struct lp_blocks *blocks);

/*
 * A point is taken: rows[metric][component], NaN where missing. Sent in vain
 * beyond `lossy`, a share of what was sent, makes it a lossy one.
 */
void lp_blocks_take(struct lp_blocks *blocks, const double *const *rows,
		    double lossy);

/*
 * The block has ended: of each component what is known of at least half of its
 * points, as if all of them were there; the rest is missing.
 */
void lp_blocks_end(struct lp_blocks *blocks);

/* Whether the metrics can tell this sum. */
bool lp_blocks_tell(const struct lp_blocks *blocks, enum lp_sum which);

/*
 * How many blocks it is that nobody did anything: in each of them, up to the
 * last, all that is known is 0, and the same is known as in the one before.
 */
size_t lp_blocks_rest(const struct lp_blocks *blocks);

/* Blocks so far. */
size_t lp_blocks_count(const struct lp_blocks *blocks);

/*
 * The sums of the last `last` blocks of each component, [n], until the next
 * call. `last` is at most as many as there are and LP_BLOCKS_KEPT; it is
 * one of the lengths, if there are any, or all blocks that there are.
 */
const struct lp_sums *lp_blocks_sums(struct lp_blocks *blocks, size_t last);

/* A sum of more than half of these blocks; NaN: less is known. */
static inline double lp_sum_known(const struct lp_sums *sums, enum lp_sum which,
				  size_t blocks)
{
	return 2 * (size_t)sums->present[which] < blocks ||
			       sums->present[which] == 0
		       ? __builtin_nan("")
		       : sums->v[which];
}

#endif
