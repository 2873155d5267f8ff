/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way's state: score_fast.c changes it at the end of a block,
 * score_fast_tell.c makes scores of it.
 */
#ifndef LP_DETECT_SCORE_FAST_H
#define LP_DETECT_SCORE_FAST_H

#include "detect/score_way.h"
#include "detect/sizes.h"
#include "detect/trail.h"

/*
 * What is remembered of a component: the middles of its past before each
 * window, then of its whole past, and of how many blocks they are.
 */
struct lp_fast_memory {
	struct lp_codes_middle middle[LP_SCORE_WINDOWS + 1];
	uint8_t known[LP_SCORE_WINDOWS + 1];
	float centre; /* the last one, or nearly so: distances are from here */
};

struct lp_fast_scores {
	struct lp_scores scores;
	struct lp_trail past;
	struct lp_fast_memory *memory;     /* [n] */
	float *now[LP_SCORE_WINDOWS];      /* [n]: residuals of windows */
	int16_t *pooled[LP_SCORE_WINDOWS]; /* their codes, a ring */
	struct lp_sizes *pools; /* of windows, then within; or NULL */
	struct lp_codes_middle middle[LP_SCORE_WINDOWS + 1]; /* or of these */
	double *scratch;                                     /* [6 * n] */
	double *residuals;                                   /* [n] */
	/*
	 * Spreads: between components in windows, then within them. Of all,
	 * or of a small group without one of it.
	 */
	float spread[LP_SCORE_WINDOWS + 1][LP_SCORE_OWN_COUNTS_FROM];
	int16_t *gone; /* [n]: codes of the block that was forgotten last */
};

int lp_fast_tell(struct lp_scores *scores, size_t i, lp_score_sink *sink,
		 void *user);

static inline float lp_fast_spread(const struct lp_fast_scores *fast,
				   size_t which, size_t i)
{
	bool one = fast->scores.setup.n < LP_SCORE_OWN_COUNTS_FROM;

	return fast->spread[which][one ? i : 0];
}

/* The base of a window; NaN: too little is known. */
static inline float lp_fast_base(const struct lp_fast_memory *memory, size_t w)
{
	return memory->known[w] < LP_SCORE_BASE_MIN
		       ? __builtin_nanf("")
		       : lp_codes_median(memory->middle[w]);
}

#endif
