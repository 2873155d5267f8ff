/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid export: recordings as text for other programs.
 */
#include "command.h"
#include "inputs.h"
#include "outputs.h"
#include "period.h"
#include "progress.h"

#include "base/memory.h"
#include "export/export.h"
#include "table/input.h"

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

struct export
{
	const struct options *options;
	struct lp_inputs inputs;
	struct lp_survey survey;
	struct lp_outputs outputs;
	struct lp_progress progress;
	struct lp_outkind kind; /* of what is written */
	/* The pass that is under way, of how many. */
	size_t pass, n_passes;
	struct lp_openmetrics *family;
	struct lp_export_csv **csv; /* by class of the survey */
};

typedef int chunk_fn(struct export *e, const struct lp_chunk *chunk,
		     struct lp_error *err);

/* Read all inputs once. */
static int for_chunks(struct export *e, chunk_fn *use, struct lp_error *err)
{
	struct lp_stream *stream;
	struct lp_item item;
	uint64_t samples = 0;
	int r = lp_inputs_open(&e->inputs, &stream, err);

	if (r < 0)
		return r;
	while ((r = lp_stream_next(stream, &item, err)) > 0) {
		double part = lp_stream_progress(stream);

		if (item.kind != LP_ITEM_CHUNK)
			continue;
		r = use(e, item.chunk, err);
		if (r < 0 || lp_outputs_failed(&e->outputs))
			break;
		samples += item.chunk->n_samples;
		lp_progress_update(&e->progress,
				   ((double)e->pass + part) /
					   (double)e->n_passes,
				   samples);
	}
	e->pass++;
	lp_stream_close(stream);
	return r < 0 ? r : 0;
}

static int survey_chunk(struct export *e, const struct lp_chunk *chunk,
			struct lp_error *err)
{
	if (lp_survey_add(&e->survey, &e->options->selection, chunk) < 0)
		return lp_fail_memory(err);
	return 0;
}

/* -EEXIST: the command line was wrong. */
static int check_hosts(const struct export *e, struct lp_error *err)
{
	int r = lp_host_filter_check(&e->inputs.hosts, err);

	return r == -EINVAL ? -EEXIST : r;
}

static int survey(struct export *e, struct lp_error *err)
{
	int r;

	e->inputs.again = true; /* a survey is never all that is read */
	r = for_chunks(e, survey_chunk, err);
	lp_survey_finish(&e->survey);
	return r < 0 ? r : check_hosts(e, err);
}

static int json_chunk(struct export *e, const struct lp_chunk *chunk,
		      struct lp_error *err)
{
	FILE *out;
	int r = lp_outputs_get(&e->outputs, "", &out, NULL, err);

	if (r == 0)
		lp_export_json(out, &e->options->selection, chunk);
	return r;
}

static int export_json(struct export *e, struct lp_error *err)
{
	const struct lp_host_filter *hosts = &e->inputs.hosts;
	FILE *out;
	int r = 0;

	e->n_passes = 1;
	/* Hosts are checked before anything is printed. */
	if (hosts->only.count || hosts->as) {
		e->n_passes = 2;
		r = survey(e, err);
	}
	if (r == 0)
		r = lp_outputs_get(&e->outputs, "", &out, NULL, err);
	return r < 0 ? r : for_chunks(e, json_chunk, err);
}

static int csv_class(struct export *e, struct lp_export_csv *csv,
		     const char *class_name, const struct lp_chunk *chunk,
		     struct lp_error *err)
{
	char name[512] = "";
	bool is_new;
	FILE *out;
	int r;

	if (!lp_chunk_panel(chunk, class_name) ||
	    !lp_selection_host(&e->options->selection, chunk->host))
		return 0;
	if (e->outputs.place.is_directory)
		snprintf(name, sizeof(name), "%s-%s.csv", chunk->host,
			 class_name);
	r = lp_outputs_get(&e->outputs, name, &out, &is_new, err);
	if (r < 0)
		return r;
	if (is_new)
		lp_export_csv_header(csv, out);
	r = lp_export_csv_chunk(csv, &e->options->selection, chunk, out);
	return r < 0 ? lp_fail_memory(err) : 0;
}

static int csv_chunk(struct export *e, const struct lp_chunk *chunk,
		     struct lp_error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < e->survey.n_classes; i++)
		r = csv_class(e, e->csv[i], e->survey.classes[i].name, chunk,
			      err);
	return r;
}

static int write_csv(struct export *e, struct lp_error *err)
{
	size_t n = e->survey.n_classes;
	int r = 0;

	e->csv = calloc(n, sizeof(struct lp_export_csv *));
	for (size_t i = 0; e->csv && i < n; i++) {
		e->csv[i] = lp_export_csv_new(&e->survey.classes[i]);
		if (!e->csv[i])
			r = -ENOMEM;
	}
	r = !e->csv || r < 0 ? lp_fail_memory(err)
			     : for_chunks(e, csv_chunk, err);
	for (size_t i = 0; e->csv && i < n; i++)
		lp_export_csv_free(e->csv[i]);
	free(e->csv);
	return r;
}

static int no_values(struct lp_error *err)
{
	return lp_fail(err, ENODATA,
		       "the recordings contain nothing that you selected");
}

static int export_csv(struct export *e, struct lp_error *err)
{
	char list[256];
	int r;

	e->n_passes = 2;
	r = survey(e, err);
	if (r < 0)
		return r;
	if (e->survey.n_classes == 0)
		return no_values(err);
	lp_survey_list(&e->survey, list, sizeof(list));
	if (e->survey.n_classes > 1 && !e->outputs.place.is_directory)
		return lp_fail(
			err, EINVAL,
			"a CSV file holds one class, but the recording has %s; "
			"choose one with --class, or give -o a directory",
			list);
	return write_csv(e, err);
}

static int family_chunk(struct export *e, const struct lp_chunk *chunk,
			struct lp_error *err)
{
	if (lp_openmetrics_add(e->family, &e->options->selection, chunk) < 0)
		return lp_fail_memory(err);
	return 0;
}

/* All values of one column, of which alone the inputs are asked. */
static int export_family(struct export *e, const struct lp_survey_class *class,
			 const struct lp_column *column, FILE *out,
			 struct lp_error *err)
{
	const char *classes[] = { class->name, NULL };
	const char *columns[] = { column->name, NULL };
	struct lp_query all = e->inputs.query;
	int r;

	e->family = lp_openmetrics_new(class, column);
	if (!e->family)
		return lp_fail_memory(err);
	e->inputs.query.classes = classes;
	e->inputs.query.columns = columns;
	r = for_chunks(e, family_chunk, err);
	if (r == 0)
		lp_openmetrics_write(e->family, out);
	e->inputs.query = all;
	lp_openmetrics_free(e->family);
	return r;
}

static int write_families(struct export *e, FILE *out, struct lp_error *err)
{
	for (size_t i = 0; i < e->survey.n_classes; i++) {
		const struct lp_survey_class *class = &e->survey.classes[i];

		for (size_t c = 0; c < class->n_columns; c++) {
			int r = export_family(e, class, &class->columns[c], out,
					      err);

			if (r < 0)
				return r;
		}
	}
	lp_openmetrics_end(out);
	return 0;
}

static int export_openmetrics(struct export *e, struct lp_error *err)
{
	FILE *out = NULL;
	int r;

	e->n_passes = 20; /* a guess, until it is known */
	r = survey(e, err);
	if (r < 0)
		return r;
	if (e->survey.n_classes == 0)
		return no_values(err);
	e->n_passes = 1;
	for (size_t i = 0; i < e->survey.n_classes; i++)
		e->n_passes += e->survey.classes[i].n_columns;
	r = lp_outputs_get(&e->outputs, "", &out, NULL, err);
	return r < 0 ? r : write_families(e, out, err);
}

static const struct format {
	const char *name;
	int (*write)(struct export *e, struct lp_error *err);
	bool many; /* files in a directory */
	struct lp_outkind kind;
} formats[] = {
	{ "csv",
	  export_csv,
	  true,
	  { .name = "a CSV file of limpid export",
	    .beginnings = (const char *const[]){ "time,host,", NULL },
	    .holds = "Z,", /* its times; others mostly write numbers */
	    .keep = "may be a recording (to replace it, use --replace)" } },
	{ "jsonl",
	  export_json,
	  false,
	  { .name = "a file of JSON lines of limpid export",
	    .beginnings = (const char *const[]){ "{\"time\":\"", NULL },
	    .holds = "Z\",\"host\":\"" } },
	{ "json", /* as people guess it */
	  export_json,
	  false,
	  { .name = "a file of JSON lines of limpid export",
	    .beginnings = (const char *const[]){ "{\"time\":\"", NULL },
	    .holds = "Z\",\"host\":\"" } },
	{ "openmetrics",
	  export_openmetrics,
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
	int r;

	heed_old_option(options);
	if (!options->to)
		options->to = "csv";
	if (!find_format(options->to))
		return lp_fail(err, EINVAL,
			       "--to: unknown format '%s'; expected csv, jsonl "
			       "or openmetrics",
			       options->to);
	r = lp_input_options_check(&options->input, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < options->selection.classes.count; i++)
		if (!lp_class_find(options->selection.classes.text[i]))
			return lp_fail(err, EINVAL,
				       "unknown class '%s'; expected disk, "
				       "net, tcp, ib or host",
				       options->selection.classes.text[i]);
	return 0;
}

/* What may be there: nobody wants text in the place of an archive. */
static int begin_output(struct export *e, const struct format *format,
			struct lp_error *err)
{
	const struct lp_output output = { "-o", e->options->output, &e->kind };
	int r;

	e->kind = format->kind;
	if (e->options->replace)
		e->kind.keep = NULL;
	r = lp_outputs_init(&e->outputs, output.path, &e->kind, e->inputs.paths,
			    err);
	if (r < 0 || e->outputs.place.is_directory)
		return r;
	return lp_outputs_check(&output, 1, e->inputs.paths, err);
}

static int export(struct export *e, struct lp_error *err)
{
	const struct format *format = find_format(e->options->to);
	int r = begin_output(e, format, err);

	if (r < 0)
		return r;
	if (e->outputs.place.is_directory && !format->many)
		return lp_fail(err, EISDIR,
			       "%s is a directory; %s needs a file",
			       e->options->output, format->name);
	lp_progress_begin(&e->progress, "exporting", "samples");
	e->progress.on &= e->outputs.path || !isatty(STDOUT_FILENO);
	r = format->write(e, err);
	lp_progress_end(&e->progress);
	return r < 0 ? r : lp_outputs_commit(&e->outputs, err);
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

static int add_inputs(struct export *e, char **paths, struct lp_error *err)
{
	int r = 0;

	for (; r == 0 && *paths; paths++)
		r = lp_inputs_add(&e->inputs, *paths, err);
	return r;
}

/* What is asked for may depend on what was recorded. */
static int choose_time(struct export *e, struct options *options, bool *wrong,
		       struct lp_error *err)
{
	struct lp_period period;
	int r = lp_period_begin(&period, &options->period, true, err);

	*wrong = r < 0;
	if (r == 0)
		r = lp_period_resolve(&period, &options->period, &e->inputs,
				      wrong, err);
	options->selection.since_ns = period.since_ns;
	options->selection.until_ns = period.until_ns;
	return r;
}

/* 1: written, but something was left out. */
static int run_with(struct options *options, char **paths, bool *wrong,
		    struct lp_error *err)
{
	lp_auto_free const char **classes =
		calloc(options->selection.classes.count + 1, sizeof(*classes));
	struct export e = { .options = options };
	int r;

	if (!classes)
		return lp_fail_memory(err);
	lp_inputs_begin(&e.inputs, &options->input);
	r = add_inputs(&e, paths, err);
	if (r == 0)
		r = choose_time(&e, options, wrong, err);
	ask_for(&e.inputs.query, &options->selection, classes);
	if (r == 0)
		r = export(&e, err);
	lp_inputs_warn(&e.inputs, usage.command);
	if (r == 0 && lp_inputs_gave_up(&e.inputs))
		r = 1;
	lp_outputs_abandon(&e.outputs);
	lp_survey_done(&e.survey);
	lp_inputs_done(&e.inputs);
	return r;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int first, status, r;
	bool wrong;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	r = check(&options, &err);
	wrong = r < 0;
	if (r == 0)
		r = run_with(&options, argv + first, &wrong, &err);
	/* So is an output that may not be replaced, or a host unknown. */
	if (r < 0 && (wrong || r == -EEXIST))
		status = lp_command_misuse(&usage, &err);
	else
		status = r < 0 ? lp_command_fail(&usage, &err)
			       : lp_command_finish(&usage);
	if (r > 0 && status == LP_EXIT_OK)
		status = LP_EXIT_ERROR;
	lp_selection_done(&options.selection);
	lp_input_options_done(&options.input);
	return status;
}

const struct lp_command lp_command_export = {
	.name = "export",
	.summary = "write recordings as CSV, JSON lines or OpenMetrics",
	.run = run,
	.usage = &usage,
};
