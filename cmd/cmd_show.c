/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid show: what was measured, exact at any step.
 */
#include "command.h"
#include "inputs.h"
#include "show.h"

#include "table/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP_UNSET INT64_MIN
#define STEP_MAX (INT64_C(366) * 86400 * LP_NS_PER_S)

static const struct lp_option option_table[] = {
	{ .long_name = "metric",
	  .type = LP_OPTION_LIST,
	  .value = "NAME[,NAME]",
	  .offset = offsetof(struct show_options, metrics),
	  .help = "show only these metrics, or all; 'limpid metrics' lists "
		  "them" },
	{ .long_name = "class",
	  .type = LP_OPTION_LIST,
	  .value = "CLASS",
	  .offset = offsetof(struct show_options, classes),
	  .help = "disk, net, tcp, ib, host or all (default: disk and net)" },
	{ .long_name = "device",
	  .type = LP_OPTION_LIST,
	  .value = "GLOB",
	  .offset = offsetof(struct show_options, devices),
	  .help = "show only these devices, interfaces, peers or ports" },
	LP_PERIOD_OPTIONS(struct show_options, period),
	{ .short_name = 'i',
	  .long_name = "interval",
	  .type = LP_OPTION_DURATION,
	  .value = "STEP",
	  .offset = offsetof(struct show_options, step_ns),
	  .help = "show one line per STEP (default: the interval of the "
		  "recording); 0: every sample at its own time" },
	{ .long_name = "csv",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct show_options, csv),
	  .help = "print CSV: time,host,class,component,metric,value" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct show_options, json),
	  .help = "print one JSON object per line" },
	{ .short_name = 'H',
	  .long_name = "human",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct show_options, human),
	  .help = "use human units: 1.2G, 35M, 12k" },
	{ .long_name = "names",
	  .type = LP_OPTION_STRING,
	  .value = "sar|classic",
	  .offset = offsetof(struct show_options, names),
	  .help = "sar: names and units of today's sar, rkB/s, areq-sz, rxkB/s "
		  "(default); classic: those of CSV and JSON, rd_sec, "
		  "avgrq-sz, rxbyt" },
	{ .long_name = "summary",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct show_options, summary),
	  .help = "show for each component and metric: n, missing, mean, "
		  "median, p95, max" },
	{ .long_name = "sort",
	  .type = LP_OPTION_STRING,
	  .value = "METRIC[:FIGURE]",
	  .offset = offsetof(struct show_options, sort),
	  .help = "show the highest value first; with --summary, by mean "
		  "(default), median, p95 or max" },
	{ .long_name = "top",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct show_options, top),
	  .help = "show only the first N of each step or summary; needs --sort",
	  .low = 1 },
	{ .long_name = "raw",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct show_options, raw),
	  .help = "show recorded columns instead of metrics: the increase of "
		  "counters, the mean of gauges" },
	{ .long_name = "all",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct show_options, all),
	  .help = "also show components that were idle all the time" },
	LP_INPUT_FORMAT(struct show_options),
	LP_INPUT_HOST(struct show_options),
	LP_INPUT_HOST_FROM_PATH(struct show_options),
	LP_INPUT_STRICT(struct show_options),
};

static const struct lp_usage usage = {
	.command = "limpid show",
	.summary = "Shows what was measured as a table, like sar, at any step.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "A FILE is any recording that limpid reads, or a directory of "
		 "such files. Each\nline covers the step that ends at its "
		 "time. Missing values are '-', empty in\nCSV, null in JSON.\n",
};

struct show {
	struct show_options options;
	struct show_selection selection;
	struct lp_survey survey;
	struct lp_period period;
	struct lp_inputs inputs;
	struct show_rows *rows; /* of the last pass: owns the components */
	struct show_counts counts;
	bool wrong; /* the command line was */
};

/*
 * The first step needs the sample before it, and a sample may lie half a step
 * from the point that it stands for.
 */
static int64_t margin_of(const struct show *show)
{
	int64_t interval = lp_survey_cadence(&show->survey);

	if (show->options.step_ns > 0)
		return 3 * show->options.step_ns;
	return interval ? 3 * interval : 3600 * LP_NS_PER_S;
}

/* All files, as far as these classes and the time that is asked for go. */
static int open_inputs(struct show *show, const char *const *classes,
		       struct lp_stream **stream, struct lp_error *err)
{
	const struct show_options *o = &show->options;
	struct lp_query *query = &show->inputs.query;
	int64_t margin = margin_of(show);

	lp_query_init(query);
	query->classes = classes;
	query->since_ns = lp_time_add(o->since_ns, -margin);
	query->until_ns = lp_time_add(o->until_ns, margin);
	return lp_inputs_open(&show->inputs, stream, err);
}

/* All that these classes hold in the time that is asked for. */
static int look(struct show *show, const char *const *classes,
		struct lp_survey *survey, struct lp_error *err)
{
	struct lp_stream *stream;
	int status = open_inputs(show, classes, &stream, err);

	if (status < 0)
		return status;
	status = lp_survey_run(survey, stream, err);
	lp_stream_close(stream);
	lp_survey_finish(survey);
	return status;
}

/* Push the stream through the steps; rows come out as they are complete. */
static int pump(struct lp_stream *stream, struct lp_steps *steps,
		struct show_rows *rows, struct lp_error *err)
{
	struct lp_item item;
	int status;

	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = lp_steps_put(steps, &item, err);
		if (status < 0)
			return status;
		if (item.chunk && item.chunk->n_samples)
			show_rows_advance(rows, item.chunk->time_ns[0]);
		if (ferror(stdout)) /* a closed pipe, a full disk */
			return 0;
	}
	if (status == 0)
		status = lp_steps_finish(steps, err);
	if (status == 0)
		show_rows_flush(rows);
	return status;
}

static int run_stream(struct show *show, struct lp_stream *stream,
		      const char *const *classes, show_write *write, void *user,
		      struct lp_error *err)
{
	struct show_rows_config config = {
		.options = &show->options,
		.selection = &show->selection,
		.survey = &show->survey,
		.hide_idle = show_hides_idle(&show->options),
		.write = write,
		.user = user,
	};
	struct lp_steps_options options = {
		.step_ns = show->options.step_ns,
		.since_ns = lp_time_add(show->options.since_ns,
					-show->options.step_ns),
		.until_ns = lp_time_add(show->options.until_ns,
					show->options.step_ns),
		.classes = classes,
		.sink = show_rows_take,
	};
	struct lp_steps *steps;
	int status;

	show_rows_free(show->rows);
	show->rows = options.user = show_rows_new(&config);
	steps = show->rows ? lp_steps_new(&options) : NULL;
	status = steps ? pump(stream, steps, show->rows, err)
		       : lp_fail_memory(err);
	if (status == 0)
		show_rows_count(show->rows, &show->counts);
	lp_steps_free(steps);
	return status;
}

static int run_classes(struct show *show, const char *const *classes,
		       show_write *write, void *user, struct lp_error *err)
{
	struct lp_stream *stream;
	int status = open_inputs(show, classes, &stream, err);

	if (status < 0)
		return status;
	status = run_stream(show, stream, classes, write, user, err);
	lp_stream_close(stream);
	return status;
}

/* One section after the other, as sar does. */
static int show_as_text(struct show *show, struct lp_error *err)
{
	struct show_text text = { 0 };
	int status = 0;

	for (size_t c = 0; c < show->selection.n_classes && status == 0; c++) {
		const char *classes[] = { show->selection.names[c], NULL };

		show_text_begin(&text, &show->selection, c, &show->options,
				&show->period.zone, &show->survey);
		status = run_classes(show, classes, show_text_row, &text, err);
		fflush(stdout);
		if (status == 0)
			show_text_end(&text, usage.command);
	}
	return status;
}

static int show_summary(struct show *show, struct lp_error *err)
{
	struct show_summary *summary = show_summary_new(
		&show->options, &show->selection, show->options.step_ns);
	int status;

	if (!summary)
		return lp_fail_memory(err);
	status = run_classes(show, show->selection.names, show_summary_row,
			     summary, err);
	if (status == 0 && show_summary_print(summary) < 0)
		status = lp_fail_memory(err);
	show_summary_free(summary);
	return status;
}

static int show_as_data(struct show *show, struct lp_error *err)
{
	if (show->options.csv)
		show_csv_begin();
	return run_classes(show, show->selection.names,
			   show->options.csv ? show_csv_row : show_json_row,
			   &show->selection, err);
}

static int say_nothing(struct show *show)
{
	struct lp_survey all = { .parts = LP_SURVEY_COMPONENTS };
	struct lp_error err;
	int64_t since_ns = show->options.since_ns;
	int status;

	show->options.since_ns = LP_TIME_MIN;
	show->options.until_ns = LP_TIME_MAX;
	status = look(show, NULL, &all, &err);
	if (status == 0)
		show_nothing(usage.command, &show->survey.roster, &all.roster,
			     since_ns, &show->period.zone,
			     show->counts.matched);
	else
		lp_command_fail(&usage, &err);
	lp_survey_done(&all);
	return LP_EXIT_ERROR;
}

/* On standard error, so that the table stays a table. */
static int say_what_was_left_out(struct show *show)
{
	size_t idle = show->counts.idle;

	if (idle)
		fprintf(stderr, "%s: %zu idle component%s left out; %s\n",
			usage.command, idle, idle > 1 ? "s" : "",
			"--all shows all");
	return show->counts.written || idle ? LP_EXIT_OK : say_nothing(show);
}

static int check_options(struct show *show, struct lp_error *err)
{
	struct show_options *o = &show->options;
	int status;

	if (o->csv && o->json)
		return lp_fail(err, EINVAL,
			       "--csv and --json cannot be used together");
	if (o->human && (o->csv || o->json))
		return lp_fail(err, EINVAL,
			       "-H is for tables; CSV and JSON have plain "
			       "numbers");
	if (o->names && strcmp(o->names, "sar") != 0 &&
	    strcmp(o->names, "classic") != 0)
		return lp_fail(err, EINVAL,
			       "--names: '%s' is neither sar nor classic",
			       o->names);
	if (o->names && strcmp(o->names, "sar") == 0 && (o->csv || o->json))
		return lp_fail(err, EINVAL,
			       "--names sar is for tables; CSV and JSON have "
			       "the classic names");
	if (o->top && !o->sort)
		return lp_fail(err, EINVAL,
			       "--top needs --sort METRIC, as in --sort await "
			       "--top 10");
	if (o->step_ns != STEP_UNSET && o->step_ns > STEP_MAX)
		return lp_fail(err, EINVAL, "-i: at most 366 days");
	status = lp_period_begin(&show->period, &o->period, o->csv || o->json,
				 err);
	return status ? status : lp_input_options_check(&o->input, err);
}

static int add_inputs(struct show *show, char **paths, bool *wrong,
		      struct lp_error *err)
{
	struct show_options *o = &show->options;
	int status = 0;

	lp_inputs_begin(&show->inputs, &o->input);
	for (; *paths && status == 0; paths++)
		status = lp_inputs_add(&show->inputs, *paths, err);
	if (status == 0)
		status = lp_period_resolve(&show->period, &o->period,
					   &show->inputs, wrong, err);
	o->since_ns = show->period.since_ns;
	o->until_ns = show->period.until_ns;
	if (status == 0)
		lp_inputs_hint(&show->inputs, usage.command);
	return status;
}

/* Between samples nothing can be shown: a step is a multiple of them. */
static void choose_step(struct show *show)
{
	int64_t interval = lp_survey_cadence(&show->survey);
	int64_t asked = show->options.step_ns, step = asked;
	char have[LP_TIME_TEXT], want[LP_TIME_TEXT], get[LP_TIME_TEXT];

	if (asked == STEP_UNSET)
		step = interval;
	else if (asked > 0 && interval > 0 && asked % interval)
		step = (asked / interval + 1) * interval;
	show->options.step_ns = step;
	if (asked == STEP_UNSET || step == asked)
		return;
	fprintf(stderr,
		"%s: recorded every %s, so every %s is shown, not every %s\n",
		usage.command, lp_duration_format(interval, have),
		lp_duration_format(step, get), lp_duration_format(asked, want));
}

/*
 * A host that has nothing of these classes at this time was not met: all is
 * read before a name is called wrong.
 */
static int check_hosts(struct show *show, struct lp_error *err)
{
	struct lp_host_filter *hosts = &show->inputs.hosts;
	struct lp_stream *stream;
	struct lp_item item;
	int status = lp_host_filter_check(hosts, err);

	if (status == 0)
		return 0;
	lp_query_init(&show->inputs.query);
	status = lp_inputs_open(&show->inputs, &stream, err);
	if (status < 0)
		return status;
	while ((status = lp_stream_next(stream, &item, err)) > 0)
		; /* the filter meets all hosts */
	lp_stream_close(stream);
	if (status == 0) {
		status = lp_host_filter_check(hosts, err);
		show->wrong = status < 0;
	}
	return status;
}

static int show_all(struct show *show, struct lp_error *err)
{
	bool text = !show->options.csv && !show->options.json;
	int status = look(show, show->selection.names, &show->survey, err);

	if (status == 0)
		status = check_hosts(show, err);
	if (status < 0)
		return status;
	choose_step(show);
	show_selection_prune(&show->selection, &show->survey);
	if (show->options.summary)
		return show_summary(show, err);
	return text ? show_as_text(show, err) : show_as_data(show, err);
}

static void show_done(struct show *show)
{
	show_rows_free(show->rows);
	lp_inputs_done(&show->inputs);
	show_selection_done(&show->selection);
	lp_survey_done(&show->survey);
	lp_option_list_done(&show->options.metrics);
	lp_option_list_done(&show->options.classes);
	lp_input_options_done(&show->options.input);
	lp_option_list_done(&show->options.devices);
}

static int run(int argc, char **argv)
{
	struct show show = {
		.options = { .step_ns = STEP_UNSET },
		.survey = { .parts = LP_SURVEY_COMPONENTS | LP_SURVEY_CADENCE |
				     LP_SURVEY_COLUMNS },
	};
	struct lp_error err;
	int first, status;
	bool wrong = false;

	if (!lp_command_begin(&usage, argc, argv, &show.options, &first,
			      &status)) {
		show_done(&show);
		return status;
	}
	if (check_options(&show, &err) < 0 ||
	    show_select(&show.selection, &show.options, &err) < 0) {
		status = lp_command_misuse(&usage, &err);
	} else if (add_inputs(&show, argv + first, &wrong, &err) < 0 ||
		   show_all(&show, &err) < 0) {
		fflush(stdout);
		lp_inputs_warn(&show.inputs, usage.command);
		status = wrong || show.wrong ? lp_command_misuse(&usage, &err)
					     : lp_command_fail(&usage, &err);
	} else {
		status = lp_command_finish(&usage);
		lp_inputs_warn(&show.inputs, usage.command);
		if (status == LP_EXIT_OK)
			status = say_what_was_left_out(&show);
	}
	show_done(&show);
	return status;
}

const struct lp_command lp_command_show = {
	.name = "show",
	.summary = "show what was measured, exactly, at any step",
	.run = run,
	.usage = &usage,
};
