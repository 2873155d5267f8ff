/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a step of a table must be so that every counter has an increase in
 * it. That is the interval of the samples, unless a program such as pmlogger
 * logs some metrics less often than others: then theirs.
 */
#ifndef LP_SURVEY_CADENCE_H
#define LP_SURVEY_CADENCE_H

#include "survey/roster.h"

/* The first chunk that tells, or what the recorder says, if that is longer. */
void lp_cadence_chunk(struct lp_roster_host *host,
		      const struct lp_chunk *chunk);
void lp_cadence_inventory(struct lp_roster_host *host,
			  const struct lp_inventory *inventory);

#endif
