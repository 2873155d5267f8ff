/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Training on several runs: what is flagged in none of them. Thresholds of
 * one run are the smallest that flag nothing there, so the largest over runs
 * flag nothing in any (the smallest where lower is worse).
 */
#include "evaluate.h"

static int train_run(const struct lp_eval_run *run,
		     const struct lp_case_options *options,
		     struct lp_thresholds *into, struct lp_error *err)
{
	struct lp_thresholds *own = lp_thresholds_new();
	struct lp_case c = { 0 };
	int r = own ? lp_eval_load(run, options, &c, err) : lp_fail_memory(err);

	if (r == 0)
		r = lp_diagnose_train(&c.input, &c.options, own, err);
	if (r == 0 && lp_thresholds_merge(into, own) < 0)
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
