/* SPDX-License-Identifier: Apache-2.0 */
#include "model/finding.h"

#include <string.h>

static const char *const outcomes[LP_OUTCOMES] = {
	[LP_OUTCOME_NONE] = "none",
	[LP_OUTCOME_FAULT] = "fault",
	[LP_OUTCOME_UNDECIDED] = "undecided",
};

bool lp_finding_is_of(const struct lp_finding *f, const char *component)
{
	if (strcmp(component, f->component) == 0)
		return true;
	for (size_t i = 0; i < f->n_parts; i++)
		if (strcmp(component, f->parts[i]) == 0)
			return true;
	return false;
}

const char *lp_finding_text(const struct lp_finding *f)
{
	const struct lp_evidence *e = f->evidence;

	if (f->known_by)
		return f->n_evidence
			       ? "no sample of it is in the recordings, and "
				 "its load is on other attachments of the same "
				 "LUNs"
			       : "no sample of it is in the recordings";
	if (f->cause == LP_CAUSE_ABSENT && f->n_evidence) {
		if (lp_evidence_is(e, LP_EVIDENCE_IDLENESS))
			return "It does no work while its peers do";
		if (lp_evidence_is(e, LP_EVIDENCE_MOVED))
			return "Its work goes through another path to the same "
			       "LUN";
	}
	return lp_cause_text(f->cause);
}

const char *lp_outcome_name(enum lp_outcome outcome)
{
	return outcomes[outcome];
}
