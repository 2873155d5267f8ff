/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/engine.h"

#include "base/memory.h"
#include "detect/tape.h"
#include "detect/vote.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Less is quickly had again, and not kept in each of many engines. */
#define SCRATCH_LEAST (1u << 20)

struct lp_engine {
	struct lp_engine_options options;
	struct lp_arena arena, scratch;
	struct lp_tape *tape;
	double *thresholds; /* [n] */
	size_t pushed;      /* rows so far */
	size_t left_out;    /* of them at the end: points nobody pushed */
	int64_t last_ns;
	struct lp_verdict *verdicts;
	struct lp_vote *votes, *absences;
	uint8_t *anomalous, *absent, *gone, *has_data;
};

static bool allocate(struct lp_engine *e)
{
	struct lp_arena *a = &e->arena;
	size_t n = e->options.n;

	e->thresholds = lp_arena_alloc(a, n * sizeof(double));
	e->verdicts = lp_arena_alloc(a, n * sizeof(*e->verdicts));
	e->votes = lp_arena_alloc(a, n * sizeof(*e->votes));
	e->absences = lp_arena_alloc(a, n * sizeof(*e->absences));
	e->anomalous = lp_arena_alloc(a, n);
	e->absent = lp_arena_alloc(a, n);
	e->gone = lp_arena_alloc(a, n);
	e->has_data = lp_arena_alloc(a, n);
	return e->thresholds && e->verdicts && e->votes && e->absences &&
	       e->anomalous && e->absent && e->gone && e->has_data;
}

static bool usable(const struct lp_engine_options *options,
		   const struct lp_detector_params *params)
{
	int64_t whole;

	return lp_detector_check(params, NULL) == 0 &&
	       !__builtin_mul_overflow(options->step_ns,
				       (int64_t)params->window, &whole);
}

static void set_thresholds(struct lp_engine *e)
{
	const struct lp_engine_options *o = &e->options;

	for (size_t i = 0; i < o->n; i++) {
		double own = o->thresholds ? o->thresholds[i] : NAN;

		e->thresholds[i] = isnan(own) ? o->params.threshold : own;
	}
}

struct lp_engine *lp_engine_new(const struct lp_engine_options *options)
{
	struct lp_detector_params params =
		lp_detector_params(options->detector, &options->params);
	struct lp_engine *e;

	assert(!options->detector->joint);
	errno = EINVAL;
	if (options->step_ns <= 0 || !usable(options, &params))
		return NULL;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->options = *options;
	e->options.params = params;
	if (allocate(e)) {
		set_thresholds(e);
		e->tape = lp_tape_new(options->n, params.smooth, params.window,
				      params.shift);
	}
	if (e->tape)
		return e;
	lp_engine_free(e);
	errno = ENOMEM;
	return NULL;
}

void lp_engine_free(struct lp_engine *e)
{
	if (!e)
		return;
	lp_tape_free(e->tape);
	lp_arena_done(&e->scratch);
	lp_arena_done(&e->arena);
	free(e);
}

static bool has_sample(const double *x, size_t w)
{
	for (size_t s = 0; s < w; s++)
		if (!isnan(x[s]))
			return true;
	return false;
}

static void see_data(struct lp_engine *e, const struct lp_window *window)
{
	size_t w = window->w;

	for (size_t i = 0; i < window->n; i++)
		e->has_data[i] = has_sample(window->x + i * w, w);
}

static size_t see_absence(struct lp_engine *e)
{
	size_t n = e->options.n, with = 0;

	for (size_t i = 0; i < n; i++)
		with += e->has_data[i];
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

/* What is known of the window that ends now, which verdicts are on. */
static int conclude(struct lp_engine *e, const struct lp_judge_input *input,
		    lp_engine_sink *sink, void *user)
{
	const struct lp_engine_options *o = &e->options;
	int64_t span = (int64_t)o->params.window * o->step_ns;
	struct lp_judged judged = {
		.begin_ns = e->last_ns - span,
		.end_ns = e->last_ns,
		.verdicts = e->verdicts,
		.anomalous = e->anomalous,
		.absent = e->absent,
		.gone = e->gone,
		.has_data = e->has_data,
		.with_data = see_absence(e),
		.detector = o->detector,
		.input = input,
		.scratch = &e->scratch,
	};

	vote(e);
	return sink(user, &judged);
}

static int judge_window(struct lp_engine *e, lp_engine_sink *sink, void *user)
{
	const struct lp_engine_options *o = &e->options;
	void *memo = NULL;
	struct lp_judge_input input = {
		.window = { lp_tape_window(e->tape), o->n, o->params.window },
		.thresholds = e->thresholds,
		.floor = o->floor,
		.exact = o->exact,
		.memo = &memo,
	};
	int status = o->detector->judge(&input, &e->scratch, e->verdicts);

	if (status < 0)
		return status;
	see_data(e, &input.window);
	return conclude(e, &input, sink, user);
}

int lp_judged_explain(const struct lp_judged *judged, size_t i,
		      struct lp_verdict *verdict)
{
	/* Said already: by all pairs, or by a detector that says all. */
	if (!judged->detector->explain || judged->input->exact) {
		*verdict = judged->verdicts[i];
		return 0;
	}
	return lp_detector_explain(judged->detector, judged->input, i,
				   judged->scratch, verdict);
}

/*
 * In a long gap (a clock set far ahead) all that is remembered is missing
 * already, and stays so at no cost.
 */
static void put_on_tape(struct lp_engine *e, const double *row)
{
	const struct lp_detector_params *p = &e->options.params;

	e->left_out = row ? 0 : e->left_out + 1;
	if (e->left_out <= p->smooth + p->window)
		lp_tape_push(e->tape, row);
}

/* Take the row of this point, NULL where nobody pushed any. */
static int push_one(struct lp_engine *e, int64_t time_ns, const double *row,
		    lp_engine_sink *sink, void *user)
{
	const struct lp_engine_options *o = &e->options;
	int status;

	put_on_tape(e, row);
	e->pushed++;
	e->last_ns = time_ns;
	if (e->pushed < o->params.window ||
	    time_ns % ((int64_t)o->params.shift * o->step_ns) != 0)
		return 0;
	status = judge_window(e, sink, user);
	lp_arena_reset_whole(&e->scratch, SCRATCH_LEAST);
	return status;
}

int lp_engine_push(struct lp_engine *e, int64_t time_ns, const double *row,
		   lp_engine_sink *sink, void *user)
{
	int64_t step = e->options.step_ns;
	int status = 0;

	if (time_ns % step != 0 || (e->pushed && time_ns <= e->last_ns))
		return -EINVAL;
	while (e->pushed && e->last_ns + step < time_ns && status == 0)
		status = push_one(e, e->last_ns + step, NULL, sink, user);
	return status ? status : push_one(e, time_ns, row, sink, user);
}
