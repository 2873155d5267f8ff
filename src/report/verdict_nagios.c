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
	const struct lp_diagnosis *d = r->diagnosis;
	const struct lp_finding *f = d->findings;
	size_t more = lp_diagnosis_components(d) - 1;
	char since[LP_TIME_TEXT];

	put_text(out, f->component);
	fprintf(out, " %s since %s", lp_cause_name(f->cause),
		lp_zone_format(r->zone, f->since_ns, since));
	if (f->lasting)
		fputs(", until the end of the recording", out);
	if (more)
		fprintf(out, ", and %zu more %s", more,
			lp_plural(more, "component", "components"));
}

size_t lp_verdict_compared(const struct lp_plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_groups; i++)
		if (plan->groups[i].kind == LP_PEERS)
			n += plan->groups[i].n;
	return n;
}

/* What nobody looked at may differ, too. */
static void put_faults(const struct lp_verdict_report *r, FILE *out)
{
	if (r->left_out)
		fprintf(out, " (%zu %s left out)", r->left_out,
			lp_plural(r->left_out, "input", "inputs"));
	if (r->read_in_part)
		fprintf(out, " (%zu %s read in part)", r->read_in_part,
			lp_plural(r->read_in_part, "input", "inputs"));
}

void lp_verdict_nagios(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;

	if (d->outcome == LP_OUTCOME_UNDECIDED) {
		fputs("LIMPID UNKNOWN - ", out);
		put_text(out, d->reason);
		put_faults(r, out);
		fputc('\n', out);
		return;
	}
	fputs(d->n_findings ? "LIMPID CRITICAL - "
			    : "LIMPID OK - no component differs from its peers",
	      out);
	if (d->n_findings)
		put_finding(r, out);
	put_faults(r, out);
	fprintf(out,
		" | findings=%zu;;0;0 components=%zu;;0;0 score=%.0f;;;0 "
		"compared=%zu;;;0 left_out=%zu;;;0\n",
		d->n_findings, lp_diagnosis_components(d),
		d->n_findings ? d->findings->score : 0,
		lp_verdict_compared(r->plan), r->left_out);
}

void lp_verdict_nagios_unknown(const char *reason, FILE *out)
{
	fputs("LIMPID UNKNOWN - ", out);
	put_text(out, reason);
	fputc('\n', out);
}
