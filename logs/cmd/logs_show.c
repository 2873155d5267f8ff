/* SPDX-License-Identifier: Apache-2.0 */
#include "logs.h"

#include "base/outfile.h"
#include "logs/report/log_matrix.h"
#include "logs/report/log_spread.h"

#include <errno.h>

struct fields {
	struct lp_logs_common common;
	bool spread, matrix, dot;
	const char *html;
};

static const struct lp_option options[] = {
	{ .long_name = "spread",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct fields, spread),
	  .help = "who said what first (the default)" },
	{ .long_name = "matrix",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct fields, matrix),
	  .help = "how many lines of each type, by phase and node" },
	{ .long_name = "dot",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct fields, dot),
	  .help = "write the spread as a graph for Graphviz" },
	{ .long_name = "html",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct fields, html),
	  .help = "write the spread as a page" },
	LP_LOGS_OPTION_MODEL(struct fields),
	LP_LOGS_OPTION_ONSET(struct fields),
	LP_LOGS_OPTION_RULES(struct fields),
	LP_LOGS_OPTION_NO_RULES(struct fields),
	LP_LOGS_OPTION_ZONE(struct fields),
	LP_LOGS_OPTION_JSON(struct fields),
};

static const struct lp_usage usage = {
	.command = "limpid logs show",
	.summary = "Shows who said what first, or how much of what.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = options,
	.n_options = lp_array_size(options),
	.notes = "A FILE may be a directory with a folder per node, or - for "
		 "standard input.\n",
};

static const struct lp_outkind page = {
	.name = "an HTML page by limpid",
	.beginnings = (const char *const[]){ "<!DOCTYPE html>", NULL },
	.holds = "limpid",
};

static int write_page(const struct lp_log_spread *spread, const char *path,
		      struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int status = lp_outfile_create(&file, path, &page, err);

	if (status < 0)
		return status;
	lp_log_spread_html(spread, file.out);
	return lp_outfile_commit(&file, err);
}

static int show_spread(const struct lp_log_study *study, const struct fields *f,
		       struct lp_error *err)
{
	struct lp_log_spread spread;
	int status = lp_log_spread_make(study, &spread) < 0
			     ? lp_fail_memory(err)
			     : 0;

	if (status == 0 && f->html)
		status = write_page(&spread, f->html, err);
	else if (status == 0 && f->common.json)
		lp_log_spread_json(&spread, stdout);
	else if (status == 0)
		(f->dot ? lp_log_spread_dot : lp_log_spread_text)(&spread,
								  stdout);
	lp_log_spread_done(&spread);
	return status;
}

static int show(const struct fields *f, char **paths, size_t n,
		struct lp_error *err)
{
	struct lp_log_study study;
	int status = lp_logs_prepare(&study, &f->common, paths, n, err);

	if (status < 0)
		return status;
	study.by_phase = f->matrix;
	status = lp_logs_study(&study, &f->common, err);
	lp_logs_print_notes(&usage, &study);
	if (status == 0 && f->matrix)
		status = lp_log_matrix(&study, f->common.json, stdout) < 0
				 ? lp_fail_memory(err)
				 : 0;
	else if (status == 0)
		status = show_spread(&study, f, err);
	lp_log_study_done(&study);
	return status;
}

static int check(const struct fields *f, struct lp_error *err)
{
	if (f->matrix && (f->spread || f->dot || f->html))
		return lp_fail(err, EINVAL,
			       "--matrix is a table of its own; leave %s out",
			       f->dot    ? "--dot"
			       : f->html ? "--html"
					 : "--spread");
	if (f->common.json + f->dot + (f->html != NULL) > 1)
		return lp_fail(err, EINVAL,
			       "choose one of --json, --dot and --html");
	return f->html ? lp_outfile_check(f->html, &page, err) : 0;
}

static int run(int argc, char **argv)
{
	struct fields f = { 0 };
	struct lp_error err;
	int first, status = LP_EXIT_OK;

	if (lp_command_begin(&usage, argc, argv, &f, &first, &status)) {
		status = check(&f, &err);
		if (status == -EINVAL)
			return lp_command_misuse(&usage, &err);
		if (status == 0)
			status = show(&f, argv + first, (size_t)(argc - first),
				      &err);
		status = status < 0 ? lp_command_fail(&usage, &err)
				    : lp_command_finish(&usage);
	}
	lp_option_list_done(&f.common.rules);
	return status;
}

const struct lp_word lp_logs_word_show = {
	.name = "show",
	.usage = &usage,
	.run = run,
};
