/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io report: what the durations of a trace tell.
 */
#include "io_report.h"
#include "io.h"
#include "io_load.h"
#include "outputs.h"

#include "base/memory.h"
#include "io/report/io_reports.h"
#include "report/html.h"

#include <errno.h>

struct options {
	const char *model, *html;
	bool json;
};

static const struct lp_option table[] = {
	{ .short_name = 'm',
	  .long_name = "model",
	  .type = LP_OPTION_STRING,
	  .value = "MODEL",
	  .offset = offsetof(struct options, model),
	  .help = "use this model of limpid io calibrate or fit" },
	{ .long_name = "html",
	  .type = LP_OPTION_STRING,
	  .value = "PAGE",
	  .offset = offsetof(struct options, html),
	  .help = "write a page with charts" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print the report as JSON" },
};

static const struct lp_usage usage = {
	.command = "limpid io report",
	.summary = "Explains the durations of a trace, and shows how much time "
		   "could be saved.",
	.operands = "TRACE",
	.min_operands = 1,
	.max_operands = 1,
	.options = table,
	.n_options = lp_array_size(table),
};

static int write_page(const char *path, const struct lp_io_report *report,
		      struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int status = lp_outfile_create(&file, path, &lp_outkind_page, err);

	if (status < 0)
		return status;
	status = lp_report_io_html(file.out, report, err);
	if (status < 0) {
		lp_outfile_abandon(&file);
		return status;
	}
	return lp_outfile_commit(&file, err);
}

static int put_all(const struct lp_io_report_options *o,
		   const struct lp_io_report *report, struct lp_error *err)
{
	if (o->json)
		lp_report_io_json(stdout, report);
	else if (!o->html || !lp_is_stdout(o->html))
		lp_report_io_text(stdout, report);
	return o->html ? write_page(o->html, report, err) : 0;
}

int lp_io_put_report(const struct lp_io_report_options *options,
		     const char *name, const struct lp_io_trace *trace,
		     const struct lp_io_model *model, struct lp_error *err)
{
	struct lp_io_judgement judgement;
	char doubt[512] = "";
	const char *notes[] = { doubt, NULL };
	struct lp_io_report report = { .name = name, .judgement = &judgement };
	int status;

	if (lp_io_judge(&judgement, trace, model) < 0)
		return lp_fail_memory(err);
	if (model && *lp_io_model_doubt(model, trace, doubt, sizeof(doubt)))
		report.notes = notes;
	status = put_all(options, &report, err);
	lp_io_judgement_done(&judgement);
	return status;
}

static int report(const struct options *o, const char *path,
		  struct lp_error *err)
{
	struct lp_io_report_options how = { o->html, o->json };
	struct lp_io_model model = { .n_factors = 0 };
	struct lp_io_trace *trace = NULL;
	int status = o->model ? lp_io_model_read(o->model, &model, err) : 0;

	if (status == 0)
		status = lp_io_load(&usage, path, &trace, err);
	if (status == 0)
		status = lp_io_put_report(&how, path, trace,
					  o->model ? &model : NULL, err);
	lp_io_trace_free(trace);
	lp_io_model_done(&model);
	return status;
}

static int check_page(const struct options *o, char **inputs,
		      struct lp_error *err)
{
	const struct lp_output page = { "--html", o->html, &lp_outkind_page };

	if (o->json && o->html && lp_is_stdout(o->html))
		return lp_fail(err, EINVAL,
			       "--json and --html - cannot both write to "
			       "standard output");
	return lp_outputs_check(&page, 1, inputs, err);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (check_page(&options, argv + first, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (report(&options, argv[first], &err) < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_io_word_report = { "report", &usage, run };
