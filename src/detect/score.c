/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/score_way.h"

#include <math.h>

/* The variance of a median is so many times that of a mean. */
#define MEDIAN_VARIANCE 1.57
/* The prior spread weighs as much as so many peers. */
#define PRIOR_PEERS 4
/*
 * Three of six blocks at the clip, with the others at exactly 0, are just the
 * limit, and shall accuse however the sum is rounded.
 */
#define ROUNDING 1e-6

static const size_t windows[] = { 6, 12, 24, 48, 96, 0 };
static const size_t coarse_windows[] = { 3, 6, 12, 0 };

const size_t *lp_score_windows(double block_s)
{
	return block_s > LP_SCORE_COARSE_S ? coarse_windows : windows;
}

struct lp_scores *lp_scores_new(const struct lp_metric *metric,
				struct lp_blocks *blocks, size_t n,
				double block_s, double limit, bool exact)
{
	const struct lp_score_way *way =
		exact ? &lp_scores_plain : &lp_scores_fast;
	struct lp_score_setup setup = {
		.metric = metric,
		.quantity = lp_quantity_of(metric),
		.blocks = blocks,
		.windows = lp_score_windows(block_s),
		.n = n,
		.block_s = block_s,
		.limit = limit,
	};

	return way->new (&setup);
}

void lp_scores_free(struct lp_scores *s)
{
	if (s)
		s->way->free(s);
}

int lp_scores_end_block(struct lp_scores *s)
{
	return s->way->end_block(s);
}

int lp_scores_tell(struct lp_scores *s, size_t i, lp_score_sink *sink,
		   void *user)
{
	return s->way->tell(s, i, sink, user);
}

bool lp_score_exceeds(double z, double limit)
{
	return z > limit * (1 + ROUNDING);
}

bool lp_score_accuses(const struct lp_zscore *score, double limit)
{
	return score->z > limit * (1 - ROUNDING) &&
	       score->effect >= score->gate && score->matters;
}

double lp_scores_residual(const struct lp_scores *s, size_t blocks, size_t i)
{
	for (size_t w = 0; s->setup.windows[w] && s->count; w++)
		if (s->setup.windows[w] == blocks)
			return s->way->residual(s, w, i);
	return NAN;
}

/* ---- formulas ---- */

struct lp_zscore lp_score_level(const struct lp_quantity *q, size_t blocks,
				size_t n, double within, double between)
{
	double peers = (double)n - 1;
	double common = (PRIOR_PEERS * q->prior * q->prior +
			 peers * between * between) /
			(PRIOR_PEERS + peers);

	return (struct lp_zscore){
		.kind = LP_SCORE_LEVEL,
		.blocks = blocks,
		.spread = sqrt(common + within * within / (double)blocks),
		.prior = q->prior,
		.between = between,
		.within = within,
		.base = NAN,
		.gate = q->gate,
		.matters = true,
	};
}

struct lp_zscore lp_score_change(const struct lp_quantity *q, size_t blocks,
				 double within, double changed, double base,
				 size_t base_blocks)
{
	double common = fmax(changed, q->prior_change);
	double means =
		1 / (double)blocks + MEDIAN_VARIANCE / (double)base_blocks;

	return (struct lp_zscore){
		.kind = LP_SCORE_CHANGE,
		.blocks = blocks,
		.spread = isnan(changed) ? NAN
					 : sqrt(common * common +
						within * within * means),
		.prior = q->prior_change,
		.between = changed,
		.within = within,
		.base = base,
		.gate = q->gate_change,
		.matters = true,
	};
}

/* Counts scatter by 1 by themselves; the share of bytes is the effect. */
struct lp_zscore lp_score_loss(const struct lp_quantity *q, size_t blocks,
			       double residual, double between, double own,
			       double others)
{
	double spread = fmax(1, between);

	return (struct lp_zscore){
		.kind = LP_SCORE_LEVEL,
		.blocks = blocks,
		.z = isnan(between) ? NAN : residual / spread,
		.spread = spread,
		.prior = 1,
		.between = between,
		.within = NAN,
		.base = NAN,
		.effect = own - others,
		.gate = q->gate,
		.matters = own >= 2 * others,
	};
}
