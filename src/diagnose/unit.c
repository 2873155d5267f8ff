/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/unit.h"

#include "diagnose/idle.h"
#include "diagnose/loss.h"
#include "diagnose/stuck.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t lp_active_points(const struct lp_unit *unit, int64_t step_ns)
{
	int64_t points = unit->class->active_ns / step_ns;

	if (!unit->class->pooled)
		return 0;
	return points > 1 ? (size_t)points : 1;
}

/* ---- planning ---- */

const char *lp_unit_threshold_key(const struct lp_unit *u, size_t peer)
{
	if (u->group->sockets == LP_SOCKETS_TO_CLIENTS)
		return ">clients";
	if (u->group->sockets == LP_SOCKETS_TO_SERVERS)
		return "clients>";
	return u->group->peers[peer].lasting;
}

static double trained(const struct lp_unit *u, const struct lp_thresholds *from,
		      const char *component)
{
	return from ? lp_thresholds_get(from, u->detector->name, u->class->name,
					u->metric->name, component)
		    : NAN;
}

/* Whoever edits a file may write the name that is shown. */
static double own_threshold(const struct lp_unit *u,
			    const struct lp_thresholds *from, size_t peer)
{
	double v = trained(u, from, lp_unit_threshold_key(u, peer));

	return isnan(v) ? trained(u, from, u->group->peers[peer].label) : v;
}

/* A component without its own gets the median of its group's. */
static double common_threshold(const struct lp_unit *u,
			       const struct lp_thresholds *from,
			       double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < u->group->n; i++)
		if (!isnan(u->thresholds[i]))
			scratch[n++] = u->thresholds[i];
	return n ? lp_median(scratch, n) : trained(u, from, "");
}

static int set_thresholds(struct lp_unit *u, const struct lp_thresholds *from,
			  struct lp_arena *arena)
{
	size_t n = u->group->n;
	lp_auto_free double *scratch = calloc(n + 1, sizeof(*scratch));
	double common;

	u->thresholds = lp_arena_alloc(arena, n * sizeof(double));
	u->trained = lp_arena_alloc(arena, n * sizeof(bool));
	if (!u->thresholds || !u->trained || !scratch)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		u->thresholds[i] = own_threshold(u, from, i);
	common = common_threshold(u, from, scratch);
	for (size_t i = 0; i < n; i++) {
		if (isnan(u->thresholds[i]))
			u->thresholds[i] = common;
		u->trained[i] = !isnan(u->thresholds[i]);
		u->n_trained += u->trained[i];
		if (!u->trained[i])
			u->thresholds[i] = u->params.threshold;
	}
	return 0;
}

static int add_unit(struct lp_diagnosis *d, const struct lp_unit *unit,
		    const struct lp_diagnose_options *options,
		    struct lp_error *err)
{
	struct lp_unit *u;

	if (lp_grow(&d->units, &d->units_capacity, d->n_units + 1,
		    sizeof(*d->units)) < 0)
		return lp_fail_memory(err);
	u = &d->units[d->n_units++];
	*u = *unit;
	if (set_thresholds(u, options->thresholds, &d->arena) < 0)
		return lp_fail_memory(err);
	d->trained |= u->n_trained > 0;
	if (isnan(u->params.threshold) && u->n_trained < u->group->n)
		return lp_fail(err, EINVAL,
			       "method %s has no default threshold: "
			       "give --thresholds with one for %s of %s, or "
			       "--threshold",
			       u->detector->name, u->metric->name,
			       u->group->peers[0].label);
	return 0;
}

static int add_metric(const struct lp_diagnose_input *input,
		      const struct lp_diagnose_options *options,
		      struct lp_diagnosis *d, size_t g, size_t m,
		      struct lp_error *err)
{
	const struct lp_detector *const *methods =
		options->methods ? options->methods : lp_detectors;
	const struct lp_matrix_metric *metric = &input->metrics[m];
	int status = 0;

	for (; *methods && status == 0; methods++) {
		struct lp_detector_params given = options->params;
		struct lp_unit unit = {
			.detector = *methods,
			.class = metric->class,
			.metric = metric->metric,
			.group = &input->plan->groups[g],
			.metric_index = m,
			.group_index = g,
			.largest = NAN,
		};

		if ((!options->methods && !(*methods)->usual) ||
		    !lp_detector_applies(*methods, metric->metric))
			continue;
		if (lp_detector_is_special(*methods))
			given.threshold = options->cwnd_threshold;
		unit.params =
			lp_detector_params_at(*methods, &given, input->step_ns);
		status = lp_detector_check(&unit.params, err);
		if (status == 0)
			status = add_unit(d, &unit, options, err);
	}
	return status;
}

int lp_units_plan(const struct lp_diagnose_input *input,
		  const struct lp_diagnose_options *options, bool own,
		  struct lp_diagnosis *d, struct lp_error *err)
{
	enum lp_peers kind = own ? LP_PEERS_OWN : LP_PEERS;
	int status = 0;

	for (size_t g = 0; g < input->plan->n_groups && status == 0; g++) {
		const struct lp_peer_group *group = &input->plan->groups[g];

		if (group->kind != kind)
			continue;
		for (size_t m = 0; input->metrics[m].class && status == 0; m++)
			if (input->metrics[m].class == group->class &&
			    (input->metrics[m].metric->indicts ||
			     (options->all_metrics &&
			      !input->metrics[m].metric->total)))
				status = add_metric(input, options, d, g, m,
						    err);
	}
	return status;
}

void lp_unit_done(struct lp_unit *unit)
{
	free(unit->end_ns);
	free(unit->track);
}

/* ---- running ---- */

struct run {
	struct lp_unit *unit;
	const struct lp_diagnose_input *input;
	const struct lp_diagnose_options *options;
	int64_t *first_ns;    /* [n]: of the sample of each; before it nobody is
				 absent */
	struct lp_idle *idle; /* NULL: the metric does not show it */
};

static int reserve(struct lp_unit *u)
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

/* Missing is not always absence: sockets rest, counters stick, recorders are
 * stopped. */
static bool absence_counts(const struct run *run, size_t i, int64_t begin_ns,
			   int64_t end_ns)
{
	struct lp_unit *u = run->unit;

	if (u->class->pooled || run->first_ns[i] > begin_ns)
		return false;
	if (lp_counter_stuck(u, run->input, i, begin_ns, end_ns)) {
		if (u->n_stuck++ == 0) {
			u->stuck = i;
			u->stuck_ns = begin_ns;
		}
		return false;
	}
	return !run->input->recording ||
	       !lp_recording_stopped(run->input->recording,
				     u->group->peers[i].host, end_ns);
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
	struct run *run = user;
	struct lp_unit *u = run->unit;
	uint8_t *row;

	if (reserve(u) < 0)
		return -ENOMEM;
	u->end_ns[u->windows] = judged->end_ns;
	row = u->track + u->windows * u->group->n;
	for (size_t i = 0; i < u->group->n; i++) {
		row[i] = state_of(judged, i);
		if (u->detector->needs_loss && row[i] & LP_TRACK_FLAG &&
		    !lp_loss_seen(u, run->input, i, judged->end_ns))
			row[i] &=
				(uint8_t) ~(LP_TRACK_FLAG | LP_TRACK_ANOMALOUS);
		if (row[i] & (LP_TRACK_ABSENT | LP_TRACK_GONE) &&
		    !absence_counts(run, i, judged->begin_ns, judged->end_ns))
			row[i] &= (uint8_t) ~(LP_TRACK_ABSENT | LP_TRACK_GONE);
	}
	if (run->idle)
		lp_idle_look(run->idle, u, row);
	see_split(u, row);
	u->windows++;
	return run->options->dump
		       ? run->options->dump(run->options->dump_user, u, judged)
		       : 0;
}

static void look(struct run *run, int64_t time_ns, const double *row)
{
	struct lp_unit *u = run->unit;

	for (size_t i = 0; i < u->group->n; i++) {
		if (isnan(row[i]))
			continue;
		if (run->first_ns[i] > time_ns)
			run->first_ns[i] = time_ns;
		u->largest = fmax(u->largest, row[i]);
	}
}

static int push_all(struct run *run, struct lp_engine *engine, double *row)
{
	const struct lp_diagnose_input *input = run->input;
	struct lp_unit *u = run->unit;
	int64_t first;
	size_t points = lp_matrix_points(input->matrix, &first);
	size_t active = lp_active_points(u, input->step_ns);
	int status = 0;

	for (size_t k = 0; k < points && status == 0; k++) {
		int64_t time_ns = first + (int64_t)k * input->step_ns;

		lp_peer_row(u->group, input->matrix, u->metric_index, active, k,
			    row);
		look(run, time_ns, row);
		if (run->idle)
			lp_idle_push(run->idle, u, input, k, row);
		status = lp_engine_push(engine, time_ns, row, take, run);
	}
	return status;
}

static int run_engine(struct run *run, struct lp_arena *arena)
{
	struct lp_unit *u = run->unit;
	struct lp_engine_options how = {
		.detector = u->detector,
		.params = u->params,
		.n = u->group->n,
		.step_ns = run->input->step_ns,
		.thresholds = u->thresholds,
		.floor = u->metric->floor,
		.exact = run->options->exact || run->options->dump,
	};
	struct lp_engine *engine = lp_engine_new(&how);
	double *row = lp_arena_alloc(arena, u->group->n * sizeof(*row));
	int status = engine && row ? push_all(run, engine, row) : -ENOMEM;

	lp_engine_free(engine);
	return status;
}

int lp_unit_run(struct lp_unit *u, const struct lp_diagnose_input *input,
		const struct lp_diagnose_options *options)
{
	struct run run = { .unit = u, .input = input, .options = options };
	struct lp_arena arena = { 0 };
	struct lp_idle idle;
	int status = -ENOMEM;

	run.first_ns =
		lp_arena_alloc(&arena, u->group->n * sizeof(*run.first_ns));
	for (size_t i = 0; run.first_ns && i < u->group->n; i++)
		run.first_ns[i] = INT64_MAX;
	if (lp_idle_applies(u))
		run.idle = &idle;
	if (run.first_ns &&
	    (!run.idle || lp_idle_init(&idle, u, input, &arena) == 0))
		status = run_engine(&run, &arena);
	lp_arena_done(&arena);
	return status;
}

/* Threads that wait for each other cost more than a little work. */
#define WORK_FOR_THREADS 4e6

static unsigned threads_for(const struct lp_diagnosis *d,
			    const struct lp_diagnose_input *input,
			    const struct lp_diagnose_options *options)
{
	int64_t first;
	double points = (double)lp_matrix_points(input->matrix, &first);
	double work = 0;

	for (size_t i = 0; i < d->n_units; i++)
		work += (double)d->units[i].group->n * points;
	if (options->dump || !options->threads || work < WORK_FOR_THREADS)
		return 1;
	return options->threads;
}

int lp_units_run(struct lp_diagnosis *d, const struct lp_diagnose_input *input,
		 const struct lp_diagnose_options *options)
{
	unsigned threads = threads_for(d, input, options);
	int status = 0;

	(void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
	for (size_t i = 0; i < d->n_units; i++) {
		int r = lp_unit_run(&d->units[i], input, options);

		if (r < 0) {
#pragma omp atomic write
			status = r;
		}
	}
	return status;
}

const struct lp_peer *lp_plan_find_peer(const struct lp_plan *plan,
					const char *label, size_t *group,
					size_t *index)
{
	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *pg = &plan->groups[g];

		for (size_t i = 0; pg->kind == LP_PEERS && i < pg->n; i++)
			if (strcmp(pg->peers[i].label, label) == 0) {
				*group = g;
				*index = i;
				return &pg->peers[i];
			}
	}
	return NULL;
}
