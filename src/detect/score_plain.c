/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plain way: all medians are exact, of all values that they are of. It is
 * what the fast way is measured by.
 */
#include "detect/score_way.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct plain {
	struct lp_scores scores;
	double *single;                   /* [LP_SCORE_HISTORY][n] residuals */
	double *pooled[LP_SCORE_WINDOWS]; /* the same of windows' ends */
	double *scratch;                  /* [6 * n] */
	double *pool;                     /* [LP_SCORE_HISTORY * n] */
	double *centre;                   /* [n] */
};

static void free_plain(struct lp_scores *scores)
{
	struct plain *s = (struct plain *)scores;

	for (size_t w = 0; w < LP_SCORE_WINDOWS; w++)
		free(s->pooled[w]);
	free(s->single);
	free(s->scratch);
	free(s->pool);
	free(s->centre);
	free(s);
}

static struct lp_scores *new_plain(const struct lp_score_setup *setup)
{
	struct plain *s = calloc(1, sizeof(*s));
	size_t n = setup->n, cells = LP_SCORE_HISTORY * n + 1;
	bool made;

	if (!s)
		return NULL;
	s->scores.way = &lp_scores_plain;
	s->scores.setup = *setup;
	s->single = calloc(cells, sizeof(double));
	s->scratch = calloc(6 * n + 1, sizeof(double));
	s->pool = calloc(cells, sizeof(double));
	s->centre = calloc(n + 1, sizeof(double));
	made = s->single && s->scratch && s->pool && s->centre;
	for (size_t w = 0; setup->windows[w]; w++) {
		s->pooled[w] = calloc(cells, sizeof(double));
		made = made && s->pooled[w];
	}
	if (made)
		return &s->scores;
	free_plain(&s->scores);
	return NULL;
}

/* ---- the past ---- */

static double *row(const struct plain *s, double *ring, size_t block)
{
	return ring + block % LP_SCORE_HISTORY * s->scores.setup.n;
}

/* The first block that is remembered. */
static size_t first_block(const struct plain *s)
{
	return s->scores.count > LP_SCORE_HISTORY
		       ? s->scores.count - LP_SCORE_HISTORY
		       : 0;
}

static void fill_missing(double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		values[i] = NAN;
}

static int end_block(struct lp_scores *scores)
{
	struct plain *s = (struct plain *)scores;
	const struct lp_score_setup *setup = &scores->setup;
	size_t block = scores->count++;

	lp_quantity_residuals(setup->metric, lp_blocks_sums(setup->blocks, 1),
			      setup->n, 1, setup->block_s,
			      row(s, s->single, block), s->scratch);
	for (size_t w = 0; setup->windows[w]; w++) {
		double *pooled = row(s, s->pooled[w], block);
		size_t length = setup->windows[w];

		if (length > scores->count)
			fill_missing(pooled, setup->n);
		else
			lp_quantity_residuals(
				setup->metric,
				lp_blocks_sums(setup->blocks, length), setup->n,
				length, setup->block_s, pooled, s->scratch);
	}
	return 0;
}

/* The median of a component's residuals in blocks [from, to). */
static double past_median(const struct plain *s, size_t i, size_t from,
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
static double spread_of(const struct plain *s, double *ring,
			const double *centre, size_t except)
{
	size_t m = 0;

	for (size_t b = first_block(s); b < s->scores.count; b++) {
		const double *values = row(s, ring, b);

		for (size_t j = 0; j < s->scores.setup.n; j++) {
			double v = values[j] - (centre ? centre[j] : 0);

			if (j != except && !isnan(v))
				s->pool[m++] = fabs(v);
		}
	}
	return m < LP_SCORE_VALUES_MIN
		       ? NAN
		       : LP_SCORE_NORMAL * lp_median(s->pool, m);
}

/* ---- a window ---- */

struct window {
	struct plain *s;
	size_t w, blocks;           /* which, and how long */
	const struct lp_sums *sums; /* [n] */
	const double *pooled;       /* [n] */
	double *base;        /* [n]: medians before the window, NaN: too few */
	size_t *base_blocks; /* [n] */
	double *moved;       /* [n]: |pooled - base| */
	double *changed;     /* [n]: the median of that of the others */
	/* Spreads of all, of groups in which one does not matter. */
	double within, between;
};

/* The mean of its residuals, each at most `clip` off; NaN: too few. */
static double mean_of(const struct window *w, size_t i, double base,
		      double clip)
{
	const struct plain *s = w->s;
	double sum = 0;
	size_t n = 0;

	for (size_t b = s->scores.count - w->blocks; b < s->scores.count; b++) {
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

static bool own_counts(const struct plain *s)
{
	return s->scores.setup.n >= LP_SCORE_OWN_COUNTS_FROM;
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

static void look_back(struct window *w)
{
	struct plain *s = w->s;
	size_t begin = s->scores.count - w->blocks;

	for (size_t i = 0; i < s->scores.setup.n; i++) {
		w->base[i] = begin > first_block(s)
				     ? past_median(s, i, first_block(s), begin,
						   &w->base_blocks[i])
				     : NAN;
		if (isnan(w->base[i]) || w->base_blocks[i] < LP_SCORE_BASE_MIN)
			w->base[i] = NAN;
		w->moved[i] = fabs(w->pooled[i] - w->base[i]);
	}
	lp_medians_of_others(w->moved, s->scores.setup.n, w->changed, s->pool);
	if (!own_counts(s))
		return;
	w->within = spread_of(s, s->single, s->centre, SIZE_MAX);
	w->between = spread_of(s, s->pooled[w->w], NULL, SIZE_MAX);
}

/* ---- the two questions ---- */

static void finish(const struct window *w, size_t i, double base,
		   struct lp_zscore *score)
{
	struct plain *s = w->s;
	double clip = LP_SCORE_CLIP * s->scores.setup.limit * score->spread;
	double pooled = w->pooled[i] - base;

	score->z = fmin(mean_of(w, i, base, clip), pooled) / score->spread;
	if (isnan(mean_of(w, i, base, clip)))
		score->z = NAN;
	score->effect = fmin(mean_of(w, i, base, INFINITY), pooled);
}

static struct lp_zscore score_level(const struct window *w, size_t i)
{
	struct lp_zscore score = lp_score_level(
		w->s->scores.setup.quantity, w->blocks, w->s->scores.setup.n,
		within_of(w, i), between_of(w, i));

	finish(w, i, 0, &score);
	return score;
}

/* Who comes back from better than its peers is not ill. */
static bool is_off(const struct window *w, size_t i)
{
	double level = fmin(mean_of(w, i, 0, INFINITY), w->pooled[i]);

	return level >=
	       LP_SCORE_LEVEL_LEFT * w->s->scores.setup.quantity->gate_change;
}

static struct lp_zscore score_change(const struct window *w, size_t i)
{
	struct lp_zscore score = lp_score_change(
		w->s->scores.setup.quantity, w->blocks, within_of(w, i),
		LP_SCORE_NORMAL * w->changed[i], w->base[i], w->base_blocks[i]);

	score.matters = is_off(w, i);
	finish(w, i, w->base[i], &score);
	return score;
}

static struct lp_zscore score_loss(const struct window *w, size_t i)
{
	struct plain *s = w->s;
	size_t n = s->scores.setup.n;

	for (size_t j = 0; j < n; j++)
		s->scratch[j] = lp_quantity_share(&w->sums[j], w->blocks);
	return lp_score_loss(s->scores.setup.quantity, w->blocks, w->pooled[i],
			     between_of(w, i),
			     lp_quantity_share(&w->sums[i], w->blocks),
			     median_except(s->scratch, n, i, s->pool));
}

static int tell(const struct window *w, size_t i, struct lp_zscore *score,
		lp_score_sink *sink, void *user)
{
	struct plain *s = w->s;

	if (isnan(score->z))
		return 0;
	/* Asked only where it decides: it takes medians of its own. */
	if (lp_score_accuses(score, s->scores.setup.limit)) {
		struct lp_quantity_peers peers;

		lp_quantity_peers(s->scores.setup.metric, w->sums,
				  s->scores.setup.n, w->blocks,
				  s->scores.setup.block_s, &peers, s->scratch);
		score->matters = lp_quantity_matters(
			s->scores.setup.metric, &peers, &w->sums[i], w->blocks,
			s->scores.setup.block_s);
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
	if (w->s->scores.setup.quantity->counts) {
		score = score_loss(w, i);
		return tell(w, i, &score, sink, user);
	}
	score = score_level(w, i);
	status = tell(w, i, &score, sink, user);
	if (status < 0 || isnan(w->base[i]))
		return status;
	score = score_change(w, i);
	return tell(w, i, &score, sink, user);
}

static int look_through(struct window *w, size_t i, lp_score_sink *sink,
			void *user)
{
	struct plain *s = w->s;
	int status = 0;

	w->blocks = s->scores.setup.windows[w->w];
	w->pooled = row(s, s->pooled[w->w], s->scores.count - 1);
	w->sums = lp_blocks_sums(s->scores.setup.blocks, w->blocks);
	look_back(w);
	for (size_t j = 0; j < s->scores.setup.n && status == 0; j++)
		if (i == LP_SCORE_ALL || i == j)
			status = score_one(w, j, sink, user);
	return status;
}

static int tell_plain(struct lp_scores *scores, size_t i, lp_score_sink *sink,
		      void *user)
{
	struct plain *s = (struct plain *)scores;
	size_t n = scores->setup.n, known;
	const size_t *windows = scores->setup.windows;
	lp_auto_free double *base = calloc(n + 1, sizeof(*base));
	lp_auto_free double *moved = calloc(n + 1, sizeof(*moved));
	lp_auto_free double *changed = calloc(n + 1, sizeof(*changed));
	lp_auto_free size_t *blocks = calloc(n + 1, sizeof(*blocks));
	struct window w = { .s = s,
			    .base = base,
			    .moved = moved,
			    .changed = changed,
			    .base_blocks = blocks };
	int status = 0;

	if (!base || !moved || !changed || !blocks)
		return -ENOMEM;
	for (size_t j = 0; j < n; j++)
		s->centre[j] = past_median(s, j, first_block(s), scores->count,
					   &known);
	for (; windows[w.w] && windows[w.w] <= scores->count && status == 0;
	     w.w++)
		status = look_through(&w, i, sink, user);
	return status;
}

static double residual(const struct lp_scores *scores, size_t w, size_t i)
{
	const struct plain *s = (const struct plain *)scores;

	return row(s, s->pooled[w], scores->count - 1)[i];
}

const struct lp_score_way lp_scores_plain = {
	.new = new_plain,
	.free = free_plain,
	.end_block = end_block,
	.tell = tell_plain,
	.residual = residual,
};
