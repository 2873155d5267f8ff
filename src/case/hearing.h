/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Witnesses of a case, and what they said.
 */
#ifndef LP_CASE_HEARING_H
#define LP_CASE_HEARING_H

#include "diagnose/witness.h"

struct lp_hearing;

/* NULL: out of memory. */
struct lp_hearing *lp_hearing_new(const struct lp_witness *const *witnesses);
void lp_hearing_free(struct lp_hearing *hearing);

/* Show an item to all who take it. 0 or -ENOMEM. */
int lp_hearing_put(struct lp_hearing *hearing, const struct lp_item *item);
/* The time up to there is closed. 0 or -ENOMEM. */
int lp_hearing_advance(struct lp_hearing *hearing, int64_t until_ns);
/* Forget what was said of the time before. */
void lp_hearing_forget(struct lp_hearing *hearing, int64_t before_ns);

/* All that was said; until the next call of another function. */
const struct lp_testimony *lp_hearing_all(const struct lp_hearing *hearing,
					  size_t *n);

#endif
