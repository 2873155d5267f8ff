/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/score_fast.h"

#include <math.h>
#include <string.h>

/* Looking through a window. */
struct window {
	struct lp_fast_scores *f;
	size_t w, blocks;
	bool asked; /* for one component: all of its scores, none quiet */
	struct lp_middle moved;
	/* What is made when it is asked for the first time: */
	const struct lp_sums *sums;
	struct lp_middle shares;
	bool has_shares, has_peers;
	struct lp_quantity_peers peers;
	lp_score_sink *sink;
	void *user;
};

static const struct lp_score_setup *setup_of(const struct window *w)
{
	return &w->f->scores.setup;
}

/* ---- what others have ---- */

static double moved_by(const struct window *w, size_t i)
{
	return fabsf(w->f->now[w->w][i] - lp_fast_base(&w->f->memory[i], w->w));
}

/* How far those have moved that have a base. */
static void look_around(struct window *w)
{
	double *moved = w->f->scratch;
	size_t m = 0;

	for (size_t i = 0; i < setup_of(w)->n; i++) {
		double v = moved_by(w, i);

		moved[m] = v;
		m += isnan(v) ? 0u : 1u;
	}
	lp_middle_of(moved, m, &w->moved);
}

/* The spread of changes; component i has one. */
static double changed_of(const struct window *w, size_t i)
{
	const struct lp_middle *m = &w->moved;

	return m->n < 3
		       ? NAN
		       : LP_SCORE_NORMAL * lp_median_without(m, moved_by(w, i));
}

static double share_of_others(struct window *w, double own)
{
	double *shares = w->f->scratch;
	size_t m = 0;

	if (!w->has_shares) {
		for (size_t i = 0; i < setup_of(w)->n; i++) {
			double v = lp_quantity_share(&w->sums[i], w->blocks);

			if (!isnan(v))
				shares[m++] = v;
		}
		lp_middle_of(shares, m, &w->shares);
		w->has_shares = true;
	}
	return w->shares.n < 3 ? NAN : lp_median_without(&w->shares, own);
}

static bool matters(struct window *w, size_t i)
{
	const struct lp_score_setup *setup = setup_of(w);

	if (!w->has_peers)
		lp_quantity_peers(setup->metric, w->sums, setup->n, w->blocks,
				  setup->block_s, &w->peers, w->f->scratch);
	w->has_peers = true;
	return lp_quantity_matters(setup->metric, &w->peers, &w->sums[i],
				   w->blocks, setup->block_s);
}

/* ---- the scores of a component ---- */

static int tell(struct window *w, size_t i, struct lp_zscore *score)
{
	if (isnan(score->z))
		return 0;
	if (lp_score_accuses(score, setup_of(w)->limit))
		score->matters = matters(w, i);
	return w->sink(w->user, i, score);
}

/* Its z is at most that of the whole window: if this is quiet, so is it. */
static bool is_quiet(const struct window *w, double difference, double spread)
{
	return !w->asked && difference <= LP_SCORE_QUIET * spread;
}

static int tell_quiet(struct window *w, size_t i, double difference,
		      struct lp_zscore *score)
{
	score->effect = difference;
	score->z = difference / score->spread;
	return w->sink(w->user, i, score);
}

/* Means of the blocks, of which only those far off have to be clipped. */
static void finish(const struct window *w, size_t i, double base,
		   struct lp_zscore *score)
{
	const struct lp_fast_scores *f = w->f;
	double clip = LP_SCORE_CLIP * setup_of(w)->limit * score->spread;
	double pooled = f->now[w->w][i] - base;
	struct lp_trail_mean mean = lp_trail_mean(&f->past, i, w->w);
	double clipped = mean.mean - base;

	if (mean.most - base > clip || mean.least - base < -clip)
		clipped = lp_trail_clipped(&f->past, i, w->w, base, clip);
	score->z = fmin(clipped, pooled) / score->spread;
	score->effect = fmin(mean.mean - base, pooled);
	if (score->kind == LP_SCORE_CHANGE)
		score->matters = fmin(mean.mean, f->now[w->w][i]) >=
				 LP_SCORE_LEVEL_LEFT * score->gate;
}

static int score_level(struct window *w, size_t i)
{
	struct lp_fast_scores *f = w->f;
	double difference = f->now[w->w][i];
	struct lp_zscore score =
		lp_score_level(setup_of(w)->quantity, w->blocks, setup_of(w)->n,
			       lp_fast_spread(f, LP_SCORE_WINDOWS, i),
			       lp_fast_spread(f, w->w, i));

	if (isnan(score.spread))
		return 0;
	if (is_quiet(w, difference, score.spread))
		return tell_quiet(w, i, difference, &score);
	finish(w, i, 0, &score);
	return tell(w, i, &score);
}

static int score_change(struct window *w, size_t i)
{
	struct lp_fast_scores *f = w->f;
	const struct lp_fast_memory *m = &f->memory[i];
	double base = lp_fast_base(m, w->w), difference;
	struct lp_zscore score;

	if (isnan(base))
		return 0;
	score = lp_score_change(setup_of(w)->quantity, w->blocks,
				lp_fast_spread(f, LP_SCORE_WINDOWS, i),
				changed_of(w, i), base, m->known[w->w]);
	if (isnan(score.spread))
		return 0;
	difference = f->now[w->w][i] - base;
	if (is_quiet(w, difference, score.spread))
		return tell_quiet(w, i, difference, &score);
	finish(w, i, base, &score);
	return tell(w, i, &score);
}

static int score_loss(struct window *w, size_t i)
{
	double residual = w->f->now[w->w][i], own = NAN, others = NAN;
	double between = lp_fast_spread(w->f, w->w, i);
	bool quiet = is_quiet(w, residual, fmax(1, between));
	struct lp_zscore score;

	if (!quiet) {
		own = lp_quantity_share(&w->sums[i], w->blocks);
		others = isnan(own) ? NAN : share_of_others(w, own);
	}
	score = lp_score_loss(setup_of(w)->quantity, w->blocks, residual,
			      between, own, others);
	return quiet && !isnan(score.z) ? tell_quiet(w, i, residual, &score)
					: tell(w, i, &score);
}

static int score_one(struct window *w, size_t i)
{
	size_t known = w->f->past.known[w->w][i];
	int status;

	if (isnan(w->f->now[w->w][i]))
		return 0;
	if (setup_of(w)->quantity->counts)
		return score_loss(w, i);
	if (known < 2 || 2 * known < w->blocks)
		return 0;
	status = score_level(w, i);
	return status < 0 ? status : score_change(w, i);
}

static int look_through(struct window *w, size_t only)
{
	const struct lp_score_setup *setup = setup_of(w);
	int status = 0;

	w->blocks = setup->windows[w->w];
	w->sums = lp_blocks_sums(setup->blocks, w->blocks);
	w->has_shares = w->has_peers = false;
	look_around(w);
	if (w->asked)
		return score_one(w, only);
	for (size_t i = 0; i < setup->n && status == 0; i++)
		status = score_one(w, i);
	return status;
}

int lp_fast_tell(struct lp_scores *scores, size_t i, lp_score_sink *sink,
		 void *user)
{
	struct lp_fast_scores *f = (struct lp_fast_scores *)scores;
	const size_t *windows = scores->setup.windows;
	struct window w = {
		.f = f, .asked = i != LP_SCORE_ALL, .sink = sink, .user = user
	};
	int status = 0;

	for (; windows[w.w] && windows[w.w] <= scores->count && status == 0;
	     w.w++)
		status = look_through(&w, i);
	return status;
}
