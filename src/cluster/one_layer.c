/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of devices that stand on each other, one counts, whatever patterns of the
 * cluster file match: an I/O must not be counted twice.
 */
#include "cluster/planner.h"

#include <string.h>

static bool names_parent(const struct lp_roster_item *above,
			 const struct lp_roster_item *below)
{
	const char *parents = lp_labels_get(&above->labels, "parents");
	size_t n = strlen(below->name), parent = 0;

	if (!parents) {
		lp_layer_guess(above->class, above->name, &parent);
		return parent == n && strncmp(above->name, below->name, n) == 0;
	}
	return lp_label_lists(parents, below->name);
}

/*
 * "sd*" is meant for disks, though it matches their partitions, too: what
 * stands on a device that counts does not. Of a multipath disk and its paths,
 * the disk counts.
 */
static bool is_covered(const struct lp_planner *p, size_t i)
{
	const struct lp_roster_item *item = &p->roster->items[i];
	bool path = strcmp(item->layer, "path") == 0;

	for (size_t j = 0; j < p->roster->n_items; j++) {
		const struct lp_roster_item *other = &p->roster->items[j];

		if (j == i || other->host != item->host ||
		    other->class != item->class || !p->choices[j].counts)
			continue;
		if (path ? names_parent(other, item)
			 : strcmp(other->layer, "path") != 0 &&
				    names_parent(item, other))
			return true;
	}
	return false;
}

/* Whether a disk of its host counts, on which it may stand. */
static bool has_disk(const struct lp_planner *p, size_t i)
{
	const struct lp_roster_item *item = &p->roster->items[i];

	for (size_t j = 0; j < p->roster->n_items; j++) {
		const struct lp_roster_item *other = &p->roster->items[j];

		if (other->host == item->host && other->class == item->class &&
		    p->choices[j].counts && !lp_left_out_is_loop(other) &&
		    strcmp(other->layer, "disk") == 0)
			return true;
	}
	return false;
}

void lp_planner_one_layer(struct lp_planner *p)
{
	for (size_t i = 0; i < p->roster->n_items; i++) {
		enum lp_left_out left = p->grouping.left_out[i];

		if (p->choices[i].stated && p->choices[i].counts &&
		    (((left == LP_LEFT_PARTITION || left == LP_LEFT_PATH ||
		       left == LP_LEFT_MADE_OF) &&
		      is_covered(p, i)) ||
		     (left == LP_LEFT_STACKED && has_disk(p, i))))
			p->choices[i].counts = false;
	}
}
