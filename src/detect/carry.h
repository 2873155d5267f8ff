/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of the last 6, 12 ... blocks that are carried from block to block: the
 * new one is added, the one that is too old is taken away.
 */
#ifndef LP_DETECT_CARRY_H
#define LP_DETECT_CARRY_H

#include "detect/blocks.h"

struct lp_carry;

/* Of these sums, over these lengths (see lp_blocks_new). NULL: no memory. */
struct lp_carry *lp_carry_new(size_t n, const enum lp_sum *which, size_t n_sums,
			      const size_t *lengths);
void lp_carry_free(struct lp_carry *carry);

/* A block, as sums of one: block[n]. */
void lp_carry_add(struct lp_carry *carry, const struct lp_sums *block);

/* Of the last so many blocks, a length or all that there are: [n]. */
const struct lp_sums *lp_carry_sums(const struct lp_carry *carry, size_t last);

#endif
