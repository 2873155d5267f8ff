/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Training on several runs: what is flagged in none of them. Thresholds of
 * one run are the smallest that flag nothing there, so the largest over runs
 * flag nothing in any (the smallest where lower is worse).
 */
#include "evaluate.h"

#include <errno.h>

static int merge(const struct lp_eval_run *run, struct lp_thresholds *into,
		 const struct lp_thresholds *own, struct lp_error *err)
{
	int status = lp_thresholds_merge(into, own);
	char others[LP_TIME_TEXT], step[LP_TIME_TEXT];

	if (status == -EINVAL)
		return lp_fail(
			err, EINVAL,
			"%s: its step is %s, that of other training runs "
			"%s: choose one for all with -i",
			run->dir,
			lp_duration_format(lp_thresholds_step(own), step),
			lp_duration_format(lp_thresholds_step(into), others));
	return status < 0 ? lp_fail_memory(err) : 0;
}

static int train_run(const struct lp_eval_run *run,
		     const struct lp_case_options *options,
		     struct lp_thresholds *into, struct lp_error *err)
{
	struct lp_thresholds *own = lp_thresholds_new();
	struct lp_case_files c = { 0 };
	int status =
		own ? lp_eval_load(run, options, &c, err) : lp_fail_memory(err);

	if (status == 0)
		status = lp_diagnose_train(&c.input, &c.options, own, err);
	if (status == 0)
		status = merge(run, into, own, err);
	lp_case_done(&c);
	lp_thresholds_free(own);
	return status;
}

int lp_eval_train(const struct lp_eval_runs *runs,
		  const struct lp_case_options *options,
		  struct lp_thresholds **thresholds, struct lp_error *err)
{
	struct lp_thresholds *made = lp_thresholds_new();
	int status = made ? 0 : lp_fail_memory(err);

	for (size_t i = 0; status == 0 && i < runs->n; i++)
		status = train_run(&runs->items[i], options, made, err);
	if (status < 0)
		lp_thresholds_free(made);
	else
		*thresholds = made;
	return status;
}
