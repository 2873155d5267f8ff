/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid failure report: the runs as tables.
 */
#include "failure/cells.h"
#include "failure/failure_word.h"

#include "base/outfile.h"

#include <errno.h>

struct options {
	const char *html;
	bool json, check;
};

static const struct lp_option option_table[] = {
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print JSON" },
	{ .long_name = "html",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, html),
	  .help = "write one HTML page that loads nothing" },
	{ .long_name = "check",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, check),
	  .help = "exit with 1 if a cell is worse than in DIR2" },
};

static const struct lp_usage usage = {
	.command = "limpid failure report",
	.summary = "Shows what recovery repaired, as tables.",
	.operands = "DIR [DIR2]",
	.min_operands = 1,
	.max_operands = 2,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "With DIR2, an earlier directory, also what differs.\n",
};

static const struct lp_outkind page_kind = {
	.name = "a page of limpid failure",
	.beginnings = (const char *const[]){ "<!doctype html>", NULL },
	.holds = "<title>Failures</title>",
};

static int write_page(const char *path, const struct lab_cells *cells,
		      const struct lab_cells *before, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int status = lp_outfile_create(&file, path, &page_kind, err);

	if (status < 0)
		return status;
	lab_cells_print_html(cells, before, file.out);
	return lp_outfile_commit(&file, err);
}

static int print(const struct options *o, const struct lab_cells *cells,
		 const struct lab_cells *before, struct lp_error *err)
{
	size_t worse;

	if (o->json)
		lab_cells_print_json(cells, stdout);
	else
		lab_cells_print_text(cells, stdout);
	if (before && !o->json)
		printf("\nWhat differs from %s:\n\n", before->title);
	worse = before ? lab_cells_compare(cells, before,
					   o->json ? NULL : stdout)
		       : 0;
	if (o->html && write_page(o->html, cells, before, err) < 0)
		return -EIO;
	if (o->check && worse > 0)
		return lp_fail(err, EIO, "%zu cells are worse than in %s",
			       worse, before->title);
	return 0;
}

static int run(int argc, char **argv)
{
	struct lab_cells cells = { 0 }, before = { 0 };
	struct options options = { .html = NULL };
	struct lp_error err;
	int first, exit_code, status;
	bool two;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	two = argc - first == 2;
	if (options.check && !two) {
		lp_fail(&err, EINVAL,
			"--check needs DIR2, to compare DIR with");
		return lp_command_misuse(&usage, &err);
	}
	status = lab_cells_read(argv[first], &cells, &err);
	if (status == 0 && two)
		status = lab_cells_read(argv[first + 1], &before, &err);
	if (status == 0)
		status = print(&options, &cells, two ? &before : NULL, &err);
	lab_cells_done(&cells);
	lab_cells_done(&before);
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

const struct lp_word lab_failure_word_report = {
	.name = "report",
	.usage = &usage,
	.run = run,
};
