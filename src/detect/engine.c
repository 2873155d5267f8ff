/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/engine.h"

#include "base/memory.h"
#include "detect/vote.h"
#include "stats/smooth.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Components whose values of one time share a line of the cache. */
#define BLOCK 8

struct lp_engine {
	struct lp_engine_options options;
	struct lp_arena arena, scratch;
	struct lp_smooth *smooth;
	double *thresholds;  /* [n] */
	double *ring;        /* smoothed rows, [window][n] */
	const double **rows; /* [window]: those in the ring, oldest first */
	double *matrix;      /* the window by component, [n][window] */
	double *means, *missing;
	size_t pushed;   /* rows so far */
	size_t left_out; /* of them at the end: points nobody pushed */
	int64_t last_ns;
	struct lp_verdict *verdicts;
	struct lp_vote *votes, *absences;
	uint8_t *anomalous, *absent, *gone, *has_data;
};

static void fill_missing(double *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		row[i] = NAN;
}

static bool allocate(struct lp_engine *e)
{
	size_t n = e->options.n, w = e->options.params.window;
	struct lp_arena *a = &e->arena;

	e->smooth = lp_smooth_new(n, e->options.params.smooth);
	e->thresholds = lp_arena_alloc(a, n * sizeof(double));
	e->ring = lp_arena_alloc(a, n * w * sizeof(double));
	e->rows = lp_arena_alloc(a, w * sizeof(*e->rows));
	e->matrix = lp_arena_alloc(a, n * w * sizeof(double));
	e->means = lp_arena_alloc(a, n * sizeof(double));
	e->missing = lp_arena_alloc(a, n * sizeof(double));
	e->verdicts = lp_arena_alloc(a, n * sizeof(*e->verdicts));
	e->votes = lp_arena_alloc(a, n * sizeof(*e->votes));
	e->absences = lp_arena_alloc(a, n * sizeof(*e->absences));
	e->anomalous = lp_arena_alloc(a, n);
	e->absent = lp_arena_alloc(a, n);
	e->gone = lp_arena_alloc(a, n);
	e->has_data = lp_arena_alloc(a, n);
	return e->smooth && e->thresholds && e->ring && e->rows && e->matrix &&
	       e->means && e->missing && e->verdicts && e->votes &&
	       e->absences && e->anomalous && e->absent && e->gone &&
	       e->has_data;
}

static bool usable(const struct lp_engine_options *options,
		   const struct lp_detector_params *params)
{
	int64_t whole;

	return lp_detector_check(params, NULL) == 0 && options->step_ns > 0 &&
	       !__builtin_mul_overflow(options->step_ns,
				       (int64_t)params->window, &whole);
}

struct lp_engine *lp_engine_new(const struct lp_engine_options *options)
{
	struct lp_detector_params params =
		lp_detector_params(options->detector, &options->params);
	struct lp_engine *e;

	if (!usable(options, &params)) {
		errno = EINVAL;
		return NULL;
	}
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->options = *options;
	e->options.params = params;
	if (!allocate(e)) {
		lp_engine_free(e);
		return NULL;
	}
	for (size_t i = 0; i < options->n; i++) {
		double own = options->thresholds ? options->thresholds[i] : NAN;

		e->thresholds[i] = isnan(own) ? params.threshold : own;
	}
	fill_missing(e->missing, options->n);
	return e;
}

void lp_engine_free(struct lp_engine *e)
{
	if (!e)
		return;
	lp_smooth_free(e->smooth);
	lp_arena_done(&e->scratch);
	lp_arena_done(&e->arena);
	free(e);
}

static inline void transpose_block(struct lp_engine *e, size_t first,
				   size_t count)
{
	size_t w = e->options.params.window;
	double *to = e->matrix + first * w;

	for (size_t s = 0; s < w; s++) {
		const double *row = e->rows[s] + first;

		for (size_t b = 0; b < count; b++)
			to[b * w + s] = row[b];
	}
}

/* From rows by time, as they come, to rows by component, as compared. */
static void transpose(struct lp_engine *e)
{
	size_t n = e->options.n, w = e->options.params.window;

	assert(e->pushed >= w);
	for (size_t s = 0; s < w; s++)
		e->rows[s] = e->ring + (e->pushed + s) % w * n;
	for (size_t first = 0; first + BLOCK <= n; first += BLOCK)
		transpose_block(e, first, BLOCK);
	if (n % BLOCK)
		transpose_block(e, n - n % BLOCK, n % BLOCK);
}

static bool has_sample(const double *x, size_t w)
{
	for (size_t s = 0; s < w; s++)
		if (!isnan(x[s]))
			return true;
	return false;
}

static size_t see_absence(struct lp_engine *e)
{
	size_t n = e->options.n, w = e->options.params.window, with = 0;

	for (size_t i = 0; i < n; i++) {
		e->has_data[i] = has_sample(e->matrix + i * w, w);
		with += e->has_data[i];
	}
	/* More than half of its n - 1 peers must be there. */
	for (size_t i = 0; i < n; i++)
		e->absent[i] = !e->has_data[i] && 2 * with > n - 1;
	return with;
}

static void vote(struct lp_engine *e)
{
	unsigned k = e->options.params.k;

	for (size_t i = 0; i < e->options.n; i++) {
		e->anomalous[i] =
			lp_vote_add(&e->votes[i], e->verdicts[i].flag, k);
		e->gone[i] = lp_vote_add(&e->absences[i], e->absent[i], k);
	}
}

static int judge(struct lp_engine *e, lp_engine_sink *sink, void *user)
{
	const struct lp_engine_options *o = &e->options;
	size_t w = o->params.window;
	struct lp_judge_input input = {
		.window = { e->matrix, o->n, w },
		.thresholds = e->thresholds,
		.floor = o->floor,
		.exact = o->exact,
		.flagged = o->flagged,
	};
	struct lp_judged judged = {
		.begin_ns = e->last_ns - (int64_t)w * o->step_ns,
		.end_ns = e->last_ns,
		.verdicts = e->verdicts,
		.anomalous = e->anomalous,
		.absent = e->absent,
		.gone = e->gone,
		.has_data = e->has_data,
		.input = &input,
		.scratch = &e->scratch,
	};
	int r;

	transpose(e);
	judged.with_data = see_absence(e);
	lp_arena_reset(&e->scratch);
	r = o->detector->judge(&input, &e->scratch, e->verdicts);
	if (r < 0)
		return r;
	vote(e);
	return sink(user, &judged);
}

/*
 * The smoothed row of this point. In a long gap (a clock set far ahead) all
 * that is remembered is missing already, and stays so at no cost.
 */
static void smooth_row(struct lp_engine *e, const double *row)
{
	const struct lp_detector_params *p = &e->options.params;
	double *slot = e->ring + e->pushed % p->window * e->options.n;

	e->left_out = row == e->missing ? e->left_out + 1 : 0;
	if (e->left_out <= p->smooth)
		lp_smooth_push(e->smooth, row, slot);
	else if (e->left_out <= p->smooth + p->window)
		fill_missing(slot, e->options.n);
}

static int push_one(struct lp_engine *e, int64_t time_ns, const double *row,
		    lp_engine_sink *sink, void *user)
{
	const struct lp_engine_options *o = &e->options;

	smooth_row(e, row);
	e->pushed++;
	e->last_ns = time_ns;
	if (e->pushed < o->params.window ||
	    time_ns % ((int64_t)o->params.shift * o->step_ns) != 0)
		return 0;
	return judge(e, sink, user);
}

int lp_engine_push(struct lp_engine *e, int64_t time_ns, const double *row,
		   lp_engine_sink *sink, void *user)
{
	int64_t step = e->options.step_ns;
	int r = 0;

	if (time_ns % step != 0 || (e->pushed && time_ns <= e->last_ns))
		return -EINVAL;
	while (e->pushed && e->last_ns + step < time_ns && r == 0)
		r = push_one(e, e->last_ns + step, e->missing, sink, user);
	return r ? r : push_one(e, time_ns, row, sink, user);
}
