/* SPDX-License-Identifier: Apache-2.0 */
#include "logs.h"

struct fields {
	struct lp_logs_common common;
	bool check;
};

static const struct lp_option options[] = {
	LP_LOGS_OPTION_MODEL(struct fields),
	LP_LOGS_OPTION_ONSET(struct fields),
	LP_LOGS_OPTION_RULES(struct fields),
	LP_LOGS_OPTION_NO_RULES(struct fields),
	LP_LOGS_OPTION_ZONE(struct fields),
	LP_LOGS_OPTION_JSON(struct fields),
	{ .long_name = "check",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct fields, check),
	  .help = "exit with status 3 if a node fails, 4 if it is not known "
		  "what is new" },
};

static const struct lp_usage usage = {
	.command = "limpid logs classify",
	.summary = "Says from logs what failed, and on which nodes.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = options,
	.n_options = lp_array_size(options),
	.notes = "A FILE may be a directory with a folder per node, or - for "
		 "standard input.\n",
};

static int exit_status(const struct lp_log_verdict *verdict)
{
	switch (verdict->class) {
	case LP_LOG_CLASS_NONE:
		return LP_EXIT_OK;
	case LP_LOG_CLASS_UNKNOWN:
		return LP_EXIT_UNDECIDED;
	default:
		return LP_EXIT_FAULT;
	}
}

static int classify(const struct fields *f, char **paths, size_t n,
		    int *outcome, struct lp_error *err)
{
	struct lp_log_study study;
	struct lp_log_verdict verdict = { 0 };
	int status = lp_logs_prepare(&study, &f->common, paths, n, err);

	if (status < 0)
		return status;
	status = lp_logs_study(&study, &f->common, err);
	lp_logs_print_notes(&usage, &study);
	if (status == 0 && lp_log_accuse(&study, &verdict) < 0)
		status = lp_fail_memory(err);
	if (status == 0) {
		(f->common.json ? lp_logs_json : lp_logs_text)(&study, &verdict,
							       stdout);
		*outcome = f->check ? exit_status(&verdict) : LP_EXIT_OK;
	}
	lp_log_verdict_done(&verdict);
	lp_log_study_done(&study);
	return status;
}

static int run(int argc, char **argv)
{
	struct fields f = { 0 };
	struct lp_error err;
	int first, status = LP_EXIT_OK, outcome = LP_EXIT_OK;

	if (lp_command_begin(&usage, argc, argv, &f, &first, &status)) {
		status = classify(&f, argv + first, (size_t)(argc - first),
				  &outcome, &err);
		status = status < 0 ? lp_command_fail(&usage, &err)
				    : lp_command_finish(&usage);
		if (status == LP_EXIT_OK)
			status = outcome;
	}
	lp_option_list_done(&f.common.rules);
	return status;
}

const struct lp_word lp_logs_word_classify = {
	.name = "classify",
	.usage = &usage,
	.run = run,
};
