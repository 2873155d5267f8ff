/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/step.h"

#include "detect/reach.h"

#include <stdio.h>

static const struct lp_roster_host *coarsest(const struct lp_roster *roster)
{
	const struct lp_roster_host *most = NULL;

	for (size_t i = 0; i < roster->n_hosts; i++)
		if (!most || roster->hosts[i].interval_ns > most->interval_ns)
			most = &roster->hosts[i];
	return most;
}

/* The shortest known interval; hosts with a single sample have none. */
static int64_t finest_interval(const struct lp_roster *roster)
{
	int64_t finest = 0;

	for (size_t i = 0; i < roster->n_hosts; i++) {
		int64_t interval = roster->hosts[i].interval_ns;

		if (interval > 0 && (finest == 0 || interval < finest))
			finest = interval;
	}
	return finest;
}

int64_t lp_step_choose(const struct lp_survey *survey,
		       const struct lp_detector *detector, int64_t wanted_ns,
		       char note[LP_STEP_NOTE])
{
	const struct lp_roster_host *host = coarsest(&survey->roster);
	int64_t interval = host ? host->interval_ns : 0;
	int64_t finest, step;
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT], c[LP_TIME_TEXT];

	note[0] = '\0';
	if (interval <= 0)
		return 0;
	step = wanted_ns > 0 ? (wanted_ns + interval - 1) / interval * interval
			     : lp_step_default(
				       detector, interval,
				       lp_roster_recorded_ns(&survey->roster));
	finest = finest_interval(&survey->roster);
	lp_duration_format(step, a);
	lp_duration_format(interval, b);
	if (finest < interval)
		snprintf(note, LP_STEP_NOTE,
			 "%s was recorded every %s, others every %s: all are "
			 "compared in steps of %s",
			 host->name, b, lp_duration_format(finest, c), a);
	else if (wanted_ns > 0 && step != wanted_ns)
		snprintf(note, LP_STEP_NOTE,
			 "the step is %s, the next multiple of the recordings' "
			 "interval of %s",
			 a, b);
	return step;
}
