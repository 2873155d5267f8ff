/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seats: which items of a roster the last panel of a class of a host had,
 * series by series. Those of the next panel are mostly the same, so that their
 * names need not be looked up again.
 */
#ifndef LP_SURVEY_SEATS_H
#define LP_SURVEY_SEATS_H

#include "base/memory.h"

#include <stdint.h>

struct lp_seats {
	const char *class_name;
	uint32_t *items;
	size_t n, capacity;
};

/* Those of a host, by class. Zero-initialise. */
struct lp_seating {
	struct lp_seats *seats;
	size_t n, capacity;
};

/* Those of a class, with room for so many items; NULL: no memory. */
struct lp_seats *lp_seating_get(struct lp_seating *seating,
				const char *class_name, size_t room,
				struct lp_arena *arena);
/* Names may have changed hands. */
void lp_seating_clear(struct lp_seating *seating);
void lp_seating_done(struct lp_seating *seating);

#endif
