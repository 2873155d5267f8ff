/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid's own detector. Untrained; it compares quantities that hardly depend
 * on the load (quantity.h), over several windows at once, with the peers and
 * with the component's own past (score.h). docs/methods/own-detector.md tells
 * how it was made and what it misses.
 */
#include "detect/joint.h"
#include "detect/score.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define BLOCK_NS (10 * LP_NS_PER_S)
/* Retransmitting less is usual, whatever the group does. */
#define LOSSY_LEAST 0.0005
/* Latency is explained by more load from here on. */
#define LOADED_EFFECT 0.25
#define LOADED_DISTANCE 2.5
/*
 * Queues behind a disk or a loaded link lose up to 0.2 % of the bytes: less
 * than this does not outweigh another cause.
 */
#define LOSS_WEIGHS_FROM 0.005

struct state {
	struct lp_joint_setup setup;
	struct lp_blocks *blocks;
	struct lp_scores **scores; /* [n_quantities]; NULL: not at this step */
	double block_s;
	/* Windows, and what is usual in the group is learnt over. */
	size_t lengths[LP_SCORE_WINDOWS + 2];
	double lossy;   /* a larger share retransmitted is */
	int64_t end_ns; /* of the last block */
	double *values; /* [n], for a while */
	bool *loaded;   /* [n] */
};

static void close_state(void *user)
{
	struct state *s = user;

	if (!s)
		return;
	for (size_t q = 0; s->scores && q < s->setup.n_quantities; q++)
		lp_scores_free(s->scores[q]);
	lp_blocks_free(s->blocks);
	free(s->scores);
	free(s->values);
	free(s->loaded);
	free(s);
}

/* Whether anything is known of what was sent in vain. */
static bool counts_loss(const struct state *s)
{
	for (size_t m = 0; m < s->setup.n_metrics; m++)
		if (s->setup.metrics[m]->input == LP_INPUT_RESENT ||
		    s->setup.metrics[m]->input == LP_INPUT_RESENT_PACKETS)
			return true;
	return false;
}

static void choose_lengths(struct state *s)
{
	const size_t *windows = lp_score_windows(s->block_s);
	size_t n = 0;

	for (; windows[n]; n++)
		s->lengths[n] = windows[n];
	if (counts_loss(s))
		s->lengths[n] = LP_BLOCKS_KEPT;
}

static bool allocate(struct state *s)
{
	const struct lp_joint_setup *setup = &s->setup;
	double step_s = (double)setup->step_ns / (double)LP_NS_PER_S;

	s->blocks = lp_blocks_new(setup->n, setup->metrics, setup->n_metrics,
				  step_s,
				  (size_t)(setup->block_ns / setup->step_ns),
				  setup->exact ? NULL : s->lengths);
	s->scores = calloc(setup->n_quantities + 1, sizeof(struct lp_scores *));
	s->values = calloc(setup->n + 1, sizeof(*s->values));
	s->loaded = calloc(setup->n + 1, sizeof(*s->loaded));
	if (!s->blocks || !s->scores || !s->values || !s->loaded)
		return false;
	for (size_t q = 0; q < setup->n_quantities; q++) {
		const struct lp_metric *metric = setup->quantities[q];

		if (s->block_s > LP_SCORE_COARSE_S &&
		    !lp_quantity_of(metric)->coarse)
			continue;
		s->scores[q] =
			lp_scores_new(metric, s->blocks, setup->n, s->block_s,
				      setup->limit, setup->exact);
		if (!s->scores[q])
			return false;
	}
	return true;
}

static void *open_state(const struct lp_joint_setup *setup)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->setup = *setup;
	s->block_s = (double)setup->block_ns / (double)LP_NS_PER_S;
	s->lossy = LOSSY_LEAST;
	choose_lengths(s);
	if (allocate(s))
		return s;
	close_state(s);
	return NULL;
}

static int push(void *user, int64_t time_ns, const double *const *rows)
{
	struct state *s = user;

	(void)time_ns;
	lp_blocks_take(s->blocks, rows, s->lossy);
	return 0;
}

/* ---- the end of a block ---- */

/* What the group loses as a rule is no sign of a bad link. */
static void learn_lossy(struct state *s)
{
	size_t count = lp_blocks_count(s->blocks), m = 0;
	size_t last = count < LP_BLOCKS_KEPT ? count : LP_BLOCKS_KEPT;
	const struct lp_sums *sums;
	double usual;

	if (!counts_loss(s))
		return;

	sums = lp_blocks_sums(s->blocks, last);
	for (size_t i = 0; i < s->setup.n; i++) {
		double share = lp_quantity_share(&sums[i], last);

		if (!isnan(share))
			s->values[m++] = share;
	}
	usual = lp_median(s->values, m);
	s->lossy = fmax(LOSSY_LEAST, isnan(usual) ? 0 : 2 * usual);
}

/* Looking through the scores of one quantity. */
struct look {
	struct state *s;
	const struct lp_metric *metric;
	struct lp_ground *grounds; /* [n] */
};

static const char *kind_name(enum lp_score_kind kind)
{
	return kind == LP_SCORE_CHANGE ? "change" : "level";
}

static double weight_of(const struct lp_metric *metric,
			const struct lp_zscore *score)
{
	return score->effect / (lp_quantity_of(metric)->counts
					? LOSS_WEIGHS_FROM
					: score->gate);
}

/* What would have been enough to be accused in this window. */
static void see_least(const struct state *s, const struct lp_metric *metric,
		      const struct lp_zscore *score, struct lp_ground *g)
{
	double least =
		lp_quantity_of(metric)->counts
			? score->gate
			: fmax(s->setup.limit * score->spread, score->gate);
	double *kept = score->kind == LP_SCORE_CHANGE ? &g->least_change
						      : &g->least_level;

	*kept = fmin(*kept, least);
}

/*
 * Of what accuses the surest, or else of what does not; of equal ones, that of
 * the shortest window.
 */
static int keep_best(void *user, size_t i, const struct lp_zscore *score)
{
	struct look *look = user;
	struct state *s = look->s;
	struct lp_ground *g = &look->grounds[i];
	bool accused = lp_score_accuses(score, s->setup.limit);

	if (look->metric->role == LP_LOAD && score->effect >= LOADED_EFFECT &&
	    score->z > LOADED_DISTANCE)
		s->loaded[i] = true;
	g->compared = true;
	g->most = fmax(g->most, score->z);
	see_least(s, look->metric, score, g);
	if (g->kind && (g->accused > accused ||
			(g->accused == accused &&
			 !lp_score_exceeds(score->z, g->distance))))
		return 0;
	g->accused = accused;
	g->kind = kind_name(score->kind);
	g->window_ns = (int64_t)score->blocks * s->setup.block_ns;
	g->distance = score->z;
	g->effect = score->effect;
	g->gate = score->gate;
	g->weight = weight_of(look->metric, score);
	g->before = score->base;
	return 0;
}

/* What all did in a window, in the unit of the quantity. */
struct doings {
	size_t blocks;
	const struct lp_sums *sums;
	struct lp_middle middle;
	double low[2], high[2]; /* the outermost, and the next ones */
};

static void see_doings(struct look *look, size_t blocks, struct doings *d)
{
	struct state *s = look->s;
	size_t m = 0;

	*d = (struct doings){ .blocks = blocks,
			      .sums = lp_blocks_sums(s->blocks, blocks),
			      .low = { NAN, NAN },
			      .high = { NAN, NAN } };
	for (size_t i = 0; i < s->setup.n; i++) {
		double v = lp_quantity_value(look->metric, &d->sums[i], blocks,
					     s->block_s);

		if (isnan(v))
			continue;
		s->values[m++] = v;
		d->low[1] = fmin(d->low[1], fmax(d->low[0], v));
		d->low[0] = fmin(d->low[0], v);
		d->high[1] = fmax(d->high[1], fmin(d->high[0], v));
		d->high[0] = fmax(d->high[0], v);
		/* The first has no next one. */
		if (m == 1)
			d->low[1] = d->high[1] = NAN;
	}
	lp_middle_of(s->values, m, &d->middle);
}

/* What it and its peers did in the window that accuses it. */
static void fill_values(const struct look *look, size_t i,
			const struct doings *d, struct lp_ground *g)
{
	double v = lp_quantity_value(look->metric, &d->sums[i], d->blocks,
				     look->s->block_s);

	g->value = v;
	g->peers_median = lp_median_without(&d->middle, v);
	g->peers_low = d->low[v <= d->low[0]];
	g->peers_high = d->high[v >= d->high[0]];
}

/* Window by window: what the others did is looked at once for all. */
static void add_all_values(struct look *look)
{
	struct state *s = look->s;
	struct doings d;

	for (size_t w = 0; w < LP_SCORE_WINDOWS && s->lengths[w]; w++) {
		int64_t window_ns = (int64_t)s->lengths[w] * s->setup.block_ns;
		bool seen = false;

		for (size_t i = 0; i < s->setup.n; i++) {
			const struct lp_ground *g = &look->grounds[i];

			if (!g->accused || g->window_ns != window_ns)
				continue;
			if (!seen)
				see_doings(look, s->lengths[w], &d);
			seen = true;
			fill_values(look, i, &d, &look->grounds[i]);
		}
	}
}

static void compare(void *user, size_t quantity, size_t i, int64_t window_ns,
		    struct lp_compared *compared)
{
	struct state *s = user;
	struct look look = { s, s->setup.quantities[quantity], NULL };
	struct lp_ground ground;
	struct doings d;

	look.grounds = &ground;
	see_doings(&look, (size_t)(window_ns / s->setup.block_ns), &d);
	fill_values(&look, i, &d, &ground);
	compared->value = ground.value;
	compared->peers_low = ground.peers_low;
	compared->peers_median = ground.peers_median;
	compared->peers_high = ground.peers_high;
}

static int judge_quantity(struct state *s, size_t q, struct lp_ground *grounds)
{
	struct look look = { s, s->setup.quantities[q], grounds };
	int status;

	for (size_t i = 0; i < s->setup.n; i++)
		grounds[i] = (struct lp_ground){ .distance = NAN,
						 .most = NAN,
						 .least_level = NAN,
						 .least_change = NAN };
	if (!s->scores[q])
		return 0;
	status = lp_scores_end_block(s->scores[q]);
	if (status == 0)
		status = lp_scores_tell(s->scores[q], LP_SCORE_ALL, keep_best,
					&look);
	if (status == 0)
		add_all_values(&look);
	return status;
}

/*
 * Nobody has done anything for as long as anything is remembered. Then all
 * scores are what they were, and so is what they are made of, at whichever
 * place of a ring. (One block more: centres move in the one after.)
 */
static bool is_at_rest(const struct state *s)
{
	return lp_blocks_rest(s->blocks) > LP_SCORE_BACK + 1;
}

static int judge(void *user, int64_t end_ns, struct lp_ground *grounds)
{
	struct state *s = user;
	size_t n = s->setup.n;
	int status = 0;

	lp_blocks_end(s->blocks);
	s->end_ns = end_ns;
	if (is_at_rest(s))
		return 0;
	for (size_t i = 0; i < n; i++)
		s->loaded[i] = false;
	for (size_t q = 0; q < s->setup.n_quantities && status == 0; q++)
		status = judge_quantity(s, q, grounds + q * n);
	for (size_t q = 0; q < s->setup.n_quantities; q++)
		for (size_t i = 0; i < n; i++)
			grounds[q * n + i].loaded = s->loaded[i];
	learn_lossy(s);
	return status;
}

/* ---- explaining ---- */

struct telling {
	const struct state *s;
	const struct lp_metric *metric;
	lp_reason_sink *sink;
	void *user;
};

static int tell(void *user, size_t i, const struct lp_zscore *score)
{
	struct telling *t = user;
	int64_t block_ns = t->s->setup.block_ns;
	struct lp_reason reason = {
		.metric = t->metric,
		.kind = kind_name(score->kind),
		.begin_ns = t->s->end_ns - (int64_t)score->blocks * block_ns,
		.end_ns = t->s->end_ns,
		.distance = score->z,
		.limit = t->s->setup.limit,
		.share = NAN,
		.effect = score->effect,
		.gate = score->gate,
		.accuses = lp_score_accuses(score, t->s->setup.limit),
		.parts = { { "spread", score->spread },
			   { "prior", score->prior },
			   { "between", score->between },
			   { "within", score->within },
			   { "before", score->base } },
	};

	(void)i;
	return t->sink(t->user, &reason);
}

static int explain(void *user, size_t i, lp_reason_sink *sink, void *sink_user)
{
	struct state *s = user;
	int status = 0;

	for (size_t q = 0; q < s->setup.n_quantities && status == 0; q++) {
		struct telling t = { s, s->setup.quantities[q], sink,
				     sink_user };

		if (s->scores[q] && lp_blocks_count(s->blocks))
			status = lp_scores_tell(s->scores[q], i, tell, &t);
	}
	return status;
}

static int tell_sums(void *user, size_t i, lp_sum_sink *sink, void *sink_user)
{
	struct state *s = user;
	const struct lp_sums *sums;
	int status = 0;

	if (!lp_blocks_count(s->blocks))
		return 0;
	assert(s->setup.exact); /* others do not keep single blocks */
	sums = lp_blocks_sums(s->blocks, 1);
	for (size_t k = 0; k < LP_SUMS && status == 0; k++)
		if (lp_blocks_tell(s->blocks, k))
			status = sink(sink_user, lp_sum_names[k],
				      lp_sum_known(&sums[i], k, 1));
	return status;
}

static size_t least_blocks(int64_t block_ns)
{
	return *lp_score_windows((double)block_ns / (double)LP_NS_PER_S);
}

static const struct lp_joint joint = {
	.block_ns = BLOCK_NS,
	.blocks_back = LP_SCORE_BACK,
	.least_blocks = least_blocks,
	.open = open_state,
	.close = close_state,
	.push = push,
	.judge = judge,
	.explain = explain,
	.compare = compare,
	.tell_sums = tell_sums,
};

/* One false alarm in 100 hours of a server, by the tail of the lab. */
const struct lp_detector lp_detector_limpid = {
	.name = "limpid",
	.help = "service times, loads and losses, over several windows",
	.usual = true,
	.defaults = { .smooth = 1, .k = 1, .threshold = 6.1 },
	.joint = &joint,
};
