/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io model: what is in a model.
 */
#include "io.h"

#include "base/memory.h"
#include "io/report/io_reports.h"

struct options {
	bool json;
};

static const struct lp_option table[] = {
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print the model as JSON" },
};

static const struct lp_usage usage = {
	.command = "limpid io model",
	.summary = "Shows what a model predicts, how well, and the throughputs "
		   "it was made from.",
	.operands = "MODEL",
	.min_operands = 1,
	.max_operands = 1,
	.options = table,
	.n_options = lp_array_size(table),
};

static int run(int argc, char **argv)
{
	struct lp_io_model model = { .n_factors = 0 };
	struct options options = { 0 };
	struct lp_error err;
	int first, exit_code, status = 0;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (lp_io_model_read(argv[first], &model, &err) < 0)
		return lp_command_fail(&usage, &err);
	if (!options.json)
		lp_report_io_model_text(stdout, &model);
	else if (lp_io_model_write(stdout, &model) < 0)
		status = lp_fail_memory(&err);
	lp_io_model_done(&model);
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

const struct lp_word lp_io_word_model = { "model", &usage, run };
