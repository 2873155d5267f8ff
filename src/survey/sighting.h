/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a roster notes of a component in a chunk: that it was there, and
 * whether it moved. Of 10,000 components over a day that is a long look, so
 * columns without gaps are taken in one piece.
 */
#ifndef LP_SURVEY_SIGHTING_H
#define LP_SURVEY_SIGHTING_H

#include "survey/roster.h"

/* What the catalogue says of a column of a panel. */
struct lp_sighting_column {
	int index;    /* in the class; -1: not in it */
	bool counts;  /* see lp_delta_counts */
	double bytes; /* that it moves for each one; 0: it tells nothing */
};

/* A chunk, the span of its samples, and the panel that is looked at. */
struct lp_sighting {
	const struct lp_chunk *chunk;
	int64_t first_ns, last_ns;
	const struct lp_panel *panel;
	struct lp_sighting_column *columns; /* of the panel */
	size_t capacity;
};

struct lp_sighting lp_sighting_of(const struct lp_chunk *chunk);
/* Turn to this panel. 0 or -ENOMEM. */
int lp_sighting_panel(struct lp_sighting *sighting,
		      const struct lp_panel *panel);
/* Note a series of the panel. 0 or -ENOMEM. */
int lp_sighting_note(const struct lp_sighting *sighting,
		     const struct lp_series *series,
		     struct lp_roster_item *item);
void lp_sighting_done(struct lp_sighting *sighting);

#endif
