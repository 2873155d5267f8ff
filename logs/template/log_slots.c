/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/template/log_slots.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST 1024

/* Twice as many once two thirds are used. */
int lp_log_slots_reserve(struct lp_log_slots *slots)
{
	struct lp_log_slots wide = { .n = slots->n ? 2 * slots->n : FIRST,
				     .used = slots->used };

	if (slots->n && slots->used < slots->n / 3 * 2)
		return 0;
	wide.all = calloc(wide.n, sizeof(*wide.all));
	if (!wide.all)
		return -ENOMEM;
	for (size_t i = 0; i < slots->n; i++)
		if (slots->all[i].hash)
			*lp_log_slots_find(&wide, slots->all[i].hash) =
				slots->all[i];
	free(slots->all);
	*slots = wide;
	return 0;
}
