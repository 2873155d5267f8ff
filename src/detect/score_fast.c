/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way. What each block changes is changed, and no more:
 *
 * - residuals are remembered in 16 bits (code.h), sums of windows are carried
 *   from block to block (carry.h);
 * - in large groups, spreads are medians of histograms to which the newest
 *   block is added and from which the oldest is taken (sizes.h). In small
 *   ones, all of it is counted, which is as fast there, and exact;
 * - the median of a component's past is looked for only if what came and what
 *   went are not on the same side of it;
 * - means and gates are looked at only where z might not be quiet.
 */
#include "detect/score_fast.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define HISTORY LP_SCORE_HISTORY

/* Groups from so many on have histograms, which take 96 kB a quantity. */
#define LARGE_FROM 256
/* A centre is moved if it is off by so much of the median distance to it. */
#define CENTRE_PART 32

static void free_fast(struct lp_scores *scores)
{
	struct lp_fast_scores *f = (struct lp_fast_scores *)scores;

	lp_trail_done(&f->past);
	for (size_t w = 0; w < LP_SCORE_WINDOWS; w++) {
		free(f->now[w]);
		free(f->pooled[w]);
	}
	free(f->memory);
	free(f->pools);
	free(f->scratch);
	free(f->residuals);
	free(f->gone);
	free(f);
}

static bool make_windows(struct lp_fast_scores *f)
{
	size_t n = f->scores.setup.n, cells = n * HISTORY;

	for (size_t w = 0; f->scores.setup.windows[w]; w++) {
		f->now[w] = calloc(n + 1, sizeof(float));
		f->pooled[w] = calloc(cells + 1, sizeof(int16_t));
		if (!f->now[w] || !f->pooled[w])
			return false;
		for (size_t k = 0; k < cells; k++)
			f->pooled[w][k] = LP_CODE_MISSING;
	}
	return true;
}

static struct lp_scores *new_fast(const struct lp_score_setup *setup)
{
	struct lp_fast_scores *f = calloc(1, sizeof(*f));
	size_t n = setup->n;

	if (!f)
		return NULL;
	f->scores.way = &lp_scores_fast;
	f->scores.setup = *setup;
	f->memory = calloc(n + 1, sizeof(*f->memory));
	f->scratch = calloc(6 * n + 1, sizeof(double));
	f->residuals = calloc(n + 1, sizeof(double));
	f->gone = calloc(n + 1, sizeof(*f->gone));
	if (n >= LARGE_FROM)
		f->pools = calloc(LP_SCORE_WINDOWS + 1, sizeof(*f->pools));
	if (lp_trail_init(&f->past, n, setup->windows) && make_windows(f) &&
	    f->memory && f->scratch && f->residuals && f->gone &&
	    (f->pools || n < LARGE_FROM))
		return &f->scores;
	free_fast(&f->scores);
	return NULL;
}

/* ---- spreads ---- */

/* In large groups a block's codes are side by side, else a component's are. */
static int16_t *pooled_at(const struct lp_fast_scores *f, size_t w, size_t i)
{
	size_t slot = (f->scores.count - 1) % HISTORY;

	return f->pooled[w] +
	       (f->pools ? slot * f->scores.setup.n + i : i * HISTORY + slot);
}

static void pool_window(struct lp_fast_scores *f, size_t w)
{
	struct lp_sizes *pool = f->pools ? &f->pools[w] : NULL;

	for (size_t i = 0; i < f->scores.setup.n; i++) {
		int16_t *code = pooled_at(f, w, i), old = *code;

		*code = lp_code_of(f->now[w][i]);
		if (*code == old)
			continue;
		if (pool && old != LP_CODE_MISSING)
			lp_sizes_remove(pool, lp_code_value(old));
		if (pool && *code != LP_CODE_MISSING)
			lp_sizes_add(pool, lp_code_value(*code));
		/* Counted, only sizes matter. */
		if (!pool && *code < 0)
			*code = (int16_t) - *code;
	}
}

static float off_centre(const struct lp_fast_memory *m, int16_t code)
{
	return lp_code_value(code) - m->centre;
}

/* The oldest block is about to go. */
static void forget_oldest(struct lp_fast_scores *f)
{
	struct lp_sizes *pool = f->pools ? &f->pools[LP_SCORE_WINDOWS] : NULL;

	for (size_t i = 0; i < f->scores.setup.n; i++) {
		int16_t old = *lp_trail_slot(&f->past, i);

		f->gone[i] = old;
		if (pool && old != LP_CODE_MISSING)
			lp_sizes_remove(pool, off_centre(&f->memory[i], old));
	}
}

static void pool_newest(struct lp_fast_scores *f)
{
	struct lp_sizes *pool = &f->pools[LP_SCORE_WINDOWS];
	size_t slot = (f->past.count - 1) % HISTORY;

	for (size_t i = 0; i < f->scores.setup.n; i++) {
		int16_t code = f->past.codes[i * HISTORY + slot];

		if (code != LP_CODE_MISSING)
			lp_sizes_add(pool, off_centre(&f->memory[i], code));
	}
}

/* A component's centre has moved: so have all its distances. */
static void pool_again(struct lp_fast_scores *f, size_t i, float centre)
{
	struct lp_sizes *pool = &f->pools[LP_SCORE_WINDOWS];
	const int16_t *codes = f->past.codes + i * HISTORY;

	for (size_t k = 0; k < HISTORY; k++) {
		float v = lp_code_value(codes[k]);

		if (codes[k] == LP_CODE_MISSING)
			continue;
		lp_sizes_remove(pool, v - f->memory[i].centre);
		lp_sizes_add(pool, v - centre);
	}
	f->memory[i].centre = centre;
}

/* Without pools: the distances of all, for counting. */
static void measure_off(const struct lp_fast_scores *f, int16_t *off)
{
	for (size_t i = 0; i < f->scores.setup.n; i++) {
		const int16_t *codes = f->past.codes + i * HISTORY;

		for (size_t k = 0; k < HISTORY; k++) {
			float v = off_centre(&f->memory[i], codes[k]);
			int16_t size = (int16_t)lp_code_of_size(v);

			*off++ = codes[k] == LP_CODE_MISSING ? LP_CODE_MISSING
							     : size;
		}
	}
}

/* 1.4826 x the median of these, unless they are too few. */
static float count_spread(const int16_t *codes, size_t n,
			  struct lp_codes_middle *middle)
{
	size_t known = lp_codes_below(codes, n, LP_CODE_MISSING);

	if (known < LP_SCORE_VALUES_MIN)
		return NAN;
	lp_codes_find_middle(codes, n, known, middle);
	return (float)LP_SCORE_NORMAL * lp_codes_median(*middle);
}

static float spread_of_all(struct lp_fast_scores *f, size_t pool,
			   const int16_t *codes)
{
	size_t cells = f->scores.setup.n * HISTORY;

	if (!f->pools)
		return count_spread(codes, cells, &f->middle[pool]);
	return f->pools[pool].n < LP_SCORE_VALUES_MIN
		       ? NAN
		       : (float)LP_SCORE_NORMAL *
				 lp_sizes_median(&f->pools[pool]);
}

/* The same without one component, in a group in which it counts. */
static float spread_of_others(struct lp_fast_scores *f, size_t pool,
			      const int16_t *codes, size_t i)
{
	int16_t others[LP_SCORE_OWN_COUNTS_FROM * HISTORY];
	size_t n = f->scores.setup.n, before = i * HISTORY;
	size_t after = (n - i - 1) * HISTORY;

	memcpy(others, codes, before * sizeof(*codes));
	memcpy(others + before, codes + before + HISTORY,
	       after * sizeof(*codes));
	return count_spread(others, before + after, &f->middle[pool]);
}

static void renew_spread(struct lp_fast_scores *f, size_t pool,
			 const int16_t *codes)
{
	float *spread = f->spread[pool];
	size_t n = f->scores.setup.n;

	if (n >= LP_SCORE_OWN_COUNTS_FROM)
		spread[0] = spread_of_all(f, pool, codes);
	for (size_t i = 0; i < n && n < LP_SCORE_OWN_COUNTS_FROM; i++)
		spread[i] = spread_of_others(f, pool, codes, i);
}

static int renew_within(struct lp_fast_scores *f)
{
	lp_auto_free int16_t *off = NULL;

	if (!f->pools) {
		off = calloc(f->scores.setup.n * HISTORY + 1, sizeof(*off));
		if (!off)
			return -ENOMEM;
		measure_off(f, off);
	}
	renew_spread(f, LP_SCORE_WINDOWS, off);
	return 0;
}

/* ---- the end of a block ---- */

/* Whether a middle stays if one code comes and another one goes. */
static bool stays(struct lp_codes_middle middle, int16_t come, int16_t gone)
{
	return come == gone ||
	       (gone > middle.high && come >= middle.high &&
		come != LP_CODE_MISSING && gone != LP_CODE_MISSING) ||
	       (gone < middle.low && come <= middle.low);
}

/* The middle without the last blocks, of which one has just become older. */
static void renew_middle(struct lp_fast_scores *f, size_t i, size_t k,
			 size_t without)
{
	struct lp_fast_memory *m = &f->memory[i];
	int16_t come = lp_trail_code(&f->past, i, without + 1);
	int16_t gone = f->gone[i];

	if (stays(m->middle[k], come, gone))
		return;
	m->known[k] = (uint8_t)(m->known[k] + (come != LP_CODE_MISSING) -
				(gone != LP_CODE_MISSING));
	if (m->known[k])
		lp_trail_find_middle(&f->past, i, without, m->known[k],
				     &m->middle[k]);
}

/* Where its distances are measured from; in a pool, not by every move. */
static void renew_centre(struct lp_fast_scores *f, size_t i, float tolerated)
{
	struct lp_fast_memory *m = &f->memory[i];
	float centre = m->known[LP_SCORE_WINDOWS]
			       ? lp_codes_median(m->middle[LP_SCORE_WINDOWS])
			       : 0;

	if (!f->pools)
		m->centre = centre;
	else if (fabsf(centre - m->centre) > tolerated)
		pool_again(f, i, centre);
}

static void renew_middles(struct lp_fast_scores *f)
{
	const size_t *windows = f->scores.setup.windows;
	float within = f->spread[LP_SCORE_WINDOWS][0];
	float tolerated = isnan(within) ? 0 : within / CENTRE_PART;

	for (size_t i = 0; i < f->scores.setup.n; i++) {
		for (size_t w = 0; windows[w]; w++)
			renew_middle(f, i, w, windows[w]);
		renew_middle(f, i, LP_SCORE_WINDOWS, 0);
		renew_centre(f, i, tolerated);
	}
}

static void residuals_of(struct lp_fast_scores *f, size_t blocks)
{
	const struct lp_score_setup *setup = &f->scores.setup;

	lp_quantity_residuals(setup->metric,
			      lp_blocks_sums(setup->blocks, blocks), setup->n,
			      blocks, setup->block_s, f->residuals, f->scratch);
}

static void end_window(struct lp_fast_scores *f, size_t w)
{
	size_t blocks = f->scores.setup.windows[w];

	if (blocks <= f->scores.count)
		residuals_of(f, blocks);
	for (size_t i = 0; i < f->scores.setup.n; i++)
		f->now[w][i] = blocks <= f->scores.count
				       ? (float)f->residuals[i]
				       : NAN;
	pool_window(f, w);
	renew_spread(f, w, f->pooled[w]);
}

static int end_block(struct lp_scores *scores)
{
	struct lp_fast_scores *f = (struct lp_fast_scores *)scores;
	bool counts = scores->setup.quantity->counts;

	scores->count++;
	residuals_of(f, 1);
	if (!counts)
		forget_oldest(f);
	lp_trail_add(&f->past, f->residuals);
	if (f->pools && !counts)
		pool_newest(f);
	for (size_t w = 0; scores->setup.windows[w]; w++)
		end_window(f, w);
	/* Counts have a level only, and a spread of their own. */
	if (counts)
		return 0;
	renew_middles(f);
	return renew_within(f);
}

static double residual(const struct lp_scores *scores, size_t w, size_t i)
{
	return ((const struct lp_fast_scores *)scores)->now[w][i];
}

const struct lp_score_way lp_scores_fast = {
	.new = new_fast,
	.free = free_fast,
	.end_block = end_block,
	.tell = lp_fast_tell,
	.residual = residual,
};
