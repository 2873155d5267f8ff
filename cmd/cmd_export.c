/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid export: recordings as text for other programs.
 */
#include "command.h"
#include "export_passes.h"
#include "period.h"

#include "base/memory.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	struct lp_input_options input;
	const char *to, *output;
	bool replace;
	struct lp_selection selection;
	struct lp_period_options period;
};

static const struct lp_option option_table[] = {
	{ .long_name = "to",
	  .type = LP_OPTION_STRING,
	  .value = "FORMAT",
	  .offset = offsetof(struct options, to),
	  .help = "csv (default), jsonl or openmetrics" },
	{ .long_name = "class",
	  .type = LP_OPTION_LIST,
	  .value = "CLASS",
	  .offset = offsetof(struct options, selection.classes),
	  .help = "only this class: disk, net, tcp, ib or host" },
	{ .long_name = "device",
	  .type = LP_OPTION_LIST,
	  .value = "GLOB",
	  .offset = offsetof(struct options, selection.devices),
	  .help = "only devices, interfaces, ports or peers that match" },
	LP_PERIOD_OPTIONS(struct options, period),
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "a file; with csv also a directory (existing, or ending in "
		  "/) for one file per host and class (default: standard "
		  "output)" },
	{ .long_name = "replace",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, replace),
	  .help = "replace CSV files that already exist" },
	LP_INPUT_FORMAT(struct options),
	LP_INPUT_HOST(struct options),
	LP_INPUT_HOST_FROM_PATH(struct options),
	LP_INPUT_STRICT(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid export",
	.summary = "Writes recordings as CSV, JSON lines or OpenMetrics text.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
};

static const struct format {
	const char *name;
	lp_export_fn *write;
	bool many; /* files in a directory */
	struct lp_outkind kind;
} formats[] = {
	{ "csv",
	  lp_export_run_csv,
	  true,
	  { .name = "a CSV file of limpid export",
	    .beginnings = (const char *const[]){ "time,host,", NULL },
	    .holds = "Z,", /* its times; others mostly write numbers */
	    .keep = "may be a recording (to replace it, use --replace)" } },
	{ "jsonl",
	  lp_export_run_json,
	  false,
	  { .name = "a file of JSON lines of limpid export",
	    .beginnings = (const char *const[]){ "{\"time\":\"", NULL },
	    .holds = "Z\",\"host\":\"" } },
	{ "json", /* as people guess it */
	  lp_export_run_json,
	  false,
	  { .name = "a file of JSON lines of limpid export",
	    .beginnings = (const char *const[]){ "{\"time\":\"", NULL },
	    .holds = "Z\",\"host\":\"" } },
	{ "openmetrics",
	  lp_export_run_openmetrics,
	  false,
	  { .name = "an OpenMetrics file of limpid export",
	    .beginnings = (const char *const[]){ "# TYPE limpid_", "# EOF",
						 NULL } } },
};

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < lp_array_size(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

/* Before --to there was -f, which is the inputs' format in all commands. */
static void heed_old_option(struct options *o)
{
	if (o->to || !o->input.format || !find_format(o->input.format))
		return;
	fprintf(stderr,
		"%s: warning: -f is the format of the inputs; for the output "
		"use --to %s\n",
		usage.command, o->input.format);
	o->to = o->input.format;
	o->input.format = NULL;
}

static int check(struct options *options, struct lp_error *err)
{
	int status;

	heed_old_option(options);
	if (!options->to)
		options->to = "csv";
	if (!find_format(options->to))
		return lp_fail(err, EINVAL,
			       "--to: unknown format '%s'; expected csv, jsonl "
			       "or openmetrics",
			       options->to);
	status = lp_input_options_check(&options->input, err);
	if (status < 0)
		return status;
	for (size_t i = 0; i < options->selection.classes.count; i++)
		if (!lp_class_find(options->selection.classes.text[i]))
			return lp_fail(err, EINVAL,
				       "unknown class '%s'; expected disk, "
				       "net, tcp, ib or host",
				       options->selection.classes.text[i]);
	return 0;
}

/* What may be there: nobody wants text in the place of an archive. */
static int begin_output(struct lp_export *e, const struct options *options,
			const struct format *format, struct lp_error *err)
{
	const struct lp_output output = { "-o", options->output, &e->kind };
	int status;

	e->kind = format->kind;
	if (options->replace)
		e->kind.keep = NULL;
	status = lp_outputs_init(&e->outputs, output.path, &e->kind,
				 e->inputs.paths, err);
	if (status < 0 || e->outputs.place.is_directory)
		return status;
	return lp_outputs_check(&output, 1, e->inputs.paths, err);
}

static int export(struct lp_export *e, const struct options *options,
		  struct lp_error *err)
{
	const struct format *format = find_format(options->to);
	int status = begin_output(e, options, format, err);

	if (status < 0)
		return status;
	if (e->outputs.place.is_directory && !format->many)
		return lp_fail(err, EISDIR,
			       "%s is a directory; %s needs a file",
			       options->output, format->name);
	lp_progress_begin(&e->progress, "exporting", "samples");
	e->progress.on &= e->outputs.path || !isatty(STDOUT_FILENO);
	status = format->write(e, err);
	lp_progress_end(&e->progress);
	return status < 0 ? status : lp_outputs_commit(&e->outputs, err);
}

/* The inputs need deliver no more than is selected. */
static void ask_for(struct lp_query *query,
		    const struct lp_selection *selection, const char **classes)
{
	query->since_ns = selection->since_ns;
	query->until_ns = selection->until_ns;
	for (size_t i = 0; i < selection->classes.count; i++)
		classes[i] = selection->classes.text[i];
	if (selection->classes.count > 0)
		query->classes = classes;
}

static int add_inputs(struct lp_export *e, char **paths, struct lp_error *err)
{
	int status = 0;

	for (; status == 0 && *paths; paths++)
		status = lp_inputs_add(&e->inputs, *paths, err);
	return status;
}

/* What is asked for may depend on what was recorded. */
static int choose_time(struct lp_export *e, struct options *options,
		       bool *wrong, struct lp_error *err)
{
	struct lp_period period;
	int status = lp_period_begin(&period, &options->period, true, err);

	*wrong = status < 0;
	if (status == 0)
		status = lp_period_resolve(&period, &options->period,
					   &e->inputs, wrong, err);
	options->selection.since_ns = period.since_ns;
	options->selection.until_ns = period.until_ns;
	return status;
}

/* 1: written, but something was left out. */
static int run_with(struct options *options, char **paths, bool *wrong,
		    struct lp_error *err)
{
	lp_auto_free const char **classes =
		calloc(options->selection.classes.count + 1, sizeof(*classes));
	struct lp_export e = { .selection = &options->selection };
	int status;

	if (!classes)
		return lp_fail_memory(err);
	lp_inputs_begin(&e.inputs, &options->input);
	status = add_inputs(&e, paths, err);
	if (status == 0)
		status = choose_time(&e, options, wrong, err);
	ask_for(&e.inputs.query, &options->selection, classes);
	if (status == 0)
		status = export(&e, options, err);
	lp_inputs_warn(&e.inputs, usage.command);
	if (status == 0 && lp_inputs_gave_up(&e.inputs))
		status = 1;
	lp_outputs_abandon(&e.outputs);
	lp_survey_done(&e.survey);
	lp_inputs_done(&e.inputs);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int first, exit_code, status;
	bool wrong;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	status = check(&options, &err);
	wrong = status < 0;
	if (status == 0)
		status = run_with(&options, argv + first, &wrong, &err);
	/* So is an output that may not be replaced, or a host unknown. */
	if (status < 0 && (wrong || status == -EEXIST))
		exit_code = lp_command_misuse(&usage, &err);
	else
		exit_code = status < 0 ? lp_command_fail(&usage, &err)
				       : lp_command_finish(&usage);
	if (status > 0 && exit_code == LP_EXIT_OK)
		exit_code = LP_EXIT_ERROR;
	lp_selection_done(&options.selection);
	lp_input_options_done(&options.input);
	return exit_code;
}

const struct lp_command lp_command_export = {
	.name = "export",
	.summary = "write recordings as CSV, JSON lines or OpenMetrics",
	.run = run,
	.usage = &usage,
};
