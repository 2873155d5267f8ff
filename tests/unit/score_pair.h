/* SPDX-License-Identifier: Apache-2.0 */
/* The same points, scored in the plain and in the fast way. */
#ifndef LP_TESTS_SCORE_PAIR_H
#define LP_TESTS_SCORE_PAIR_H

#include "detect/score.h"
#include "stats/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIR_POINTS 10
#define PAIR_BLOCK_S 10.0
#define PAIR_LIMIT 6.1
#define PAIR_METRICS LP_INPUTS
#define PAIR_SCORES (LP_SCORE_WINDOWS * LP_SCORE_KINDS)

/* What components do; all rates per second. */
struct pair_world {
	struct lp_random random;
	size_t n, block;
	double scatter;  /* of a component from point to point */
	double apart;    /* components, for good */
	double missing;  /* share of points */
	double idle;     /* share of blocks in which nobody works */
	bool resets;     /* now and then, components do ten times as much */
	size_t ill_from; /* component 1 is twice as slow from this block on */
	double *level;   /* [n]: logarithm of how slow each is */
	bool is_idle;
};

static inline void pair_world_init(struct pair_world *w, size_t n,
				   uint64_t seed)
{
	*w = (struct pair_world){
		.n = n, .scatter = 0.2, .apart = 0.05, .ill_from = SIZE_MAX
	};
	lp_random_init(&w->random, seed, n);
	w->level = calloc(n, sizeof(*w->level));
	for (size_t i = 0; i < n; i++)
		w->level[i] = w->apart * lp_random_normal(&w->random);
}

/* The values of one component in one point, [LP_INPUTS]. */
static inline void pair_world_point(struct pair_world *w, size_t i, double *v)
{
	struct lp_random *r = &w->random;
	double slow = exp(w->level[i] + w->scatter * lp_random_normal(r));
	double work = exp(0.3 * lp_random_normal(r));

	if (i == 1 && w->block >= w->ill_from)
		slow *= 2;
	if (w->resets && lp_random_uniform(r) < 0.002)
		work *= 10;
	if (w->is_idle)
		work = 0;
	v[LP_INPUT_REQUESTS] = floor(50 * work);
	v[LP_INPUT_BUSY] = 4 * slow * v[LP_INPUT_REQUESTS];
	v[LP_INPUT_WAIT] = 9 * slow;
	v[LP_INPUT_IN] = floor(4000 * work * exp(0.1 * lp_random_normal(r)));
	v[LP_INPUT_OUT] = floor(9000 * work * exp(0.1 * lp_random_normal(r)));
	v[LP_INPUT_RESENT] =
		lp_random_uniform(r) < 0.05 * slow ? 0.02 * v[LP_INPUT_OUT] : 0;
	v[LP_INPUT_RESENT_PACKETS] = NAN;
	for (size_t k = 0; k < LP_INPUTS; k++)
		if (lp_random_uniform(r) < w->missing / 4)
			v[k] = NAN;
	if (lp_random_uniform(r) < w->missing)
		for (size_t k = 0; k < LP_INPUTS; k++)
			v[k] = NAN;
}

/* ---- both ways ---- */

struct pair {
	size_t n;
	struct lp_metric metrics[LP_INPUTS];
	const struct lp_metric *list[LP_INPUTS];
	struct lp_blocks *blocks[2]; /* plain, fast */
	struct lp_scores *scores[2];
	double *rows; /* [metric][n] */
	double seconds[2];
};

static inline void pair_init(struct pair *p, const struct lp_metric *quantity,
			     size_t n)
{
	static const size_t lengths[] = { 6, 12, 24, 48, 96, 240, 0 };

	*p = (struct pair){ .n = n };
	for (size_t m = 1; m < LP_INPUTS; m++) {
		p->metrics[m] = (struct lp_metric){ .input = (enum lp_input)m,
						    .scale = 1 };
		p->list[m - 1] = &p->metrics[m];
	}
	p->rows = calloc(LP_INPUTS * n, sizeof(*p->rows));
	for (int fast = 0; fast < 2; fast++) {
		p->blocks[fast] =
			lp_blocks_new(n, p->list, LP_INPUTS - 1, 1, PAIR_POINTS,
				      fast ? lengths : NULL);
		p->scores[fast] =
			lp_scores_new(quantity, p->blocks[fast], n,
				      PAIR_BLOCK_S, PAIR_LIMIT, !fast);
	}
}

static inline void pair_done(struct pair *p)
{
	for (int fast = 0; fast < 2; fast++) {
		lp_scores_free(p->scores[fast]);
		lp_blocks_free(p->blocks[fast]);
	}
	free(p->rows);
}

static inline int pair_push_block(struct pair *p, struct pair_world *w)
{
	const double *rows[LP_INPUTS];
	double v[LP_INPUTS];
	int status = 0;

	w->is_idle = lp_random_uniform(&w->random) < w->idle;
	for (size_t m = 1; m < LP_INPUTS; m++)
		rows[m - 1] = p->rows + m * p->n;
	for (size_t k = 0; k < PAIR_POINTS; k++) {
		for (size_t i = 0; i < p->n; i++) {
			pair_world_point(w, i, v);
			for (size_t m = 1; m < LP_INPUTS; m++)
				p->rows[m * p->n + i] = v[m];
		}
		lp_blocks_take(p->blocks[0], rows, 0.0005);
		lp_blocks_take(p->blocks[1], rows, 0.0005);
	}
	w->block++;
	for (int fast = 0; fast < 2 && status == 0; fast++) {
		lp_blocks_end(p->blocks[fast]);
		status = lp_scores_end_block(p->scores[fast]);
	}
	return status;
}

#endif
