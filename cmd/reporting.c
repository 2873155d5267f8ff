/* SPDX-License-Identifier: Apache-2.0 */
#include "reporting.h"

#include "command.h"

#include "base/memory.h"
#include "report/findings_json.h"
#include "report/html.h"
#include "report/verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define TOP_FINDINGS 10
#define OUTPUTS_MOST 4

bool lp_fills_stdout(const char *path)
{
	return path && lp_is_stdout(path);
}

int lp_exit_of(enum lp_outcome outcome)
{
	static const int codes[LP_OUTCOMES] = {
		[LP_OUTCOME_NONE] = LP_EXIT_OK,
		[LP_OUTCOME_FAULT] = LP_EXIT_FAULT,
		[LP_OUTCOME_UNDECIDED] = LP_EXIT_UNDECIDED,
	};

	return codes[outcome];
}

static int check_stdout(const struct lp_reporting *r,
			const struct lp_output *outputs, size_t n,
			struct lp_error *err)
{
	const char *other = r->nagios   ? "--nagios"
			    : r->json   ? "--json"
			    : r->hourly ? "--hourly"
					: NULL;

	for (size_t i = 0; other && i < n; i++)
		if (lp_fills_stdout(outputs[i].path))
			return lp_fail(err, EINVAL,
				       "%s and %s %s cannot both write to "
				       "standard output",
				       other, outputs[i].option,
				       outputs[i].path);
	return 0;
}

int lp_reporting_check(const struct lp_reporting *r,
		       const struct lp_output *more, size_t n_more,
		       char *const *inputs, struct lp_error *err)
{
	struct lp_output outputs[OUTPUTS_MOST] = {
		{ "--html", r->html, &lp_outkind_page },
		{ "--findings", r->findings, &lp_outkind_findings },
	};
	size_t n = 2;
	int status;

	for (size_t i = 0; i < n_more && n < OUTPUTS_MOST; i++)
		outputs[n++] = more[i];
	if (r->json && r->hourly)
		return lp_fail(err, EINVAL,
			       "--json holds the hourly list; leave --hourly "
			       "out");
	status = check_stdout(r, outputs, n, err);
	return status ? status : lp_outputs_check(outputs, n, inputs, err);
}

bool lp_reporting_pictures(const struct lp_reporting *r)
{
	return r->html || r->findings;
}

static int write_file(const char *path, const struct lp_outkind *kind,
		      const struct lp_findings *findings, struct lp_error *err)
{
	struct lp_outfile file;
	int status = lp_outfile_create(&file, path, kind, err);

	if (status < 0)
		return status;
	if (kind == &lp_outkind_findings)
		lp_findings_write(findings, NULL, file.out);
	else
		status = lp_report_html(file.out, findings, NULL, err);
	if (status == 0)
		return lp_outfile_commit(&file, err);
	lp_outfile_abandon(&file);
	return status;
}

static void print(const struct lp_reporting *r,
		  const struct lp_findings *findings,
		  const struct lp_zone *zone)
{
	struct lp_verdict_report report = {
		.findings = findings,
		.zone = zone,
		.top = r->top ? r->top : TOP_FINDINGS,
		.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
		.all = r->verbose,
	};

	if (r->nagios)
		lp_verdict_nagios(&report, stdout);
	else if (r->json)
		lp_verdict_json(&report, stdout);
	else if (r->hourly)
		lp_verdict_hourly(&report, stdout);
	else
		lp_verdict_text(&report, stdout);
}

int lp_reporting_run(const struct lp_reporting *r,
		     const struct lp_findings *findings,
		     const struct lp_zone *zone, bool silent,
		     struct lp_error *err)
{
	int status = 0;

	if (r->html)
		status = write_file(r->html, &lp_outkind_page, findings, err);
	if (status == 0 && r->findings)
		status = write_file(r->findings, &lp_outkind_findings, findings,
				    err);
	if (status == 0 && !silent && !lp_fills_stdout(r->html) &&
	    !lp_fills_stdout(r->findings))
		print(r, findings, zone);
	return status;
}
