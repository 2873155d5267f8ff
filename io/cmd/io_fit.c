/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io fit: models from traces whose cause is known.
 */
#include "io.h"
#include "io_load.h"
#include "outputs.h"

#include "base/memory.h"
#include "io/model/origin.h"
#include "io/model/trainer.h"
#include "io/report/io_reports.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct options {
	const char *output, *directory, *beyond, *reference, *weights, *edges;
	bool json;
};

static const struct lp_option table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "write the model to OUT" },
	{ .long_name = "directory",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, directory),
	  .help = "directory of the traced files; the model stores its file "
		  "system" },
	{ .long_name = "beyond",
	  .type = LP_OPTION_STRING,
	  .value = "NAME",
	  .offset = offsetof(struct options, beyond),
	  .help = "class of operations that no factor explains" },
	{ .long_name = "reference",
	  .type = LP_OPTION_STRING,
	  .value = "FACTOR",
	  .offset = offsetof(struct options, reference),
	  .help = "factor that all I/O could be like; savings are computed "
		  "from it" },
	{ .long_name = "weights",
	  .type = LP_OPTION_STRING,
	  .value = "HOW",
	  .offset = offsetof(struct options, weights),
	  .help = "weight residuals as absolute (default) or relative values" },
	{ .long_name = "edges",
	  .type = LP_OPTION_STRING,
	  .value = "WHERE",
	  .offset = offsetof(struct options, edges),
	  .help = "place lines at the limits (default), or between a factor "
		  "and the next" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print the model as JSON" },
};

static const struct lp_usage usage = {
	.command = "limpid io fit",
	.summary = "Makes a model of this system's I/O from traces whose cause "
		   "is known.",
	.operands = "FACTOR=TRACE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "FACTOR is the cause of the durations in a trace: discard, "
		 "cached and so on.\nSeveral traces of one factor are "
		 "combined.\n",
};

struct fit {
	const struct options *options;
	struct lp_io_trainer *trainer;
	struct lp_io_training training;
	struct lp_arena arena;
	bool wrong; /* the command line was */
};

static int look_here(struct fit *fit, struct lp_error *err)
{
	return lp_io_origin_here(&fit->training.origin, &fit->arena,
				 fit->options->directory, err);
}

/* The origin of the model is that of its traces, not where it is computed. */
static int note_origin(struct fit *fit, const struct lp_io_trace *trace)
{
	struct lp_io_origin *o = &fit->training.origin;

	if (!trace->host || !*trace->host || strcmp(trace->host, o->host) == 0)
		return 0;
	o->host = lp_arena_string(&fit->arena, trace->host);
	o->kernel = "";
	if (!fit->options->directory)
		o->made_ns = trace->start_ns;
	return o->host ? 0 : -ENOMEM;
}

static int add(struct fit *fit, const char *word, struct lp_error *err)
{
	const char *path = strchr(word, '=');
	struct lp_io_trace *trace = NULL;
	char name[LP_IO_NAME_MAX + 2];
	struct lp_error why;
	int status;

	if (!path || path == word || !path[1]) {
		fit->wrong = true;
		return lp_fail(err, EINVAL,
			       "'%s': expected FACTOR=TRACE, for example "
			       "cached=warm.iotrace",
			       word);
	}
	snprintf(name, sizeof(name), "%.*s", (int)(path - word), word);
	status = lp_io_load(&usage, path + 1, &trace, err);
	if (status < 0)
		return status;
	status = lp_io_trainer_add(fit->trainer, name, trace, &why);
	if (status < 0)
		lp_fail(err, -status, "%s: %s", path + 1, why.text);
	else if (note_origin(fit, trace) < 0)
		status = lp_fail_memory(err);
	lp_io_trace_free(trace);
	return status;
}

static int write_model(const struct options *o, const struct lp_io_model *model,
		       struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int status;

	if (o->json && lp_io_model_write(stdout, model) < 0)
		return lp_fail_memory(err);
	if (!o->json && !(o->output && lp_is_stdout(o->output)))
		lp_report_io_model_text(stdout, model);
	if (!o->output)
		return 0;
	status = lp_outfile_create(&file, o->output, &lp_outkind_io_model, err);
	if (status < 0)
		return status;
	if (lp_io_model_write(file.out, model) < 0) {
		lp_outfile_abandon(&file);
		return lp_fail_memory(err);
	}
	return lp_outfile_commit(&file, err);
}

/* *second: whether the option says the second of two words; not given, the
   first. */
static int choose(struct fit *fit, const char *option, const char *said,
		  const char *const words[2], bool *second,
		  struct lp_error *err)
{
	*second = said && strcmp(said, words[1]) == 0;
	if (!said || *second || strcmp(said, words[0]) == 0)
		return 0;
	fit->wrong = true;
	return lp_fail(err, EINVAL, "--%s %s: expected %s or %s", option, said,
		       words[0], words[1]);
}

static int choose_lines(struct fit *fit, struct lp_error *err)
{
	static const char *const weights[] = { "absolute", "relative" };
	static const char *const edges[] = { "limits", "between" };
	bool relative = false, between = false;
	int status = choose(fit, "weights", fit->options->weights, weights,
			    &relative, err);

	if (status == 0)
		status = choose(fit, "edges", fit->options->edges, edges,
				&between, err);
	fit->training.weights = relative ? LP_IO_RELATIVE : LP_IO_ABSOLUTE;
	fit->training.edges = between ? LP_IO_BETWEEN : LP_IO_AT_LIMITS;
	return status;
}

/* The inputs are traces: a model never takes the place of one. */
static int check_output(struct fit *fit, struct lp_error *err)
{
	const struct options *o = fit->options;
	const struct lp_output output = { "-o", o->output,
					  &lp_outkind_io_model };
	int status = lp_outputs_check(&output, 1, NULL, err);

	if (status == 0 && o->json && o->output && lp_is_stdout(o->output))
		status = lp_fail(
			err, EINVAL,
			"--json and -o - both write the model to standard "
			"output; leave one out");
	if (status < 0)
		fit->wrong = true;
	return status;
}

static int fit_all(struct fit *fit, int n, char **words, struct lp_error *err)
{
	struct lp_io_model model = { .n_factors = 0 };
	int status = check_output(fit, err);

	if (status == 0)
		status = choose_lines(fit, err);
	fit->training.beyond = fit->options->beyond;
	fit->training.reference = fit->options->reference;
	if (status == 0)
		status = look_here(fit, err);
	if (status == 0 && !fit->trainer)
		status = lp_fail_memory(err);
	for (int i = 0; i < n && status == 0; i++)
		status = add(fit, words[i], err);
	if (status == 0)
		status = lp_io_trainer_finish(fit->trainer, &fit->training,
					      &model, err);
	if (status == 0)
		status = write_model(fit->options, &model, err);
	lp_io_model_done(&model);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct fit fit = { .options = &options };
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	fit.trainer = lp_io_trainer_new();
	status = fit_all(&fit, argc - first, argv + first, &err);
	lp_io_trainer_free(fit.trainer);
	lp_arena_done(&fit.arena);
	if (status < 0) {
		lp_command_fail(&usage, &err);
		return fit.wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
	}
	return lp_command_finish(&usage);
}

const struct lp_word lp_io_word_fit = { "fit", &usage, run };
