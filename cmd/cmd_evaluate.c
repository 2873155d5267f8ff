/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid evaluate: how often is the verdict right, on runs whose truth is
 * known.
 */
#include "command.h"
#include "evaluate.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct options {
	struct lp_case_options common; /* first */
	struct lp_option_list train;
	const char *sweep;
	bool trained_only, json;
};

static const struct lp_option option_table[] = {
	{ .long_name = "train",
	  .type = LP_OPTION_LIST,
	  .value = "DIR",
	  .offset = offsetof(struct options, train),
	  .help = "also show results with thresholds trained on these runs" },
	{ .long_name = "trained-only",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, trained_only),
	  .help = "leave out the untrained results, which some methods do not "
		  "have" },
	{ .long_name = "sweep",
	  .type = LP_OPTION_STRING,
	  .value = "NAME=A..B,...",
	  .offset = offsetof(struct options, sweep),
	  .help = "accuracy for each value of moving-average, window, shift, "
		  "votes or threshold, as CSV" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print one JSON object" },
	LP_CASE_OPTIONS,
};

static const struct lp_usage usage = {
	.command = "limpid evaluate",
	.summary = "Says how often the verdict is right, on runs with a known "
		   "fault or none.",
	.operands = "DIR...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "A DIR holds recordings and truth.json, or directories that "
		 "do.\n",
};

static bool same_place(const char *a, const char *b)
{
	char x[PATH_MAX], y[PATH_MAX];

	return realpath(a, x) && realpath(b, y) && strcmp(x, y) == 0;
}

static size_t count_shared(const struct lp_eval_runs *a,
			   const struct lp_eval_runs *b)
{
	size_t shared = 0;

	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n; k++)
			if (same_place(a->items[i].dir, b->items[k].dir)) {
				shared++;
				break;
			}
	return shared;
}

/* Read once, judge with and without training. */
static int judge_run(const struct options *o, const struct lp_eval_run *run,
		     const struct lp_thresholds *thresholds,
		     struct lp_arena *arena, struct lp_eval_result *plain,
		     struct lp_eval_result *trained, struct lp_error *err)
{
	struct lp_case_files c = { 0 };
	int status = lp_eval_load(run, &o->common, &c, err);
	struct lp_diagnose_options options = c.options;

	if (status == 0 && !o->trained_only)
		status = lp_eval_judge(run, &c, &options, arena, plain, err);
	options.thresholds = thresholds;
	if (status == 0 && thresholds)
		status = lp_eval_judge(run, &c, &options, arena, trained, err);
	lp_case_done(&c);
	return status;
}

static int print(const struct options *o, const struct lp_eval *eval,
		 struct lp_error *err)
{
	return o->json ? lp_eval_json(eval, stdout, err)
		       : lp_eval_text(eval, stdout, err);
}

static int judge_all(const struct options *o, const struct lp_eval_runs *runs,
		     const struct lp_thresholds *thresholds, size_t shared,
		     struct lp_error *err)
{
	lp_auto_free struct lp_eval_result *results =
		calloc(2 * runs->n + 1, sizeof(*results));
	struct lp_arena arena = { 0 };
	struct lp_eval eval = { .title = "Untrained thresholds",
				.runs = runs,
				.shared = shared };
	int status = results ? 0 : lp_fail_memory(err);

	for (size_t i = 0; status == 0 && i < runs->n; i++)
		status = judge_run(o, &runs->items[i], thresholds, &arena,
				   &results[i], &results[runs->n + i], err);
	if (!o->trained_only)
		eval.plain = results;
	if (thresholds)
		eval.trained = results + runs->n;
	if (status == 0)
		status = print(o, &eval, err);
	lp_arena_done(&arena);
	return status;
}

static int train_and_judge(const struct options *o,
			   const struct lp_eval_runs *runs,
			   struct lp_error *err)
{
	struct lp_thresholds *thresholds = NULL;
	struct lp_eval_runs training = { 0 };
	int status = 0;

	for (size_t i = 0; status == 0 && i < o->train.count; i++)
		status = lp_eval_runs_add(&training, o->train.text[i], false,
					  err);
	if (status == 0 && training.n > 0)
		status = lp_eval_train(&training, &o->common, &thresholds, err);
	if (status == 0)
		status = judge_all(o, runs, thresholds,
				   count_shared(runs, &training), err);
	lp_thresholds_free(thresholds);
	lp_eval_runs_done(&training);
	return status;
}

static int evaluate(const struct options *o, char **dirs, struct lp_error *err)
{
	struct lp_eval_runs runs = { 0 };
	int status = 0;

	for (; status == 0 && *dirs; dirs++)
		status = lp_eval_runs_add(&runs, *dirs, true, err);
	if (status == 0 && o->sweep)
		status =
			lp_eval_sweep(o->sweep, &runs, &o->common, stdout, err);
	else if (status == 0)
		status = train_and_judge(o, &runs, err);
	lp_eval_runs_done(&runs);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int first, exit_code, status;
	bool wrong;

	lp_case_options_init(&options.common, usage.command);
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	status = lp_case_options_check(&options.common, &err);
	if (status == 0 && options.sweep)
		status = lp_eval_sweep_check(options.sweep, &err);
	if (status == 0 && options.sweep && options.train.count)
		status = lp_fail(&err, EINVAL,
				 "--sweep shows untrained results only; leave "
				 "--train out");
	if (status == 0 && options.sweep && options.json)
		status = lp_fail(&err, EINVAL,
				 "--sweep writes CSV; leave --json out");
	if (status == 0 && options.trained_only && options.train.count == 0)
		status = lp_fail(&err, EINVAL, "--trained-only needs --train");
	wrong = status < 0;
	if (status == 0)
		status = evaluate(&options, argv + first, &err);
	wrong |= status == -LP_EVAL_USAGE;
	lp_case_options_done(&options.common);
	lp_option_list_done(&options.train);
	if (status < 0) {
		lp_command_fail(&usage, &err);
		return wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
	}
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_evaluate = {
	.name = "evaluate",
	.summary = "say how often the verdict is right, on labelled runs",
	.run = run,
	.usage = &usage,
};
