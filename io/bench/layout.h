/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in a file, or in a buffer, one access goes after another (Kunkel 2015,
 * 5.2):
 *
 *     off0         always at 0
 *     seq          one behind the other
 *     strideN      N bytes are left out after each
 *     strideN,M    N bytes, more or less up to M, at random
 *     reverse      from the end to the begin
 *     rnd          anywhere
 *     rndN         anywhere at most N bytes from the last one
 *
 * Beyond an end they go on at the other.
 */
#ifndef LP_IO_BENCH_LAYOUT_H
#define LP_IO_BENCH_LAYOUT_H

#include "stats/random.h"

#include <stdbool.h>
#include <stdint.h>

enum lp_layout_kind {
	LP_LAYOUT_OFF0,
	LP_LAYOUT_SEQ,
	LP_LAYOUT_STRIDE,
	LP_LAYOUT_REVERSE,
	LP_LAYOUT_RND,
	LP_LAYOUT_NEAR, /* rndN */
};

struct lp_layout {
	enum lp_layout_kind kind;
	uint64_t stride, spread; /* N and M */
};

/* 0 or -EINVAL. */
int lp_layout_parse(const char *text, struct lp_layout *layout);
#define LP_LAYOUT_TEXT 64
const char *lp_layout_name(const struct lp_layout *layout,
			   char text[LP_LAYOUT_TEXT]);

/* A walk over `space` bytes in accesses of `size`. */
struct lp_walk {
	const struct lp_layout *layout;
	uint64_t space, size, last;
	bool begun;
	struct lp_random random;
};

/* space must be at least size, size at least 1. */
void lp_walk_init(struct lp_walk *walk, const struct lp_layout *layout,
		  uint64_t space, uint64_t size, uint64_t seed);
/* The next offset: a multiple of size, the access fits. */
uint64_t lp_walk_next(struct lp_walk *walk);

#endif
