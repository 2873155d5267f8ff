/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid evaluate: how often is the verdict right, on runs whose truth is
 * known.
 */
#include "command.h"
#include "evaluate.h"

#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct options {
	struct lp_case_options common; /* first */
	struct lp_option_list train;
	const char *sweep, *baseline_name;
	const struct lp_baseline *baseline; /* NULL: limpid's own methods */
	double limit;                       /* of the baseline */
	bool trained_only, json;
};

static const char *help_of_baselines(char *text, size_t size)
{
	char names[LP_BASELINES_TEXT];

	snprintf(text, size, "judge by a plain rule instead, to compare: %s",
		 lp_baseline_names(names));
	return text;
}

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
	{ .long_name = "baseline",
	  .type = LP_OPTION_STRING,
	  .value = "NAME",
	  .offset = offsetof(struct options, baseline_name),
	  .help_of = help_of_baselines },
	{ .long_name = "threshold",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct lp_case_options, threshold),
	  .help = "threshold of the method or the baseline, untrained" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print one JSON object" },
	LP_CASE_OPTIONS,
	LP_CASE_BUDGET_OPTIONS,
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

/* What training gave; nothing: it was not asked for. */
struct training {
	bool done;
	struct lp_thresholds *thresholds;
	double limit; /* of a baseline */
	size_t shared;
};

/* Read once, judge with and without training. */
static int judge_method(const struct options *o, const struct lp_eval_run *run,
			const struct training *training,
			struct lp_case_files *c, struct lp_arena *arena,
			struct lp_eval_result *plain,
			struct lp_eval_result *trained, struct lp_error *err)
{
	struct lp_diagnose_options options = c->options;
	int status = 0;

	if (!o->trained_only)
		status = lp_eval_judge(run, c, &options, arena, plain, err);
	options.thresholds = training->thresholds;
	if (status == 0 && training->done)
		status = lp_eval_judge(run, c, &options, arena, trained, err);
	return status;
}

static int judge_baseline(const struct options *o,
			  const struct lp_eval_run *run,
			  const struct training *training,
			  struct lp_case_files *c, struct lp_arena *arena,
			  struct lp_eval_result *plain,
			  struct lp_eval_result *trained, struct lp_error *err)
{
	int status = 0;

	if (!o->trained_only)
		status = lp_eval_judge_baseline(run, c, o->baseline, o->limit,
						arena, plain, err);
	if (status == 0 && training->done)
		status = lp_eval_judge_baseline(run, c, o->baseline,
						training->limit, arena, trained,
						err);
	return status;
}

static int judge_run(const struct options *o, const struct lp_eval_run *run,
		     const struct training *training, struct lp_arena *arena,
		     struct lp_eval_result *plain,
		     struct lp_eval_result *trained, struct lp_error *err)
{
	struct lp_case_files c = { 0 };
	int status = lp_eval_load(run, &o->common, &c, err);

	if (status == 0)
		status = (o->baseline ? judge_baseline : judge_method)(
			o, run, training, &c, arena, plain, trained, err);
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
		     const struct training *training, struct lp_error *err)
{
	lp_auto_free struct lp_eval_result *results =
		calloc(2 * runs->n + 1, sizeof(*results));
	struct lp_arena arena = { 0 };
	struct lp_eval eval = { .baseline = o->baseline,
				.runs = runs,
				.shared = training->shared };
	int status = results ? 0 : lp_fail_memory(err);

	for (size_t i = 0; status == 0 && i < runs->n; i++)
		status = judge_run(o, &runs->items[i], training, &arena,
				   &results[i], &results[runs->n + i], err);
	if (!o->trained_only)
		eval.plain = results;
	if (training->done)
		eval.trained = results + runs->n;
	if (status == 0)
		status = print(o, &eval, err);
	lp_arena_done(&arena);
	return status;
}

static int train(const struct options *o, const struct lp_eval_runs *runs,
		 struct training *training, struct lp_error *err)
{
	struct lp_eval_runs healthy = { 0 };
	int status = 0;

	for (size_t i = 0; status == 0 && i < o->train.count; i++)
		status = lp_eval_runs_add(&healthy, o->train.text[i], false,
					  err);
	training->done = healthy.n > 0;
	training->shared = count_shared(runs, &healthy);
	if (status == 0 && training->done && o->baseline)
		status = lp_eval_train_baseline(&healthy, &o->common,
						o->baseline, &training->limit,
						err);
	else if (status == 0 && training->done)
		status = lp_eval_train(&healthy, &o->common,
				       &training->thresholds, err);
	lp_eval_runs_done(&healthy);
	return status;
}

static int train_and_judge(const struct options *o,
			   const struct lp_eval_runs *runs,
			   struct lp_error *err)
{
	struct training training = { 0 };
	int status = train(o, runs, &training, err);

	if (status == 0)
		status = judge_all(o, runs, &training, err);
	lp_thresholds_free(training.thresholds);
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

/* ---- options ---- */

static int check_together(const struct options *o, struct lp_error *err)
{
	if (o->sweep && o->train.count)
		return lp_fail(err, EINVAL,
			       "--sweep shows untrained results only; leave "
			       "--train out");
	if (o->sweep && o->json)
		return lp_fail(err, EINVAL,
			       "--sweep writes CSV; leave --json out");
	if (o->trained_only && o->train.count == 0)
		return lp_fail(err, EINVAL, "--trained-only needs --train");
	return 0;
}

static int find_baseline(struct options *o, struct lp_error *err)
{
	const struct lp_baseline *b = lp_baseline_find(o->baseline_name);
	char names[LP_BASELINES_TEXT];

	if (!b)
		return lp_fail(err, EINVAL,
			       "--baseline: unknown baseline '%s'; expected "
			       "one of %s",
			       o->baseline_name, lp_baseline_names(names));
	if (!b->judge)
		return lp_fail(err, EINVAL, "--baseline %s cannot be run: %s",
			       b->name, b->not_run);
	o->baseline = b;
	return 0;
}

/* It has its own quantities, windows and votes. */
static int check_baseline(struct options *o, struct lp_error *err)
{
	const struct lp_case_options *c = &o->common;
	int status = find_baseline(o, err);

	if (status < 0)
		return status;
	if (o->sweep || c->methods.count || c->metrics.count || c->window ||
	    c->shift || c->smooth || c->k)
		return lp_fail(err, EINVAL,
			       "--baseline has its own quantities and windows; "
			       "leave --method, --metric, --window, --shift, "
			       "--smooth, -k and --sweep out");
	if (o->train.count && !o->baseline->trainable)
		return lp_fail(err, EINVAL,
			       "--baseline %s cannot be trained; leave --train "
			       "out",
			       o->baseline->name);
	o->limit = o->baseline->limit;
	if (c->threshold &&
	    lp_parse_double(c->threshold, strlen(c->threshold), &o->limit) < 0)
		return lp_fail(err, EINVAL,
			       "--threshold: '%s' is not a number above 0",
			       c->threshold);
	return 0;
}

static int check(struct options *o, struct lp_error *err)
{
	int status;

	/* A baseline judges by itself; it trains no method. Sweeps are of what
	   trained methods have. */
	o->common.trained =
		(o->train.count > 0 || o->sweep) && !o->baseline_name;
	status = lp_case_options_check(&o->common, err);
	if (status == 0 && o->sweep)
		status = lp_eval_sweep_check(o->sweep, err);
	if (status == 0)
		status = check_together(o, err);
	if (status == 0 && o->baseline_name)
		status = check_baseline(o, err);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_matrix_metric *also = NULL;
	struct lp_error err;
	int first, exit_code, status;
	bool wrong;

	lp_case_options_init(&options.common, usage.command);
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	status = check(&options, &err);
	wrong = status < 0;
	if (status == 0 && options.baseline &&
	    lp_eval_baseline_metrics(&also) < 0)
		status = lp_fail_memory(&err);
	options.common.also = also;
	if (status == 0)
		status = evaluate(&options, argv + first, &err);
	wrong |= status == -LP_EVAL_USAGE;
	free(also);
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
