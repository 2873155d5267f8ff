/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read can be told in every form, and is written as it was read.
 */
#include "report/findings_json.h"
#include "report/html.h"
#include "report/verdict.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tell(const struct lp_findings *findings)
{
	const struct lp_zone utc = { 0 };
	const struct lp_verdict_report report = {
		.findings = findings, .zone = &utc, .top = 100, .all = true
	};
	struct lp_error err;
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		abort();
	lp_verdict_text(&report, out);
	lp_verdict_hourly(&report, out);
	lp_verdict_json(&report, out);
	lp_verdict_nagios(&report, out);
	lp_report_html(out, findings, NULL, &err);
	fclose(out);
}

/* You own it. */
static __attribute__((noinline)) char *written(
	const struct lp_findings *findings)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	lp_findings_write(findings, NULL, out);
	fclose(out);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_findings findings, back;
	struct lp_error err;
	char *once, *twice;

	if (lp_findings_parse("fuzz", (const char *)data, size, NULL, &findings,
			      &err) < 0)
		return 0;
	tell(&findings);
	once = written(&findings);
	if (lp_findings_parse("fuzz", once, strlen(once), NULL, &back, &err) <
	    0)
		abort();
	twice = written(&back);
	if (strcmp(once, twice) != 0)
		abort();
	free(once);
	free(twice);
	lp_findings_done(&findings);
	lp_findings_done(&back);
	return 0;
}
