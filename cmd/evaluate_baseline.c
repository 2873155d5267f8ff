/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid evaluate --baseline: the values of a run, as a baseline wants them,
 * and what it says of them.
 */
#include "evaluate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Points that are asked for at once. */
#define CHUNK 1024

/* What is read beside what a diagnosis needs, ended by a class of NULL. */
int lp_eval_baseline_metrics(struct lp_matrix_metric **metrics)
{
	size_t n = 0, most = 1;
	struct lp_matrix_metric *list;

	for (size_t c = 0; lp_classes[c]; c++)
		most += LP_QUANTITIES;
	list = calloc(most, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (size_t c = 0; lp_classes[c]; c++)
		for (int q = 0; q < LP_QUANTITIES; q++) {
			const struct lp_metric *m = lp_quantity_metric(
				lp_classes[c], (enum lp_quantity)q);

			if (m && lp_class_is_compared(lp_classes[c]))
				list[n++] = (struct lp_matrix_metric){
					lp_classes[c], m
				};
		}
	*metrics = list;
	return 0;
}

/* ---- values ---- */

struct values {
	struct lp_judged_run run;
	struct lp_judged_group *groups;
	struct lp_arena arena;
};

static void values_done(struct values *v)
{
	for (size_t i = 0; v->groups && i < v->run.n_groups; i++)
		for (int q = 0; q < LP_QUANTITIES; q++)
			free((double *)v->groups[i].values[q]);
	free(v->groups);
	lp_arena_done(&v->arena);
}

static bool any_known(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i]))
			return true;
	return false;
}

static long find_metric(const struct lp_diagnose_input *input,
			const struct lp_class *class,
			const struct lp_metric *metric)
{
	for (long i = 0; metric && input->metrics[i].class; i++)
		if (input->metrics[i].class == class &&
		    input->metrics[i].metric == metric)
			return i;
	return -1;
}

static int fill(struct values *v, const struct lp_diagnose_input *input,
		const struct lp_peer_group *from, enum lp_quantity quantity,
		struct lp_judged_group *to)
{
	long metric = find_metric(input, from->class,
				  lp_quantity_metric(from->class, quantity));
	size_t points = v->run.points;
	double *rows;

	if (metric < 0)
		return 0;
	rows = calloc(points * from->n + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	for (size_t k = 0; k < points; k += CHUNK)
		lp_peer_rows(from, input->matrix, (size_t)metric, 0, k,
			     points - k < CHUNK ? points - k : CHUNK,
			     rows + k * from->n);
	if (any_known(rows, points * from->n))
		to->values[quantity] = rows;
	else
		free(rows);
	return 0;
}

static int add_group(struct values *v, const struct lp_diagnose_input *input,
		     const struct lp_peer_group *from)
{
	struct lp_judged_group *to = &v->groups[v->run.n_groups++];
	const char **hosts =
		lp_arena_alloc(&v->arena, from->n * sizeof(*hosts));
	int status = hosts ? 0 : -ENOMEM;

	*to = (struct lp_judged_group){ .class = from->class,
					.n = from->n,
					.hosts = hosts,
					.labels = from->labels };
	for (size_t i = 0; hosts && i < from->n; i++)
		hosts[i] = from->peers[i].host;
	for (int q = 0; q < LP_QUANTITIES && status == 0; q++)
		status = fill(v, input, from, (enum lp_quantity)q, to);
	return status;
}

static int gather(struct values *v, const struct lp_diagnose_input *input)
{
	int status = 0;

	*v = (struct values){ .run = { .step_ns = input->step_ns } };
	v->run.points = lp_matrix_points(input->matrix, &v->run.first_ns);
	v->groups = calloc(input->plan->n_groups + 1, sizeof(*v->groups));
	if (!v->groups)
		return -ENOMEM;
	v->run.groups = v->groups;
	for (size_t i = 0; i < input->plan->n_groups && status == 0; i++)
		if (input->plan->groups[i].kind == LP_PEERS)
			status = add_group(v, input, &input->plan->groups[i]);
	return status;
}

/* ---- judging ---- */

/* Strings are copied: those of the plan do not outlive the case. */
static int keep(const struct lp_alarms *alarms, struct lp_arena *arena,
		struct lp_eval_result *result)
{
	result->indicted = lp_arena_alloc(
		arena, (alarms->n + 1) * sizeof(struct lp_indictment));
	if (!result->indicted)
		return -ENOMEM;
	for (size_t i = 0; i < alarms->n; i++) {
		struct lp_indictment x = alarms->items[i];

		x.host = lp_arena_string(arena, x.host);
		x.component = lp_arena_string(arena, x.component);
		if (!x.host || !x.component)
			return -ENOMEM;
		result->indicted[result->n_indicted++] = x;
	}
	result->outcome = alarms->n ? LP_OUTCOME_FAULT : LP_OUTCOME_NONE;
	result->reason = "";
	return 0;
}

static int accuse(struct lp_case_files *c, const struct lp_baseline *baseline,
		  double limit, struct lp_arena *arena,
		  struct lp_eval_result *result, struct lp_error *err)
{
	struct lp_alarms alarms = { 0 };
	struct values v;
	int status = gather(&v, &c->input);

	*result = (struct lp_eval_result){ 0 };
	if (status == 0 && v.run.points > 0)
		status = baseline->judge(&v.run, limit, &alarms);
	if (status == 0)
		status = keep(&alarms, arena, result);
	lp_alarms_done(&alarms);
	values_done(&v);
	return status < 0 ? lp_fail_memory(err) : 0;
}

int lp_eval_judge_baseline(const struct lp_eval_run *run,
			   struct lp_case_files *c,
			   const struct lp_baseline *baseline, double limit,
			   struct lp_arena *arena,
			   struct lp_eval_result *result, struct lp_error *err)
{
	struct lp_score *s = &result->score;
	int status = accuse(c, baseline, limit, arena, result, err);

	if (status < 0)
		return status;
	lp_eval_score(run, c, baseline->window_ns, result);
	if (!baseline->names_cause)
		s->has_cause = s->dtp = s->dfp = false;
	return 0;
}

/* ---- training ---- */

static int train_run(const struct lp_eval_run *run,
		     const struct lp_case_options *options,
		     const struct lp_baseline *baseline, double *limit,
		     struct lp_error *err)
{
	struct lp_arena arena = { 0 };
	struct lp_case_files c = { 0 };
	struct lp_eval_result result;
	int status = lp_eval_load(run, options, &c, err);

	if (status == 0)
		status = accuse(&c, baseline, 0, &arena, &result, err);
	for (size_t i = 0; status == 0 && i < result.n_indicted; i++)
		*limit = fmax(*limit, result.indicted[i].score);
	lp_case_done(&c);
	lp_arena_done(&arena);
	return status;
}

int lp_eval_train_baseline(const struct lp_eval_runs *runs,
			   const struct lp_case_options *options,
			   const struct lp_baseline *baseline, double *limit,
			   struct lp_error *err)
{
	double most = 0;
	int status = 0;

	for (size_t i = 0; status == 0 && i < runs->n; i++)
		status = train_run(&runs->items[i], options, baseline, &most,
				   err);
	if (status == 0)
		*limit = most;
	return status;
}
