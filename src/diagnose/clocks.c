/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosts whose clocks nobody keeps right: their samples may be compared with
 * those of another moment.
 */
#include "diagnose/conclude.h"

#include <stdio.h>
#include <string.h>

#define NAMES_SHOWN 6

/* Hosts of one boot, as containers are, have one clock. */
static bool shares_clock(const struct lp_roster_host *a,
			 const struct lp_roster_host *b)
{
	const char *boot_a = lp_labels_get(&a->labels, "boot_id");
	const char *boot_b = lp_labels_get(&b->labels, "boot_id");

	return boot_a && boot_b && strcmp(boot_a, boot_b) == 0;
}

static bool has_own_clock(const struct lp_roster *roster,
			  const struct lp_roster_host *host)
{
	size_t i = 0;

	while (i < roster->n_hosts && (&roster->hosts[i] == host ||
				       shares_clock(&roster->hosts[i], host)))
		i++;
	return i < roster->n_hosts;
}

/* At least part of the time. */
static bool was_unkept(const struct lp_survey *recording, const char *host)
{
	for (size_t i = 0; i < recording->n_events; i++) {
		const struct lp_event *e = &recording->events[i].event;

		if (lp_event_is(e, "synchronised", "no") &&
		    strcmp(e->host, host) == 0)
			return true;
	}
	return false;
}

int lp_diagnosis_note_clocks(struct lp_diagnosis *d,
			     const struct lp_survey *recording)
{
	char names[400] = "", text[700];
	size_t used = 0, n = 0;

	for (size_t i = 0; recording && i < recording->roster.n_hosts; i++) {
		const struct lp_roster_host *host = &recording->roster.hosts[i];

		if (!was_unkept(recording, host->name) ||
		    !has_own_clock(&recording->roster, host))
			continue;
		if (n++ < NAMES_SHOWN)
			used += (size_t)snprintf(
				names + used, sizeof(names) - used, "%s%.60s",
				n > 1 ? ", " : "", host->name);
	}
	if (n == 0)
		return 0;
	snprintf(text, sizeof(text),
		 "nothing kept the clock of %s%s right, at least part of the "
		 "time. If it is wrong by more than a few seconds, these "
		 "samples were compared with those of another moment. "
		 "'chronyc tracking' tells more",
		 names, n > NAMES_SHOWN ? " and others" : "");
	return lp_diagnosis_note(d, text);
}
