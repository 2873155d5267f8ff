/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes of many residuals, added and taken away one at a time, and the median
 * of them: a histogram by their codes, with its middle at hand.
 */
#ifndef LP_DETECT_SIZES_H
#define LP_DETECT_SIZES_H

#include "detect/code.h"

/* Codes of one bin, as a power of two: it is at most 0.8 % wide. */
#define LP_SIZES_SHIFT 3
#define LP_SIZES_BINS (((size_t)INT16_MAX + 1) >> LP_SIZES_SHIFT)

struct lp_sizes {
	uint32_t count[LP_SIZES_BINS];
	uint32_t n;
	/* The middle was last in this bin; so many are below it. */
	uint32_t bin, below;
};

static inline void lp_sizes_add(struct lp_sizes *pool, float size)
{
	uint32_t bin = (uint32_t)lp_code_of_size(size) >> LP_SIZES_SHIFT;

	pool->count[bin]++;
	pool->n++;
	pool->below += bin < pool->bin;
}

static inline void lp_sizes_remove(struct lp_sizes *pool, float size)
{
	uint32_t bin = (uint32_t)lp_code_of_size(size) >> LP_SIZES_SHIFT;

	pool->count[bin]--;
	pool->n--;
	pool->below -= bin < pool->bin;
}

/* NaN: it is empty. */
float lp_sizes_median(struct lp_sizes *pool);

#endif
