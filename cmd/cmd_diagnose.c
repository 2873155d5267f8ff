/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid diagnose: who differs from its peers, of what it is ill, since when.
 */
#include "case_state.h"
#include "command.h"
#include "dump.h"
#include "expect.h"
#include "log_witness.h"
#include "reporting.h"

#include "base/memory.h"
#include "diagnose/publish.h"
#include "report/verdict.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Who asks for more lines of an hour gets them. */
#define LIST_USUAL 100

struct options {
	struct lp_case_options common; /* first */
	struct lp_reporting reporting;
	const char *dump;
	struct lp_option_list resets, expected, include;
	struct lp_log_options logs;
	const char *state;
	bool exact_pairs, check;
};

static const struct lp_option option_table[] = {
	LP_CASE_OPTIONS,
	LP_CASE_BUDGET_OPTIONS,
	LP_CASE_THRESHOLD_OPTIONS,
	LP_REPORTING_HOURLY(struct options, reporting),
	{ .long_name = "expect",
	  .type = LP_OPTION_LIST,
	  .value = "COMPONENT=rebuild[@FROM..TO]",
	  .offset = offsetof(struct options, expected),
	  .help = "work that is known: it is noted, and not a finding" },
	{ .long_name = "reset",
	  .type = LP_OPTION_LIST,
	  .value = "COMPONENT@TIME",
	  .offset = offsetof(struct options, resets),
	  .help = "the component was repaired at TIME: count its anomalies "
		  "from then on" },
	{ .long_name = "state",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, state),
	  .help = "go on from this state of an earlier diagnosis, if it "
		  "exists, and write the new one" },
	{ .long_name = "include",
	  .type = LP_OPTION_LIST,
	  .value = "COMPONENT",
	  .offset = offsetof(struct options, include),
	  .help = "accuse this component again that the state excludes" },
	{ .long_name = "logs",
	  .type = LP_OPTION_LIST,
	  .value = "PATH",
	  .offset = offsetof(struct options, logs.paths),
	  .help = "logs of the same time: a directory with a folder per host; "
		  "what they say goes beside the findings" },
	{ .long_name = "logs-model",
	  .type = LP_OPTION_STRING,
	  .value = "MODEL",
	  .offset = offsetof(struct options, logs.model),
	  .help = "what healthy logs say, by 'limpid logs learn'" },
	LP_REPORTING_TOP(struct options, reporting),
	{ .long_name = "exact-pairs",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, exact_pairs),
	  .help = "compute all distances; slower, with the same verdict" },
	{ .long_name = "dump",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, dump),
	  .help = "write every window of every component as CSV" },
	LP_REPORTING_FILES(struct options, reporting),
	{ .long_name = "check",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, check),
	  .help = LP_CHECK_HELP },
	{ .long_name = "nagios",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, reporting.nagios),
	  .help = "act as a plugin of Nagios or Icinga: print one line, exit "
		  "status 0, 2 or 3" },
	LP_REPORTING_VERBOSE(struct options, reporting),
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

static int exit_status(const struct options *o, const struct lp_findings *d)
{
	static const int nagios[LP_OUTCOMES] = {
		[LP_OUTCOME_NONE] = LP_EXIT_OK,
		[LP_OUTCOME_FAULT] = LP_EXIT_NAGIOS_CRITICAL,
		[LP_OUTCOME_UNDECIDED] = LP_EXIT_NAGIOS_UNKNOWN,
	};
	int status = lp_command_finish(&usage);

	if (o->reporting.nagios)
		return status == LP_EXIT_OK ? nagios[d->outcome]
					    : LP_EXIT_NAGIOS_UNKNOWN;
	return status == LP_EXIT_OK && o->check ? lp_exit_of(d->outcome)
						: status;
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
		.pictures = lp_reporting_pictures(&o->reporting),
	};

	return lp_findings_publish(&publication, findings, err);
}

/* With the windows in a file, if that was asked for. */
static int judge(const struct options *o, struct lp_case_files *c,
		 struct lp_diagnose_options *options, struct lp_diagnosis *d,
		 struct lp_error *err)
{
	struct lp_dump dump = { 0 };
	int r = o->dump ? lp_dump_open(&dump, o->dump, options, err) : 0;

	if (r == 0)
		r = lp_case_judge(c, options, d, err);
	if (r < 0) {
		/* Writing failed, and not the diagnosis: say which file. */
		if (dump.file.out && ferror(dump.file.out))
			r = lp_dump_commit(&dump, err);
		lp_dump_abandon(&dump);
		return r;
	}
	r = o->dump ? lp_dump_commit(&dump, err) : 0;
	if (r < 0)
		lp_diagnosis_done(d);
	return r;
}

/* The state goes on only if its findings were told. */
static int diagnose(const struct options *o, struct lp_case_files *c,
		    struct lp_case_state *state, int *status,
		    struct lp_error *err)
{
	struct lp_diagnose_options options = c->options;
	struct lp_diagnosis d;
	struct lp_findings findings;
	int r = lp_case_state_apply(state, c, &o->include, &options, err);

	options.exact = o->exact_pairs;
	options.listed = o->reporting.top > LIST_USUAL ? o->reporting.top : 0;
	if (r == 0)
		r = judge(o, c, &options, &d, err);
	if (r < 0)
		return r;
	r = publish(o, c, &d, &findings, err);
	lp_diagnosis_done(&d);
	if (r < 0)
		return r;
	r = lp_reporting_run(&o->reporting, &findings, &c->period.zone,
			     lp_fills_stdout(o->dump), err);
	if (r == 0)
		r = lp_case_state_write(state, c, err);
	if (r == 0)
		*status = exit_status(o, &findings);
	lp_findings_done(&findings);
	return r;
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
	const struct lp_reporting *told = &o->reporting;
	const struct lp_output dump = { "--dump", o->dump, &lp_outkind_dump };
	int status;

	*wrong = true;
	if (told->nagios && (told->json || told->hourly || o->check))
		return lp_fail(err, EINVAL,
			       "--nagios has its own output and exit status; "
			       "leave %s out",
			       told->json     ? "--json"
			       : told->hourly ? "--hourly"
					      : "--check");
	c->for_programs = told->json || told->nagios;
	status = lp_reporting_check(told, &dump, 1, paths, err);
	if (status == 0)
		status = check_reset_texts(&o->resets, err);
	if (status == 0)
		status = lp_expect_check(&o->expected, err);
	if (status == 0)
		status = lp_case_load(c, &o->common, paths, wrong, err);
	if (status == 0 && o->dump) {
		status = lp_dump_check(c->options.methods, err);
		*wrong = status < 0;
	}
	if (status == 0)
		status = read_resets(c, &o->resets, wrong, err);
	if (status == 0)
		status = lp_case_read_thresholds(c, o->common.thresholds, err);
	if (status == 0)
		status = lp_expect_read(c, &o->expected, wrong, err);
	if (status == 0 && o->logs.paths.count)
		status = lp_logs_put(c, &o->logs, err);
	return status ? status : check_resets(c, wrong, err);
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
	struct lp_case_state state = { 0 };
	struct lp_error err;
	int first, status, r;
	bool wrong = false;

	lp_case_options_init(&options.common, usage.command);
	if (!begin(argc, argv, &options, &first, &status))
		return status;
	r = lp_case_state_check(options.state, &options.include, &err);
	wrong = r < 0;
	if (r == 0)
		r = lp_case_state_open(&state, options.state, &c, &err);
	if (r == 0)
		r = load(&options, &c, argv + first, &wrong, &err);
	if (r == 0)
		r = diagnose(&options, &c, &state, &status, &err);
	lp_case_state_done(&state);
	lp_case_done(&c);
	free_resets((struct lp_reset *)c.options.resets, c.options.n_resets);
	lp_expect_done(&c);
	lp_case_options_done(&options.common);
	lp_option_list_done(&options.resets);
	lp_option_list_done(&options.expected);
	lp_option_list_done(&options.include);
	lp_option_list_done(&options.logs.paths);
	return r < 0 ? fail(options.reporting.nagios, wrong, &err) : status;
}

const struct lp_command lp_command_diagnose = {
	.name = "diagnose",
	.summary = "name the component that differs from its peers",
	.run = run,
	.usage = &usage,
};
