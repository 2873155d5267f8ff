/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a roster notes of a component in a chunk: that it was there, and
 * whether it moved. Of 10,000 components over a day that is a long look, so
 * columns without gaps are taken in one piece.
 */
#ifndef LP_SURVEY_SIGHTING_H
#define LP_SURVEY_SIGHTING_H

#include "survey/roster.h"

/* A chunk, and the span of its samples. */
struct lp_sighting {
	const struct lp_chunk *chunk;
	int64_t first_ns, last_ns;
};

struct lp_sighting lp_sighting_of(const struct lp_chunk *chunk);
/* 0 or -ENOMEM. */
int lp_sighting_note(const struct lp_sighting *sighting,
		     const struct lp_panel *panel,
		     const struct lp_series *series,
		     struct lp_roster_item *item);

#endif
