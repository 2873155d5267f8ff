/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plain way: all medians are exact, of all values that they are of. The
 * formulas and where their numbers come from: docs/methods/own-detector.md.
 */
#include "detect/score.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A median of absolute deviations is so much of a standard deviation. */
#define NORMAL 1.4826
/* The variance of a median is so many times that of a mean. */
#define MEDIAN_VARIANCE 1.57
/* The prior spread weighs as much as so many peers. */
#define PRIOR_PEERS 4
/* From so many on, one component cannot move the spread of all. */
#define OWN_COUNTS_FROM 8
/* Less of the peers' past says nothing of their spread. */
#define VALUES_MIN 6
#define BASE_MIN 5
/* One block counts at most as so many limits. */
#define CLIP 2
/* Of a change, what is left as a difference is at least that of the gate. */
#define LEVEL_LEFT 0.5

static const size_t windows[] = { 6, 12, 24, 48, 96, 0 };
static const size_t coarse_windows[] = { 3, 6, 12, 0 };

struct lp_scores {
	const struct lp_metric *metric;
	const struct lp_quantity *quantity;
	const struct lp_blocks *blocks;
	const size_t *windows; /* ended by 0 */
	size_t n, count;
	double block_s, limit;
	double *single;                   /* [LP_SCORE_HISTORY][n] residuals */
	double *pooled[LP_SCORE_WINDOWS]; /* the same of windows' ends */
	struct lp_sums *sums;             /* [n], for a while */
	double *scratch;                  /* [6 * n] */
	double *pool;                     /* [LP_SCORE_HISTORY * n] */
	double *centre;                   /* [n] */
};

struct lp_scores *lp_scores_new(const struct lp_metric *metric,
				const struct lp_blocks *blocks, size_t n,
				double block_s, double limit)
{
	struct lp_scores *s = calloc(1, sizeof(*s));
	size_t cells = LP_SCORE_HISTORY * n + 1;
	bool made;

	if (!s)
		return NULL;
	s->metric = metric;
	s->quantity = lp_quantity_of(metric);
	s->blocks = blocks;
	s->windows = block_s > LP_SCORE_COARSE_S ? coarse_windows : windows;
	s->n = n;
	s->block_s = block_s;
	s->limit = limit;
	s->single = calloc(cells, sizeof(double));
	s->sums = calloc(n + 1, sizeof(*s->sums));
	s->scratch = calloc(6 * n + 1, sizeof(double));
	s->pool = calloc(cells, sizeof(double));
	s->centre = calloc(n + 1, sizeof(double));
	made = s->single && s->sums && s->scratch && s->pool && s->centre;
	for (size_t w = 0; s->windows[w]; w++) {
		s->pooled[w] = calloc(cells, sizeof(double));
		made = made && s->pooled[w];
	}
	if (made)
		return s;
	lp_scores_free(s);
	return NULL;
}

void lp_scores_free(struct lp_scores *s)
{
	if (!s)
		return;
	for (size_t w = 0; w < LP_SCORE_WINDOWS; w++)
		free(s->pooled[w]);
	free(s->single);
	free(s->sums);
	free(s->scratch);
	free(s->pool);
	free(s->centre);
	free(s);
}

/* ---- the past ---- */

static double *row(const struct lp_scores *s, double *ring, size_t block)
{
	return ring + block % LP_SCORE_HISTORY * s->n;
}

/* The first block that is remembered. */
static size_t first_block(const struct lp_scores *s)
{
	return s->count > LP_SCORE_HISTORY ? s->count - LP_SCORE_HISTORY : 0;
}

static void fill_missing(double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		values[i] = NAN;
}

int lp_scores_end_block(struct lp_scores *s)
{
	size_t block = s->count++;
	double *single = row(s, s->single, block);

	lp_blocks_sum(s->blocks, 1, s->sums);
	lp_quantity_residuals(s->metric, s->sums, s->n, 1, s->block_s, single,
			      s->scratch);
	for (size_t w = 0; s->windows[w]; w++) {
		double *pooled = row(s, s->pooled[w], block);

		if (s->windows[w] > s->count) {
			fill_missing(pooled, s->n);
			continue;
		}
		lp_blocks_sum(s->blocks, s->windows[w], s->sums);
		lp_quantity_residuals(s->metric, s->sums, s->n, s->windows[w],
				      s->block_s, pooled, s->scratch);
	}
	return 0;
}

/* The median of a component's residuals in blocks [from, to). */
static double past_median(const struct lp_scores *s, size_t i, size_t from,
			  size_t to, size_t *n)
{
	*n = 0;
	for (size_t b = from; b < to; b++) {
		double v = row(s, s->single, b)[i];

		if (!isnan(v))
			s->pool[(*n)++] = v;
	}
	return lp_median(s->pool, *n);
}

/*
 * How far values of the ring are from the centre of their component (NULL: 0),
 * over all but one. NaN: too few.
 */
static double spread_of(const struct lp_scores *s, double *ring,
			const double *centre, size_t except)
{
	size_t m = 0;

	for (size_t b = first_block(s); b < s->count; b++) {
		const double *values = row(s, ring, b);

		for (size_t j = 0; j < s->n; j++) {
			double v = values[j] - (centre ? centre[j] : 0);

			if (j != except && !isnan(v))
				s->pool[m++] = fabs(v);
		}
	}
	return m < VALUES_MIN ? NAN : NORMAL * lp_median(s->pool, m);
}

/* ---- a window ---- */

struct window {
	struct lp_scores *s;
	size_t w, blocks;     /* which, and how long */
	const double *pooled; /* [n] */
	size_t with;          /* so many have a value */
	double *base;         /* [n]: medians before the window, NaN: too few */
	size_t *base_blocks;  /* [n] */
	double *moved;        /* [n]: |pooled - base| */
	/* Spreads of all, of groups in which one does not matter. */
	double within, between, changed;
};

/* The mean of its residuals, each at most `clip` off; NaN: too few. */
static double mean_of(const struct window *w, size_t i, double base,
		      double clip)
{
	const struct lp_scores *s = w->s;
	double sum = 0;
	size_t n = 0;

	for (size_t b = s->count - w->blocks; b < s->count; b++) {
		double v = row(s, s->single, b)[i] - base;

		if (isnan(v))
			continue;
		sum += fmax(-clip, fmin(clip, v));
		n++;
	}
	return n < 2 || 2 * n < w->blocks ? NAN : sum / (double)n;
}

static double median_except(const double *values, size_t n, size_t except,
			    double *scratch)
{
	size_t m = 0;

	for (size_t j = 0; j < n; j++)
		if (j != except && !isnan(values[j]))
			scratch[m++] = values[j];
	return m < 2 ? NAN : lp_median(scratch, m);
}

static bool own_counts(const struct lp_scores *s)
{
	return s->n >= OWN_COUNTS_FROM;
}

static double within_of(const struct window *w, size_t i)
{
	return own_counts(w->s)
		       ? w->within
		       : spread_of(w->s, w->s->single, w->s->centre, i);
}

static double between_of(const struct window *w, size_t i)
{
	return own_counts(w->s) ? w->between
				: spread_of(w->s, w->s->pooled[w->w], NULL, i);
}

static double changed_of(const struct window *w, size_t i)
{
	return own_counts(w->s) ? w->changed
				: NORMAL * median_except(w->moved, w->s->n, i,
							 w->s->pool);
}

static void look_back(struct window *w)
{
	struct lp_scores *s = w->s;
	size_t begin = s->count - w->blocks;

	for (size_t i = 0; i < s->n; i++) {
		w->base[i] = begin > first_block(s)
				     ? past_median(s, i, first_block(s), begin,
						   &w->base_blocks[i])
				     : NAN;
		if (isnan(w->base[i]) || w->base_blocks[i] < BASE_MIN)
			w->base[i] = NAN;
		w->moved[i] = fabs(w->pooled[i] - w->base[i]);
	}
	if (!own_counts(s))
		return;
	w->within = spread_of(s, s->single, s->centre, SIZE_MAX);
	w->between = spread_of(s, s->pooled[w->w], NULL, SIZE_MAX);
	w->changed = NORMAL * median_except(w->moved, s->n, SIZE_MAX, s->pool);
}

/* ---- the two questions ---- */

static void finish(const struct window *w, size_t i, double base,
		   struct lp_zscore *score)
{
	struct lp_scores *s = w->s;
	double clip = CLIP * s->limit * score->spread;
	double pooled = w->pooled[i] - base;

	score->blocks = w->blocks;
	score->z = fmin(mean_of(w, i, base, clip), pooled) / score->spread;
	if (isnan(mean_of(w, i, base, clip)))
		score->z = NAN;
	score->effect = fmin(mean_of(w, i, base, INFINITY), pooled);
}

static void score_level(const struct window *w, size_t i,
			struct lp_zscore *score)
{
	const struct lp_quantity *q = w->s->quantity;
	double peers = (double)w->with - 1, within = within_of(w, i);
	double between = between_of(w, i);
	double common = (PRIOR_PEERS * q->prior * q->prior +
			 peers * between * between) /
			(PRIOR_PEERS + peers);

	*score = (struct lp_zscore){
		.kind = LP_SCORE_LEVEL,
		.spread = sqrt(common + within * within / (double)w->blocks),
		.prior = q->prior,
		.between = between,
		.within = within,
		.base = NAN,
		.gate = q->gate,
		.matters = true,
	};
	finish(w, i, 0, score);
}

/* Who comes back from better than its peers is not ill. */
static bool is_off(const struct window *w, size_t i)
{
	double level = fmin(mean_of(w, i, 0, INFINITY), w->pooled[i]);

	return level >= LEVEL_LEFT * w->s->quantity->gate_change;
}

static void score_change(const struct window *w, size_t i,
			 struct lp_zscore *score)
{
	const struct lp_quantity *q = w->s->quantity;
	double within = within_of(w, i), changed = changed_of(w, i);
	double common = fmax(changed, q->prior_change);
	double blocks = 1 / (double)w->blocks +
			MEDIAN_VARIANCE / (double)w->base_blocks[i];

	*score = (struct lp_zscore){
		.kind = LP_SCORE_CHANGE,
		.spread = isnan(changed) ? NAN
					 : sqrt(common * common +
						within * within * blocks),
		.prior = q->prior_change,
		.between = changed,
		.within = within,
		.base = w->base[i],
		.gate = q->gate_change,
		.matters = is_off(w, i),
	};
	finish(w, i, w->base[i], score);
}

/* Counts scatter by 1 by themselves; the share of bytes is the effect. */
static void score_loss(const struct window *w, size_t i,
		       struct lp_zscore *score)
{
	struct lp_scores *s = w->s;
	double own = lp_quantity_share(&s->sums[i], w->blocks), others;
	double between = between_of(w, i);

	for (size_t j = 0; j < s->n; j++)
		s->scratch[j] = lp_quantity_share(&s->sums[j], w->blocks);
	others = median_except(s->scratch, s->n, i, s->pool);
	*score = (struct lp_zscore){
		.kind = LP_SCORE_LEVEL,
		.blocks = w->blocks,
		.spread = fmax(1, between),
		.prior = 1,
		.between = between,
		.within = NAN,
		.base = NAN,
		.effect = own - others,
		.gate = s->quantity->gate,
		.matters = own >= 2 * others,
	};
	score->z = isnan(between) ? NAN : w->pooled[i] / score->spread;
}

static int tell(const struct window *w, size_t i, struct lp_zscore *score,
		lp_score_sink *sink, void *user)
{
	struct lp_scores *s = w->s;

	if (isnan(score->z))
		return 0;
	/* Asked only where it decides: it takes medians of its own. */
	if (score->matters && score->z > s->limit &&
	    score->effect >= score->gate) {
		struct lp_quantity_peers peers;

		lp_quantity_peers(s->metric, s->sums, s->n, w->blocks,
				  s->block_s, &peers, s->scratch);
		score->matters = lp_quantity_matters(
			s->metric, &peers, &s->sums[i], w->blocks, s->block_s);
	}
	return sink(user, i, score);
}

static int score_one(const struct window *w, size_t i, lp_score_sink *sink,
		     void *user)
{
	struct lp_zscore score;
	int status;

	if (isnan(w->pooled[i]))
		return 0;
	if (w->s->quantity->counts) {
		score_loss(w, i, &score);
		return tell(w, i, &score, sink, user);
	}
	score_level(w, i, &score);
	status = tell(w, i, &score, sink, user);
	if (status < 0 || isnan(w->base[i]))
		return status;
	score_change(w, i, &score);
	return tell(w, i, &score, sink, user);
}

static int look_through(struct window *w, size_t i, lp_score_sink *sink,
			void *user)
{
	struct lp_scores *s = w->s;
	int status = 0;

	w->blocks = s->windows[w->w];
	w->pooled = row(s, s->pooled[w->w], s->count - 1);
	w->with = 0;
	for (size_t j = 0; j < s->n; j++)
		w->with += isnan(w->pooled[j]) ? 0u : 1u;
	lp_blocks_sum(s->blocks, w->blocks, s->sums);
	look_back(w);
	for (size_t j = 0; j < s->n && status == 0; j++)
		if (i == LP_SCORE_ALL || i == j)
			status = score_one(w, j, sink, user);
	return status;
}

int lp_scores_tell(struct lp_scores *s, size_t i, lp_score_sink *sink,
		   void *user)
{
	lp_auto_free double *base = calloc(s->n + 1, sizeof(*base));
	lp_auto_free double *moved = calloc(s->n + 1, sizeof(*moved));
	lp_auto_free size_t *blocks = calloc(s->n + 1, sizeof(*blocks));
	struct window w = {
		.s = s, .base = base, .moved = moved, .base_blocks = blocks
	};
	size_t known;
	int status = 0;

	if (!base || !moved || !blocks)
		return -ENOMEM;
	for (size_t j = 0; j < s->n; j++)
		s->centre[j] =
			past_median(s, j, first_block(s), s->count, &known);
	for (; s->windows[w.w] && s->windows[w.w] <= s->count && status == 0;
	     w.w++)
		status = look_through(&w, i, sink, user);
	return status;
}

bool lp_score_accuses(const struct lp_zscore *score, double limit)
{
	return score->z > limit && score->effect >= score->gate &&
	       score->matters;
}

double lp_scores_residual(const struct lp_scores *s, size_t blocks, size_t i)
{
	for (size_t w = 0; s->windows[w] && s->count; w++)
		if (s->windows[w] == blocks)
			return row(s, s->pooled[w], s->count - 1)[i];
	return NAN;
}
