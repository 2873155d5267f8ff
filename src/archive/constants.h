/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that hold one value throughout, kept from block to block: an idle
 * device counts the same all day, and filling its arrays anew for every block
 * is most of the memory that reading would touch.
 */
#ifndef LP_ARCHIVE_CONSTANTS_H
#define LP_ARCHIVE_CONSTANTS_H

#include "archive/pool.h"

struct constant;

/* Zero-initialise to begin. */
struct constants {
	struct pool pool;
	struct constant *slots; /* open addressing; no bits: free */
	size_t n_slots, count;
	size_t cells;
};

/*
 * An array of n times v, to be read only, valid until lp_constants_trim after
 * another call; NULL: out of memory.
 */
uint64_t *lp_constants_get(struct constants *constants, uint64_t v, size_t n);
/* Forget all, if it became much. */
void lp_constants_trim(struct constants *constants);
void lp_constants_done(struct constants *constants);

#endif
