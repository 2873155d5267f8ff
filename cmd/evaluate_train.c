/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Training on several runs: what is flagged in none of them. Thresholds of
 * one run are the smallest that flag nothing there, so the largest over runs
 * flag nothing in any (the smallest where lower is worse).
 */
#include "evaluate.h"

#include <math.h>

struct merge {
	const struct lp_thresholds *from;
	struct lp_thresholds *into;
	const struct lp_detector *detector;
	const struct lp_matrix_metric *metric;
};

static int merge_one(const struct merge *m, const char *component)
{
	const char *method = m->detector->name;
	const char *class = m->metric->class->name;
	const char *name = m->metric->metric->name;
	double new = lp_thresholds_get(m->from, method, class, name, component);
	double old = lp_thresholds_get(m->into, method, class, name, component);
	bool wider = isnan(old) ||
		     (m->detector->lower_is_worse ? new < old : new > old);

	if (isnan(new) || !wider)
		return 0;
	return lp_thresholds_set(m->into, method, class, name, component, new);
}

static int merge_metric(const struct merge *m, const struct lp_plan *plan)
{
	int r = merge_one(m, "");

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		if (group->class != m->metric->class || group->kind != LP_PEERS)
			continue;
		for (size_t i = 0; r == 0 && i < group->n; i++)
			r = merge_one(m, group->peers[i].label);
	}
	return r;
}

static int merge_all(const struct lp_case *c, const struct lp_thresholds *from,
		     struct lp_thresholds *into)
{
	int r = 0;

	for (size_t d = 0; lp_detectors[d]; d++)
		for (size_t i = 0; r == 0 && c->metrics[i].class; i++) {
			struct merge m = { from, into, lp_detectors[d],
					   &c->metrics[i] };

			r = merge_metric(&m, &c->plan);
		}
	return r;
}

static int train_run(const struct lp_eval_run *run,
		     const struct lp_case_options *options,
		     struct lp_thresholds *into, struct lp_error *err)
{
	struct lp_thresholds *own = lp_thresholds_new();
	struct lp_case c = { 0 };
	int r = own ? lp_eval_load(run, options, &c, err) : lp_fail_memory(err);

	if (r == 0)
		r = lp_diagnose_train(&c.input, &c.options, own, err);
	if (r == 0 && merge_all(&c, own, into) < 0)
		r = lp_fail_memory(err);
	lp_case_done(&c);
	lp_thresholds_free(own);
	return r;
}

int lp_eval_train(const struct lp_eval_runs *runs,
		  const struct lp_case_options *options,
		  struct lp_thresholds **thresholds, struct lp_error *err)
{
	struct lp_thresholds *made = lp_thresholds_new();
	int r = made ? 0 : lp_fail_memory(err);

	for (size_t i = 0; r == 0 && i < runs->n; i++)
		r = train_run(&runs->items[i], options, made, err);
	if (r < 0)
		lp_thresholds_free(made);
	else
		*thresholds = made;
	return r;
}
