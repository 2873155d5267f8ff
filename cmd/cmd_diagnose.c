/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid diagnose: who differs from its peers, of what it is ill, since when.
 */
#include "case_files.h"
#include "command.h"
#include "dump.h"
#include "outputs.h"

#include "base/memory.h"
#include "base/outfile.h"
#include "diagnose/publish.h"
#include "report/html.h"
#include "report/verdict.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOP_FINDINGS 10

struct options {
	struct lp_case_options common; /* first */
	const char *dump, *html;
	struct lp_option_list resets;
	unsigned long top;
	bool hourly, exact_pairs, json, check, nagios, verbose;
};

static const struct lp_option option_table[] = {
	LP_CASE_OPTIONS,
	LP_CASE_THRESHOLD_OPTIONS,
	{ .long_name = "hourly",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, hourly),
	  .help = "list the components that keep differing, hour by hour" },
	{ .long_name = "reset",
	  .type = LP_OPTION_LIST,
	  .value = "COMPONENT@TIME",
	  .offset = offsetof(struct options, resets),
	  .help = "the component was repaired at TIME: count its anomalies "
		  "from then on" },
	{ .long_name = "top",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, top),
	  .help = "show N findings, or N lines per hour (default: 10)",
	  .low = 1 },
	{ .long_name = "exact-pairs",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, exact_pairs),
	  .help = "compute all distances; slower, with the same verdict" },
	{ .long_name = "dump",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, dump),
	  .help = "write every window of every component as CSV" },
	{ .long_name = "html",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, html),
	  .help = "also write an HTML page with pictures of every finding" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print one JSON object" },
	{ .long_name = "check",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, check),
	  .help = "exit status: 0 nothing differs, 3 a component differs, 4 "
		  "cannot tell" },
	{ .long_name = "nagios",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, nagios),
	  .help = "act as a plugin of Nagios or Icinga: print one line, exit "
		  "status 0, 2 or 3" },
	{ .short_name = 'v',
	  .long_name = "verbose",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, verbose),
	  .help = "show all metrics, all peers, and what was left out" },
};

static const struct lp_usage usage = {
	.command = "limpid diagnose",
	.summary = "Names the component that differs from its peers, and "
		   "shows the evidence.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "A FILE is any recording that limpid reads, or a directory of "
		 "such files. Nothing\nneeds to be trained or configured. "
		 "'limpid inventory' shows what would be\ncompared.\n",
};

/* ---- --reset ---- */

/* "oss3/sdc@2026-11-14T12:00": what follows the @; NULL: no such thing. */
static const char *parse_reset(const char *text, struct lp_when *when)
{
	const char *at = strrchr(text, '@');

	if (!at || at == text || lp_when_parse(at + 1, when) < 0)
		return NULL;
	return at;
}

/* Before anything is read. */
static int check_reset_texts(const struct lp_option_list *list,
			     struct lp_error *err)
{
	struct lp_when when;

	for (size_t i = 0; i < list->count; i++)
		if (!parse_reset(list->text[i], &when))
			return lp_fail(
				err, EINVAL,
				"--reset: '%s': expected COMPONENT@TIME, for "
				"example oss3/sdc@2026-11-14T12:00Z",
				list->text[i]);
	return 0;
}

/* The component's text is the caller's. */
static int read_reset(struct lp_case_files *c, const char *text, bool *wrong,
		      struct lp_reset *reset, struct lp_error *err)
{
	struct lp_when when;
	const char *at = parse_reset(text, &when);
	int status = lp_period_time(&c->period, "--reset", &when, &c->inputs,
				    wrong, &reset->time_ns, err);
	char *name;

	if (status < 0)
		return status;
	name = strndup(text, (size_t)(at - text));
	if (!name)
		return lp_fail_memory(err);
	reset->component = name;
	return 0;
}

static void free_resets(struct lp_reset *resets, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)resets[i].component);
	free(resets);
}

static int read_resets(struct lp_case_files *c,
		       const struct lp_option_list *list, bool *wrong,
		       struct lp_error *err)
{
	struct lp_diagnose_options *options = &c->options;
	struct lp_reset *resets =
		calloc(list->count + 1, sizeof(*options->resets));
	int status = resets ? 0 : lp_fail_memory(err);

	for (size_t i = 0; i < list->count && status == 0; i++)
		status = read_reset(c, list->text[i], wrong, &resets[i], err);
	if (status < 0) {
		free_resets(resets, resets ? list->count : 0);
		return status;
	}
	options->resets = resets;
	options->n_resets = list->count;
	return 0;
}

/* ---- running ---- */

/* Standard output takes the verdict or a file, not both in one. */
static bool fills_stdout(const char *path)
{
	return path && lp_is_stdout(path);
}

static void print(const struct options *o, const struct lp_case_files *c,
		  const struct lp_findings *findings)
{
	struct lp_verdict_report report = {
		.findings = findings,
		.zone = &c->period.zone,
		.top = o->top ? o->top : TOP_FINDINGS,
		.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
		.all = o->verbose,
	};

	if (fills_stdout(o->html) || fills_stdout(o->dump))
		return;
	if (o->nagios)
		lp_verdict_nagios(&report, stdout);
	else if (o->json)
		lp_verdict_json(&report, stdout);
	else if (o->hourly)
		lp_verdict_hourly(&report, stdout);
	else
		lp_verdict_text(&report, stdout);
}

static int write_page(const struct options *o,
		      const struct lp_findings *findings, struct lp_error *err)
{
	struct lp_outfile file;
	int status = lp_outfile_create(&file, o->html, &lp_outkind_page, err);

	if (status < 0)
		return status;
	status = lp_report_html(file.out, findings, NULL, err);
	if (status == 0)
		return lp_outfile_commit(&file, err);
	lp_outfile_abandon(&file);
	return status;
}

static int exit_status(const struct options *o, const struct lp_findings *d)
{
	static const int codes[LP_OUTCOMES] = {
		[LP_OUTCOME_NONE] = LP_EXIT_OK,
		[LP_OUTCOME_FAULT] = LP_EXIT_FAULT,
		[LP_OUTCOME_UNDECIDED] = LP_EXIT_UNDECIDED,
	};
	static const int nagios[LP_OUTCOMES] = {
		[LP_OUTCOME_NONE] = LP_EXIT_OK,
		[LP_OUTCOME_FAULT] = LP_EXIT_NAGIOS_CRITICAL,
		[LP_OUTCOME_UNDECIDED] = LP_EXIT_NAGIOS_UNKNOWN,
	};
	int status = lp_command_finish(&usage);

	if (o->nagios)
		return status == LP_EXIT_OK ? nagios[d->outcome]
					    : LP_EXIT_NAGIOS_UNKNOWN;
	return status == LP_EXIT_OK && o->check ? codes[d->outcome] : status;
}

/* What was found, on its own. */
static int publish(const struct options *o, const struct lp_case_files *c,
		   const struct lp_diagnosis *d, struct lp_findings *findings,
		   struct lp_error *err)
{
	struct lp_publication publication = {
		.diagnosis = d,
		.input = &c->input,
		.notes = c->notes,
		.trained_on = c->thresholds
				      ? lp_thresholds_origin(c->thresholds)
				      : NULL,
		.inputs_left_out = lp_inputs_left_out(&c->inputs, false),
		.inputs_read_in_part = lp_inputs_left_out(&c->inputs, true),
		.pictures = o->html,
	};

	return lp_findings_publish(&publication, findings, err);
}

static int report(const struct options *o, const struct lp_case_files *c,
		  const struct lp_findings *findings, int *status,
		  struct lp_error *err)
{
	int r = o->html ? write_page(o, findings, err) : 0;

	if (r == 0) {
		print(o, c, findings);
		*status = exit_status(o, findings);
	}
	return r;
}

static int diagnose(const struct options *o, struct lp_case_files *c,
		    int *status, struct lp_error *err)
{
	struct lp_diagnose_options options = c->options;
	struct lp_diagnosis d;
	struct lp_findings findings;
	struct lp_dump dump = { 0 };
	int r = o->dump ? lp_dump_open(&dump, o->dump, err) : 0;

	options.exact = o->exact_pairs;
	if (o->dump) {
		options.dump = lp_dump_window;
		options.dump_user = &dump;
	}
	if (r == 0)
		r = lp_case_judge(c, &options, &d, err);
	if (r < 0) {
		/* Writing failed, and not the diagnosis: say which file. */
		if (dump.file.out && ferror(dump.file.out))
			r = lp_dump_commit(&dump, err);
		lp_dump_abandon(&dump);
		return r;
	}
	r = o->dump ? lp_dump_commit(&dump, err) : 0;
	if (r == 0)
		r = publish(o, c, &d, &findings, err);
	lp_diagnosis_done(&d);
	if (r < 0)
		return r;
	r = report(o, c, &findings, status, err);
	lp_findings_done(&findings);
	return r;
}

static int check_outputs(const struct options *o, char *const *inputs,
			 struct lp_error *err)
{
	const struct lp_output outputs[] = {
		{ "--html", o->html, &lp_outkind_page },
		{ "--dump", o->dump, &lp_outkind_dump },
	};
	const char *other = o->nagios   ? "--nagios"
			    : o->json   ? "--json"
			    : o->hourly ? "--hourly"
					: NULL;

	for (size_t i = 0; other && i < lp_array_size(outputs); i++)
		if (fills_stdout(outputs[i].path))
			return lp_fail(err, EINVAL,
				       "%s and %s %s cannot both write to "
				       "standard output",
				       other, outputs[i].option,
				       outputs[i].path);
	return lp_outputs_check(outputs, lp_array_size(outputs), inputs, err);
}

static int check_resets(const struct lp_case_files *c, bool *wrong,
			struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < c->options.n_resets && status == 0; i++)
		status = lp_case_check_name(c, "--reset",
					    c->options.resets[i].component,
					    true, err);
	*wrong = status < 0;
	return status;
}

static int load(struct options *o, struct lp_case_files *c, char **paths,
		bool *wrong, struct lp_error *err)
{
	int r;

	*wrong = true;
	if (o->json && o->hourly)
		return lp_fail(err, EINVAL,
			       "--json holds the hourly list; leave --hourly "
			       "out");
	if (o->nagios && (o->json || o->hourly || o->check))
		return lp_fail(err, EINVAL,
			       "--nagios has its own output and exit status; "
			       "leave %s out",
			       o->json     ? "--json"
			       : o->hourly ? "--hourly"
					   : "--check");
	c->for_programs = o->json || o->nagios;
	r = check_outputs(o, paths, err);
	if (r == 0)
		r = check_reset_texts(&o->resets, err);
	if (r == 0)
		r = lp_case_load(c, &o->common, paths, wrong, err);
	if (r == 0)
		r = read_resets(c, &o->resets, wrong, err);
	if (r == 0)
		r = lp_case_read_thresholds(c, o->common.thresholds, err);
	return r ? r : check_resets(c, wrong, err);
}

/* A plugin's errors are UNKNOWN, wrong command lines among them. */
static int fail(bool nagios, bool wrong, const struct lp_error *err)
{
	if (nagios) {
		lp_verdict_nagios_unknown(err->text, stdout);
		lp_command_finish(&usage);
		return LP_EXIT_NAGIOS_UNKNOWN;
	}
	lp_command_fail(&usage, err);
	return wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
}

static bool has_nagios(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--nagios") == 0)
			return true;
	return false;
}

/* As lp_command_begin, where a wrong command line is told by the plugin. */
static bool begin(int argc, char **argv, struct options *options, int *first,
		  int *status)
{
	struct lp_error err;

	if (!has_nagios(argc, argv))
		return lp_command_begin(&usage, argc, argv, options, first,
					status);
	switch (lp_options_parse(&usage, argc, argv, options, first, &err)) {
	case LP_OPTIONS_RUN:
		return true;
	case LP_OPTIONS_HELP:
		lp_options_help(&usage, stdout);
		*status = lp_command_finish(&usage);
		return false;
	default:
		*status = fail(true, true, &err);
		return false;
	}
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_case_files c = { 0 };
	struct lp_error err;
	int first, status, r;
	bool wrong = false;

	lp_case_options_init(&options.common, usage.command);
	if (!begin(argc, argv, &options, &first, &status))
		return status;
	r = load(&options, &c, argv + first, &wrong, &err);
	if (r == 0)
		r = diagnose(&options, &c, &status, &err);
	lp_case_done(&c);
	free_resets((struct lp_reset *)c.options.resets, c.options.n_resets);
	lp_case_options_done(&options.common);
	lp_option_list_done(&options.resets);
	return r < 0 ? fail(options.nagios, wrong, &err) : status;
}

const struct lp_command lp_command_diagnose = {
	.name = "diagnose",
	.summary = "name the component that differs from its peers",
	.run = run,
	.usage = &usage,
};
