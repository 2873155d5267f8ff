/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/engine.h"

#include "base/memory.h"
#include "detect/joint.h"
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
	const struct lp_joint *joint; /* NULL: windows, from the tape */
	struct lp_tape *tape;
	void *state;        /* of a joint detector */
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

/* Where rows go: to a tape, or to the detector itself. */
static bool open_way(struct lp_engine *e)
{
	const struct lp_engine_options *o = &e->options;
	const struct lp_detector_params *p = &o->params;
	struct lp_joint_setup setup = {
		.n = o->n,
		.metrics = o->metrics,
		.n_metrics = o->n_metrics,
		.step_ns = o->step_ns,
		.block_ns = (int64_t)p->window * o->step_ns,
		.thresholds = e->thresholds,
	};

	if (e->joint)
		e->state = e->joint->open(&setup);
	else
		e->tape = lp_tape_new(o->n, p->smooth, p->window, p->shift);
	return e->state || e->tape;
}

static bool usable(const struct lp_engine_options *options,
		   const struct lp_detector_params *params)
{
	int64_t whole;

	return lp_detector_check(params, NULL) == 0 &&
	       (!options->detector->joint || options->n_metrics > 0) &&
	       !__builtin_mul_overflow(options->step_ns,
				       (int64_t)params->window, &whole);
}

static struct lp_detector_params params_of(
	const struct lp_engine_options *options)
{
	return options->detector->joint
		       ? lp_detector_params_at(options->detector,
					       &options->params,
					       options->step_ns)
		       : lp_detector_params(options->detector,
					    &options->params);
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
	struct lp_detector_params params;
	struct lp_engine *e;

	errno = EINVAL;
	if (options->step_ns <= 0)
		return NULL;
	params = params_of(options);
	if (!usable(options, &params))
		return NULL;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->options = *options;
	e->options.params = params;
	e->joint = options->detector->joint;
	if (allocate(e)) {
		set_thresholds(e);
		if (open_way(e))
			return e;
	}
	lp_engine_free(e);
	errno = ENOMEM;
	return NULL;
}

void lp_engine_free(struct lp_engine *e)
{
	if (!e)
		return;
	if (e->state)
		e->joint->close(e->state);
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

/* Of the whole window; a joint detector's were marked row by row. */
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
		.engine = e,
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

static int judge_block(struct lp_engine *e, lp_engine_sink *sink, void *user)
{
	int status =
		e->joint->judge(e->state, e->last_ns, &e->scratch, e->verdicts);

	if (status == 0)
		status = conclude(e, NULL, sink, user);
	memset(e->has_data, 0, e->options.n);
	return status;
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

int lp_judged_reasons(const struct lp_judged *judged, size_t i,
		      lp_reason_sink *tell, void *user)
{
	const struct lp_engine *e = judged->engine;
	struct lp_reason reason;
	struct lp_verdict verdict;
	int status;

	if (e->joint)
		return e->joint->explain(e->state, i, tell, user);
	status = lp_judged_explain(judged, i, &verdict);
	if (status < 0)
		return status;
	reason =
		lp_verdict_reason(judged->detector, &verdict, e->thresholds[i]);
	reason.begin_ns = judged->begin_ns;
	reason.end_ns = judged->end_ns;
	return tell(user, &reason);
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

static int give(struct lp_engine *e, int64_t time_ns, const double *const *rows)
{
	for (size_t m = 0; m < e->options.n_metrics; m++)
		for (size_t i = 0; i < e->options.n; i++)
			e->has_data[i] = e->has_data[i] || !isnan(rows[m][i]);
	return e->joint->push(e->state, time_ns, rows);
}

/* Take the rows of this point, NULL where nobody pushed any. */
static int push_one(struct lp_engine *e, int64_t time_ns,
		    const double *const *rows, lp_engine_sink *sink, void *user)
{
	const struct lp_engine_options *o = &e->options;
	int status = 0;

	if (!e->joint)
		put_on_tape(e, rows ? rows[0] : NULL);
	else if (rows)
		status = give(e, time_ns, rows);
	e->pushed++;
	e->last_ns = time_ns;
	if (status < 0 || (!e->joint && e->pushed < o->params.window) ||
	    time_ns % ((int64_t)o->params.shift * o->step_ns) != 0)
		return status;
	status = e->joint ? judge_block(e, sink, user)
			  : judge_window(e, sink, user);
	lp_arena_reset_whole(&e->scratch, SCRATCH_LEAST);
	return status;
}

int lp_engine_push_rows(struct lp_engine *e, int64_t time_ns,
			const double *const *rows, lp_engine_sink *sink,
			void *user)
{
	int64_t step = e->options.step_ns;
	int status = 0;

	if (time_ns % step != 0 || (e->pushed && time_ns <= e->last_ns))
		return -EINVAL;
	while (e->pushed && e->last_ns + step < time_ns && status == 0)
		status = push_one(e, e->last_ns + step, NULL, sink, user);
	return status ? status : push_one(e, time_ns, rows, sink, user);
}

int lp_engine_push(struct lp_engine *e, int64_t time_ns, const double *row,
		   lp_engine_sink *sink, void *user)
{
	assert(e->options.n_metrics <= 1);
	return lp_engine_push_rows(e, time_ns, &row, sink, user);
}
