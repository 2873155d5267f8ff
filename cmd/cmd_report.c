/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid report: tell stored findings again, without the recordings.
 */
#include "command.h"
#include "period.h"
#include "reporting.h"

#include "report/findings_json.h"

#include <stddef.h>

struct options {
	struct lp_reporting reporting;
	struct lp_period_options period;
	bool check;
};

static const struct lp_option option_table[] = {
	LP_REPORTING_FILES(struct options, reporting),
	LP_REPORTING_HOURLY(struct options, reporting),
	LP_REPORTING_TOP(struct options, reporting),
	LP_ZONE_OPTIONS(struct options, period),
	{ .long_name = "check",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, check),
	  .help = LP_CHECK_HELP },
	LP_REPORTING_VERBOSE(struct options, reporting),
};

static const struct lp_usage usage = {
	.command = "limpid report",
	.summary =
		"Shows findings that 'limpid diagnose --findings' wrote. The "
		"recordings are not\nneeded.",
	.operands = "FINDINGS",
	.min_operands = 1,
	.max_operands = 1,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "FINDINGS is such a file, or - for standard input.\n",
};

static int report(const struct options *o, const char *path,
		  const struct lp_zone *zone, int *code, struct lp_error *err)
{
	struct lp_findings findings;
	int status = lp_findings_read(path, NULL, &findings, err);

	if (status < 0)
		return status;
	status = lp_reporting_run(&o->reporting, &findings, zone, false, err);
	if (status == 0) {
		*code = lp_command_finish(&usage);
		if (*code == LP_EXIT_OK && o->check)
			*code = lp_exit_of(findings.outcome);
	}
	lp_findings_done(&findings);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_period period;
	struct lp_error err;
	int first, code;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &code))
		return code;
	if (lp_period_begin(&period, &options.period, options.reporting.json,
			    &err) < 0 ||
	    lp_reporting_check(&options.reporting, NULL, 0, argv + first,
			       &err) < 0)
		return lp_command_misuse(&usage, &err);
	return report(&options, argv[first], &period.zone, &code, &err) < 0
		       ? lp_command_fail(&usage, &err)
		       : code;
}

const struct lp_command lp_command_report = {
	.name = "report",
	.summary = "show stored findings again, without the recordings",
	.run = run,
	.usage = &usage,
};
