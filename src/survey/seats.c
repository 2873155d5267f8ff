/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/seats.h"

#include <stdlib.h>
#include <string.h>

struct lp_seats *lp_seating_get(struct lp_seating *seating,
				const char *class_name, size_t room,
				struct lp_arena *arena)
{
	struct lp_seats *seats;
	size_t i = 0;

	while (i < seating->n &&
	       strcmp(seating->seats[i].class_name, class_name) != 0)
		i++;
	if (i == seating->n) {
		const char *kept = lp_arena_string(arena, class_name);

		if (!kept || lp_grow(&seating->seats, &seating->capacity, i + 1,
				     sizeof(*seating->seats)) < 0)
			return NULL;
		seating->seats[seating->n++] =
			(struct lp_seats){ .class_name = kept };
	}
	seats = &seating->seats[i];
	return lp_grow(&seats->items, &seats->capacity, room + 1,
		       sizeof(*seats->items)) < 0
		       ? NULL
		       : seats;
}

void lp_seating_clear(struct lp_seating *seating)
{
	for (size_t i = 0; i < seating->n; i++)
		seating->seats[i].n = 0;
}

void lp_seating_done(struct lp_seating *seating)
{
	for (size_t i = 0; i < seating->n; i++)
		free(seating->seats[i].items);
	free(seating->seats);
	*seating = (struct lp_seating){ 0 };
}
