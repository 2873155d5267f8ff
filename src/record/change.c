/* SPDX-License-Identifier: Apache-2.0 */
#include "record/change.h"

/* The sample with which the series came last. */
static size_t came(const struct lp_panel *panel, const struct lp_series *series,
		   size_t n)
{
	while (n > 0 && !lp_series_has(panel, series, n - 1))
		n--;
	while (n > 0 && lp_series_has(panel, series, n - 1))
		n--;
	return n;
}

size_t lp_change_find(const struct lp_chunk *chunk,
		      const struct lp_inventory *inventory)
{
	size_t latest = 0;

	for (size_t p = 0; p < chunk->n_panels; p++) {
		const struct lp_panel *panel = &chunk->panels[p];

		for (size_t s = 0; s < panel->n_series; s++) {
			const struct lp_series *series = &panel->series[s];
			size_t at = came(panel, series, chunk->n_samples);

			if (at > latest &&
			    lp_inventory_find(inventory, panel->class_name,
					      series->name))
				latest = at;
		}
	}
	return latest;
}
