/* SPDX-License-Identifier: Apache-2.0 */
#include "model/finding.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name, *text;
} causes[LP_CAUSES] = {
	[LP_CAUSE_UNKNOWN] = { "unknown", "it differs from its peers" },
	[LP_CAUSE_DISK_HOG] = { "disk-hog",
				"something loads this disk beside the load it "
				"shares with its peers" },
	[LP_CAUSE_DISK_BUSY] = { "disk-busy",
				 "requests take longer than on its peers" },
	[LP_CAUSE_NETWORK_HOG] = { "network-hog",
				   "something loads this network interface "
				   "beside the load it shares with its peers" },
	[LP_CAUSE_PACKET_LOSS] = { "packet-loss",
				   "its connections lose packets" },
	[LP_CAUSE_ABSENT] = { "absent", "it is gone while its peers go on" },
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

	if (f->cause != LP_CAUSE_ABSENT || f->n_evidence == 0 ||
	    isnan(e->value))
		return lp_cause_text(f->cause);
	return is_of_it(f, e->component)
		       ? "it does nothing while its peers work"
		       : "its load is on another attachment of the same LUN";
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
