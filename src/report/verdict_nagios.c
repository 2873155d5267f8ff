/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict as the one line of a plugin for Nagios, Icinga and their kin:
 *
 *     LIMPID CRITICAL - oss3/sdc disk-busy since ... | findings=1;;0;0 ...
 *
 * What stands behind the bar is for programs: label=value;warning;critical;min.
 */
#include "report/verdict.h"

#include "base/number.h"
#include "base/visible.h"

/* A bar would begin the numbers; what is not visible is escaped. */
static void put_text(FILE *out, const char *text)
{
	for (const char *c = lp_shown(text); *c; c++)
		fputc(*c == '|' ? '?' : *c, out);
}

static void put_finding(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_findings *d = r->findings;
	const struct lp_finding *f = d->items;
	size_t more = lp_findings_components(d) - 1;
	char since[LP_TIME_TEXT];

	put_text(out, f->component);
	fprintf(out, " %s since %s", f->words.name,
		lp_zone_format(r->zone, f->since_ns, since));
	if (f->lasting)
		fputs(", until the end of the recording", out);
	if (more)
		fprintf(out, ", and %zu more %s", more,
			lp_plural(more, "component", "components"));
}

/* What nobody looked at may differ, too. */
static void put_faults(const struct lp_findings *d, FILE *out)
{
	if (d->inputs_left_out)
		fprintf(out, " (%zu %s left out)", d->inputs_left_out,
			lp_plural(d->inputs_left_out, "input", "inputs"));
	if (d->inputs_read_in_part)
		fprintf(out, " (%zu %s read in part)", d->inputs_read_in_part,
			lp_plural(d->inputs_read_in_part, "input", "inputs"));
}

void lp_verdict_nagios(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_findings *d = r->findings;

	if (d->outcome == LP_OUTCOME_UNDECIDED) {
		fputs("LIMPID UNKNOWN - ", out);
		put_text(out, d->reason);
		put_faults(d, out);
		fputc('\n', out);
		return;
	}
	fputs(d->n ? "LIMPID CRITICAL - "
		   : "LIMPID OK - no component differs from its peers",
	      out);
	if (d->n)
		put_finding(r, out);
	put_faults(d, out);
	fprintf(out,
		" | findings=%zu;;0;0 components=%zu;;0;0 score=%.0f;;;0 "
		"compared=%zu;;;0 left_out=%zu;;;0\n",
		d->n, lp_findings_components(d), d->n ? d->items->score : 0,
		d->n_components, d->inputs_left_out);
}

void lp_verdict_nagios_unknown(const char *reason, FILE *out)
{
	fputs("LIMPID UNKNOWN - ", out);
	put_text(out, reason);
	fputc('\n', out);
}
