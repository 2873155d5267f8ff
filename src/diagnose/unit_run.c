/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/diagnose_state.h"
#include "diagnose/idle.h"
#include "diagnose/loss.h"
#include "diagnose/unit.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* What a unit remembers from row to row. */
struct lp_unit_run {
	struct lp_engine *engine;
	struct lp_idle *idle; /* NULL: the metric does not show it */
	int64_t *first_ns;    /* [n]: of the sample of each; before it nobody is
				 absent */
	double *rows;         /* [BLOCK][n] */
	int64_t next_ns;      /* rows before this time were pushed */
	struct lp_arena arena;
};

/* Rows that are fetched from the matrix at once. */
#define BLOCK 16

/* A push, for the engine's sink. */
struct push {
	struct lp_unit *unit;
	const struct lp_diagnose_input *input;
	const struct lp_diagnose_options *options;
};

/* ---- windows ---- */

int lp_unit_reserve(struct lp_unit *u)
{
	size_t need = u->windows + 1, n = u->group->n;
	size_t capacity = u->capacity;

	if (need <= capacity)
		return 0;
	if (lp_grow(&u->end_ns, &capacity, need, sizeof(*u->end_ns)) < 0)
		return -ENOMEM;
	u->track = reallocarray(u->track, capacity, n ? n : 1);
	u->capacity = capacity;
	return u->track ? 0 : -ENOMEM;
}

static uint8_t state_of(const struct lp_judged *j, size_t i)
{
	return (uint8_t)((j->verdicts[i].flag ? LP_TRACK_FLAG : 0) |
			 (j->anomalous[i] ? LP_TRACK_ANOMALOUS : 0) |
			 (j->absent[i] ? LP_TRACK_ABSENT : 0) |
			 (j->gone[i] ? LP_TRACK_GONE : 0) |
			 (j->verdicts[i].others >= 2 ? LP_TRACK_COMPARED : 0));
}

/*
 * Missing is not always absence: sockets rest, recorders are stopped. (That
 * counters stick is known only later: stuck.h.)
 */
static bool absence_counts(const struct push *p, size_t i, int64_t begin_ns,
			   int64_t end_ns)
{
	const struct lp_unit *u = p->unit;

	if (u->class->pooled || u->run->first_ns[i] > begin_ns)
		return false;
	return !p->input->recording ||
	       !lp_survey_stopped(p->input->recording, u->group->peers[i].host,
				  end_ns);
}

/*
 * When half of the group differs, the comparison says that the group is none,
 * and not who is ill.
 */
static void see_split(struct lp_unit *u, uint8_t *row)
{
	size_t n = u->group->n, compared = 0, anomalous = 0;

	for (size_t i = 0; i < n; i++) {
		compared += !!(row[i] & LP_TRACK_COMPARED);
		anomalous += !!(row[i] & LP_TRACK_ANOMALOUS);
	}
	u->n_compared += compared > 0;
	if (!anomalous || 2 * anomalous < compared)
		return;
	u->n_split++;
	for (size_t i = 0; i < n; i++)
		if (row[i] & LP_TRACK_ANOMALOUS)
			row[i] = (uint8_t)((row[i] & ~LP_TRACK_ANOMALOUS) |
					   LP_TRACK_SPLIT);
}

static int take(void *user, const struct lp_judged *judged)
{
	struct push *p = user;
	struct lp_unit *u = p->unit;
	uint8_t *row;

	if (lp_unit_reserve(u) < 0)
		return -ENOMEM;
	u->end_ns[u->windows] = judged->end_ns;
	row = u->track + u->windows * u->group->n;
	for (size_t i = 0; i < u->group->n; i++) {
		row[i] = state_of(judged, i);
		if (u->detector->needs_loss && row[i] & LP_TRACK_FLAG &&
		    !lp_loss_seen(u, p->input, i, judged->end_ns))
			row[i] &=
				(uint8_t) ~(LP_TRACK_FLAG | LP_TRACK_ANOMALOUS);
		if (row[i] & (LP_TRACK_ABSENT | LP_TRACK_GONE) &&
		    !absence_counts(p, i, judged->begin_ns, judged->end_ns))
			row[i] &= (uint8_t) ~(LP_TRACK_ABSENT | LP_TRACK_GONE);
	}
	if (u->run->idle)
		lp_idle_look(u->run->idle, u, row);
	see_split(u, row);
	u->windows++;
	return p->options->dump
		       ? p->options->dump(p->options->dump_user, u, judged)
		       : 0;
}

/* ---- rows ---- */

static void look(struct lp_unit *u, int64_t time_ns, const double *row)
{
	int64_t *first_ns = u->run->first_ns;
	double largest = isnan(u->largest) ? -INFINITY : u->largest;

	for (size_t i = 0; i < u->group->n; i++) {
		if (isnan(row[i]))
			continue;
		if (first_ns[i] > time_ns)
			first_ns[i] = time_ns;
		if (row[i] > largest)
			largest = row[i];
	}
	if (largest > -INFINITY)
		u->largest = largest;
}

/* What differed or was gone in earlier recordings was there, and worked. */
static bool is_known(const struct lp_unit *u,
		     const struct lp_diagnose_options *options, size_t i)
{
	return options->state &&
	       lp_state_find(options->state, u->class->name,
			     u->group->peers[i].lasting) != LP_NAME_NONE;
}

static int prepare_idle(struct lp_unit *u,
			const struct lp_diagnose_input *input,
			const struct lp_diagnose_options *options)
{
	struct lp_unit_run *run = u->run;

	if (!lp_idle_applies(u))
		return 0;
	run->idle = lp_arena_alloc(&run->arena, sizeof(*run->idle));
	if (!run->idle || lp_idle_init(run->idle, u, input, &run->arena) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < u->group->n; i++)
		run->idle->worked[i] = is_known(u, options, i);
	return 0;
}

static int prepare(struct lp_unit *u, const struct lp_diagnose_input *input,
		   const struct lp_diagnose_options *options)
{
	struct lp_unit_run *run = u->run;
	struct lp_engine_options how = {
		.detector = u->detector,
		.params = u->params,
		.n = u->group->n,
		.step_ns = input->step_ns,
		.thresholds = u->thresholds,
		.floor = u->metric->floor,
		.exact = options->exact || options->dump,
	};
	size_t n = u->group->n;

	run->next_ns = INT64_MIN;
	run->engine = lp_engine_new(&how);
	run->rows = lp_arena_alloc(&run->arena, BLOCK * n * sizeof(double));
	run->first_ns = lp_arena_alloc(&run->arena, n * sizeof(*run->first_ns));
	if (!run->engine || !run->rows || !run->first_ns)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		run->first_ns[i] =
			is_known(u, options, i) ? INT64_MIN : INT64_MAX;
	return prepare_idle(u, input, options);
}

static int open_unit(struct lp_unit *u, const struct lp_diagnose_input *input,
		     const struct lp_diagnose_options *options)
{
	int status;

	u->run = calloc(1, sizeof(*u->run));
	if (!u->run)
		return -ENOMEM;
	status = prepare(u, input, options);
	if (status < 0)
		lp_unit_close(u);
	return status;
}

void lp_unit_close(struct lp_unit *u)
{
	lp_joint_run_free(u->joint_run);
	u->joint_run = NULL;
	if (!u->run)
		return;
	lp_engine_free(u->run->engine);
	lp_arena_done(&u->run->arena);
	free(u->run);
	u->run = NULL;
}

/* n points from k on, at most BLOCK. */
static int push_block(struct push *push, int64_t first_ns, size_t k, size_t n,
		      size_t points)
{
	struct lp_unit *u = push->unit;
	const struct lp_diagnose_input *input = push->input;
	struct lp_unit_run *run = u->run;
	int status = 0;

	lp_peer_rows(u->group, input->matrix, u->metric_index,
		     lp_active_points(u, input->step_ns), k, n, run->rows);
	for (size_t r = 0; r < n && status == 0; r++) {
		const double *row = run->rows + r * u->group->n;
		int64_t time_ns = first_ns + (int64_t)(k + r) * input->step_ns;

		look(u, time_ns, row);
		if (run->idle)
			lp_idle_push(run->idle, u, input, k + r, points - k - r,
				     time_ns, row);
		status = lp_engine_push(run->engine, time_ns, row, take, push);
		run->next_ns = time_ns + input->step_ns;
	}
	return status;
}

int lp_unit_push(struct lp_unit *u, const struct lp_diagnose_input *input,
		 const struct lp_diagnose_options *options)
{
	struct push push = { u, input, options };
	int64_t first = 0;
	size_t points = lp_matrix_points(input->matrix, &first), k = 0;
	int status = 0;

	assert(!u->borrowed);
	if (u->over || !lp_unit_takes(u, input))
		return 0;
	if (u->detector->joint)
		return lp_unit_push_jointly(u, input, options);
	if (!u->run)
		status = open_unit(u, input, options);
	if (status == 0 && u->run->next_ns > first)
		k = (size_t)((u->run->next_ns - first) / input->step_ns);
	for (; k < points && status == 0; k += BLOCK)
		status = push_block(&push, first, k,
				    points - k < BLOCK ? points - k : BLOCK,
				    points);
	return status;
}

/* Threads that wait for each other cost more than a little work. */
#define WORK_FOR_THREADS 4e6

static unsigned threads_for(const struct lp_units *units,
			    const struct lp_diagnose_input *input,
			    const struct lp_diagnose_options *options)
{
	int64_t first;
	double points = (double)lp_matrix_points(input->matrix, &first);
	double work = 0;

	for (size_t i = 0; i < units->n; i++)
		work += (double)units->items[i].group->n * points;
	if (options->dump || options->blocks || !options->threads ||
	    work < WORK_FOR_THREADS)
		return 1;
	return options->threads;
}

int lp_units_push(struct lp_units *units, const struct lp_diagnose_input *input,
		  const struct lp_diagnose_options *options, bool last)
{
	unsigned threads = threads_for(units, input, options);
	int status = 0;

	(void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
	for (size_t i = 0; i < units->n; i++) {
		int r = lp_unit_push(&units->items[i], input, options);

		if (last && lp_unit_takes(&units->items[i], input)) {
			lp_unit_close(&units->items[i]);
			units->items[i].over = true;
		}
		if (r < 0) {
#pragma omp atomic write
			status = r;
		}
	}
	return status;
}
