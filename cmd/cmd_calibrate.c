/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid calibrate: how far healthy components of a site go by chance, so that
 * a budget of false alarms is kept there.
 */
#include "case_files.h"
#include "command.h"
#include "outputs.h"

#include "base/memory.h"
#include "base/visible.h"
#include "diagnose/calibration.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define HOSTS_NAMED 8

struct options {
	struct lp_case_options common; /* first */
	const char *output;
};

static const struct lp_option option_table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, output),
	  .help = "file to write the calibration to (default: standard "
		  "output)" },
	LP_CASE_WHAT_OPTIONS,
	LP_CASE_INPUT_OPTIONS,
};

static const struct lp_usage usage = {
	.command = "limpid calibrate",
	.summary = "Measures how far healthy components differ by chance.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "Calibrate on days of recordings of the system at work. Then "
		 "use 'limpid diagnose\n--method limpid --calibration FILE'.\n",
};

static const struct lp_outkind kind = {
	.name = "a calibration",
	.beginnings = (const char *const[]){ "# limpid calibration ", NULL },
};

/* The methods that have something to calibrate, ended by NULL. */
static void choose_methods(const struct lp_detector *methods[])
{
	size_t n = 0;

	for (size_t i = 0; lp_detectors[i]; i++)
		if (lp_detectors[i]->joint)
			methods[n++] = lp_detectors[i];
	methods[n] = NULL;
}

/* "oss1 oss2 and 9 more, 2026-11-14T00:00:00Z to 2026-11-15T00:00:00Z" */
static void name_origin(const struct lp_case_files *c, char *text, size_t size)
{
	const struct lp_roster *roster = &c->reading.recording.roster;
	char from[LP_TIME_TEXT], to[LP_TIME_TEXT];
	size_t used = 0;

	for (size_t i = 0; i < roster->n_hosts && i < HOSTS_NAMED; i++)
		if (used < size)
			used += (size_t)snprintf(
				text + used, size - used, "%s%s", i ? " " : "",
				lp_shown(roster->hosts[i].name));
	if (roster->n_hosts > HOSTS_NAMED && used < size)
		used += (size_t)snprintf(text + used, size - used,
					 " and %zu more",
					 roster->n_hosts - HOSTS_NAMED);
	if (used < size)
		snprintf(text + used, size - used, ", %s to %s",
			 lp_time_format(roster->first_ns, from),
			 lp_time_format(roster->last_ns, to));
}

static bool named_before(const struct lp_diagnosis *d, size_t finding)
{
	for (size_t i = 0; i < finding; i++)
		if (strcmp(d->findings[i].component,
			   d->findings[finding].component) == 0)
			return true;
	return false;
}

/* Of who may be faulty, each once. */
static void warn(const struct lp_diagnosis *d)
{
	for (size_t i = 0; i < d->n_findings; i++)
		if (!named_before(d, i))
			fprintf(stderr,
				"%s: warning: %s differs from its peers (%s). "
				"The calibration leaves out the sixth that "
				"differs most\n",
				usage.command,
				lp_shown(d->findings[i].component),
				lp_cause_name(d->findings[i].cause));
}

static int measure(struct lp_case_files *c, struct lp_calibration *calibration,
		   struct lp_error *err)
{
	struct lp_diagnosis d;
	int status = lp_case_judge(c, &c->options, &d, err);

	if (status < 0)
		return status;
	status = lp_case_measure(c->reading.open, calibration, err);
	if (status == 0 && lp_calibration_count(calibration) == 0)
		status = lp_fail(
			err, ENODATA, "nothing to calibrate by: %s",
			*c->input.plan->refusal_text
				? c->input.plan->refusal_text
				: "no class has 50 hours of healthy components "
				  "with a distance above 2; take more hours");
	if (status == 0)
		warn(&d);
	lp_diagnosis_done(&d);
	return status;
}

static int write_file(const struct options *o, const struct lp_case_files *c,
		      const struct lp_calibration *calibration,
		      struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	char origin[512] = "";
	int status = lp_outfile_create(&file, o->output, &kind, err);

	if (status < 0)
		return status;
	name_origin(c, origin, sizeof(origin));
	lp_calibration_write(calibration, origin, file.out);
	return lp_outfile_commit(&file, err);
}

static int calibrate(const struct options *o, struct lp_case_files *c,
		     struct lp_error *err)
{
	struct lp_calibration *calibration = lp_calibration_new();
	int status = calibration ? measure(c, calibration, err)
				 : lp_fail_memory(err);

	if (status == 0)
		status = write_file(o, c, calibration, err);
	lp_calibration_free(calibration);
	return status;
}

/* Read with the methods that are calibrated. */
static int load(struct options *o, struct lp_case_files *c, char **paths,
		bool *wrong, struct lp_error *err)
{
	int status = lp_outputs_check(
		&(struct lp_output){ "-o", o->output, &kind }, 1, paths, err);

	*wrong = status < 0;
	if (status < 0)
		return status;
	choose_methods(c->methods);
	c->options.methods = c->methods;
	return lp_case_load(c, &o->common, paths, wrong, err);
}

static int run(int argc, char **argv)
{
	struct options options = { .output = "-" };
	struct lp_case_files c = { 0 };
	struct lp_error err;
	int first, exit_code, status;
	bool wrong = false;

	lp_case_options_init(&options.common, usage.command);
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	status = load(&options, &c, argv + first, &wrong, &err);
	if (status == 0 && *c.site.note)
		fprintf(stderr, "%s: %s\n", usage.command, c.site.note);
	if (status == 0)
		status = calibrate(&options, &c, &err);
	lp_case_done(&c);
	lp_case_options_done(&options.common);
	if (status < 0) {
		lp_command_fail(&usage, &err);
		return wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
	}
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_calibrate = {
	.name = "calibrate",
	.summary = "measure how far healthy components differ by chance",
	.run = run,
	.usage = &usage,
};
