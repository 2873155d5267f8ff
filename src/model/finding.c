/* SPDX-License-Identifier: Apache-2.0 */
#include "model/finding.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name, *title, *text;
} causes[LP_CAUSES] = {
	[LP_CAUSE_UNKNOWN] = { "unknown", "unknown cause",
			       "It differs from its peers in a way that fits "
			       "no "
			       "known cause" },
	[LP_CAUSE_DISK_HOG] = { "disk-hog", "extra load on a disk",
				"This disk moves more data than its peers: "
				"something else uses it, too" },
	[LP_CAUSE_DISK_BUSY] = { "disk-busy", "slow disk",
				 "Each request takes longer than on its "
				 "peers" },
	[LP_CAUSE_NETWORK_HOG] = { "network-hog", "extra load on a link",
				   "This interface moves more data than its "
				   "peers: something else uses it, too" },
	[LP_CAUSE_PACKET_LOSS] = { "packet-loss", "packet loss",
				   "Its TCP connections lose packets" },
	[LP_CAUSE_ABSENT] = { "absent", "absent",
			      "It has no samples while its peers have" },
};

static const char *const outcomes[LP_OUTCOMES] = {
	[LP_OUTCOME_NONE] = "none",
	[LP_OUTCOME_FAULT] = "fault",
	[LP_OUTCOME_UNDECIDED] = "undecided",
};

const char *lp_cause_name(enum lp_cause cause)
{
	return causes[cause].name;
}

const char *lp_cause_title(enum lp_cause cause)
{
	return causes[cause].title;
}

const char *lp_cause_text(enum lp_cause cause)
{
	return causes[cause].text;
}

static bool is_of_it(const struct lp_finding *f, const char *component)
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
	if (f->cause != LP_CAUSE_ABSENT || f->n_evidence == 0 ||
	    isnan(e->value))
		return lp_cause_text(f->cause);
	return is_of_it(f, e->component)
		       ? "It does no work while its peers do"
		       : "Its work goes through another path to the same LUN";
}

enum lp_cause lp_cause_find(const char *name)
{
	enum lp_cause cause = 0;

	while (cause < LP_CAUSES && strcmp(causes[cause].name, name) != 0)
		cause++;
	return cause;
}

const char *lp_outcome_name(enum lp_outcome outcome)
{
	return outcomes[outcome];
}
