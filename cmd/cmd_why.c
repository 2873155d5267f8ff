/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid why: why a component is accused, or why not.
 */
#include "command.h"
#include "why.h"

#include "base/json.h"
#include "base/memory.h"
#include "report/wrap.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

struct options {
	struct lp_case_options common; /* first */
	struct lp_when at;
	bool json;
};

static const struct lp_option option_table[] = {
	{ .long_name = "at",
	  .type = LP_OPTION_WHEN,
	  .value = "TIME",
	  .offset = offsetof(struct options, at),
	  .help = "look only at the first window that ends at TIME or later" },
	LP_CASE_OPTIONS,
	LP_CASE_BUDGET_OPTIONS,
	LP_CASE_THRESHOLD_OPTIONS,
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print JSON" },
};

static const struct lp_usage usage = {
	.command = "limpid why",
	.summary = "Explains why a component or host is accused, or why not.",
	.operands = "COMPONENT FILE...",
	.min_operands = 2,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "COMPONENT is named as in the verdict (oss3/sdc), or is a "
		 "host.\n",
};

static int say_unknown(const struct lp_case_files *c, const char *name,
		       struct lp_error *err)
{
	int status = lp_case_check_name(c, "", name, false, err);

	return status ? status
		      : lp_fail(err, ENOENT,
				"nothing of '%s' was compared; 'limpid "
				"inventory' says why",
				name);
}

/* What is said after the components. */
static void end_text(const struct lp_why *why)
{
	if (why->d.outcome == LP_OUTCOME_UNDECIDED)
		lp_wrap(stdout, "Cannot tell: ", why->d.reason);
	lp_why_legend(why, why->name);
	if (*why->c.site.note)
		lp_wrap(stdout, "Note:     ", why->c.site.note);
	if (*why->c.step_unknown)
		lp_wrap(stdout, "Note:     ", why->c.step_unknown);
	for (size_t i = 0; i < why->c.inputs.n_faults; i++)
		lp_wrap(stdout, "Note:     ", why->c.inputs.faults[i].text);
}

static int tell(struct lp_why *why, struct lp_error *err)
{
	size_t found = 0;

	if (why->json)
		lp_why_put_begin(why);
	if (lp_why_explain(why, why->name, &found) < 0)
		return lp_fail_memory(err);
	if (!found && why->d.outcome == LP_OUTCOME_UNDECIDED)
		return lp_fail(err, ENOENT,
			       "'%s' was not compared, because nothing could "
			       "be compared: %s",
			       why->name, why->d.reason);
	if (!found)
		return say_unknown(&why->c, why->name, err);
	if (why->json)
		lp_why_put_end(why);
	else
		end_text(why);
	return 0;
}

static int answer(struct lp_why *why, struct lp_error *err)
{
	int status;

	why->c.options.all_metrics = true;
	why->c.options.blocks = lp_why_take_block;
	why->c.options.wants = lp_why_wants;
	why->c.options.blocks_user = why;
	status = lp_case_judge(&why->c, &why->c.options, &why->d, err);
	if (status < 0)
		return status;
	status = tell(why, err);
	lp_diagnosis_done(&why->d);
	return status;
}

/* An error leaves no half of it behind. */
static int answer_in_json(struct lp_why *why, struct lp_error *err)
{
	struct lp_json json;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status;

	if (!out)
		return lp_fail_memory(err);
	lp_json_init(&json, out);
	why->json = &json;
	status = answer(why, err);
	if (fclose(out) != 0 && status == 0)
		status = lp_fail_memory(err);
	if (status == 0)
		puts(text);
	free(text);
	return status;
}

/* --at outside of the recordings has no answer. */
static int check_at(const struct lp_why *why, struct lp_error *err)
{
	const struct lp_roster *roster = &why->c.reading.recording.roster;
	const struct lp_zone *zone = &why->c.period.zone;
	char at[LP_TIME_TEXT], first[LP_TIME_TEXT], last[LP_TIME_TEXT];

	if (why->at_ns == LP_TIME_MIN || roster->first_ns > roster->last_ns ||
	    (why->at_ns >= roster->first_ns && why->at_ns <= roster->last_ns))
		return 0;
	return lp_fail(err, EINVAL,
		       "--at %s is outside of the recorded time, %s to %s",
		       lp_zone_format(zone, why->at_ns, at),
		       lp_zone_format(zone, roster->first_ns, first),
		       lp_zone_format(zone, roster->last_ns, last));
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_why why = { 0 };
	struct lp_error err;
	int first, exit_code, status;
	bool wrong = false;

	lp_case_options_init(&options.common, usage.command);
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	why.at_ns = LP_TIME_MIN;
	why.name = argv[first];
	why.c.for_programs = options.json;
	status = lp_case_load(&why.c, &options.common, argv + first + 1, &wrong,
			      &err);
	if (status == 0)
		status =
			lp_period_time(&why.c.period, "--at", &options.at,
				       &why.c.inputs, &wrong, &why.at_ns, &err);
	if (status == 0) {
		status = check_at(&why, &err);
		wrong = status < 0;
	}
	if (status == 0)
		status = lp_case_read_thresholds(
			&why.c, options.common.thresholds, &err);
	if (status == 0)
		status = options.json ? answer_in_json(&why, &err)
				      : answer(&why, &err);
	lp_why_scores_done(&why);
	lp_case_done(&why.c);
	lp_case_options_done(&options.common);
	if (status < 0) {
		lp_command_fail(&usage, &err);
		return wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
	}
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_why = {
	.name = "why",
	.summary = "explain why a component is accused, or why not",
	.run = run,
	.usage = &usage,
};
