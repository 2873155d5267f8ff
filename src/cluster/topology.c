/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topology: labels of components, from their inventory or the cluster file,
 * and the names that these give them.
 */
#include "cluster/planner.h"

#include <errno.h>
#include <string.h>

int lp_planner_label(struct lp_planner *p, struct lp_labels *labels,
		     const char *key, const char *value)
{
	struct lp_label *items;

	if (!value)
		return -ENOMEM;
	for (size_t i = 0; i < labels->count; i++)
		if (strcmp(labels->items[i].key, key) == 0) {
			labels->items[i].value = value;
			return 0;
		}
	/* In the plan's arena, like all that the plan keeps. */
	items = lp_arena_alloc(&p->plan->arena,
			       (labels->count + 1) * sizeof(*items));
	key = lp_planner_text(p, "%s", key);
	if (!items || !key)
		return -ENOMEM;
	if (labels->count > 0)
		memcpy(items, labels->items, labels->count * sizeof(*items));
	items[labels->count++] = (struct lp_label){ key, value };
	labels->items = items;
	return 0;
}

/* What an inventory may say of an attachment, as a cluster file would. */
static int take_labels(struct lp_planner *p, const struct lp_labels *from,
		       struct lp_labels *to)
{
	static const char *const keys[] = { "array",    "controller", "lun",
					    "priority", "cohort",     "rack",
					    "switch" };
	int status = 0;

	for (size_t i = 0; i < lp_array_size(keys) && status == 0; i++) {
		const char *value = lp_labels_get(from, keys[i]);

		if (value)
			status = lp_planner_label(p, to, keys[i], value);
	}
	return status;
}

/* A stated attachment counts though it be idle: it may be a lost one. */
static void count_stated(struct lp_planner *p, size_t i)
{
	struct lp_choice *choice = &p->choices[i];
	enum lp_left_out left = p->grouping.left_out[i];

	if (!lp_class_is_storage(p->roster->items[i].class) ||
	    (left != LP_LEFT_NOT && left != LP_LEFT_IDLE) ||
	    (!lp_labels_get(&choice->labels, "priority") &&
	     !lp_labels_get(&choice->labels, "cohort")))
		return;
	choice->counts = true;
	choice->reason = NULL;
}

int lp_plan_topology(struct lp_planner *p)
{
	int status = 0;

	for (uint32_t h = 0; h < p->roster->n_hosts && status == 0; h++)
		status = take_labels(p, &p->roster->hosts[h].labels,
				     &p->plan->hosts[h].labels);
	for (size_t i = 0; i < p->roster->n_items && status == 0; i++) {
		status = take_labels(p, &p->roster->items[i].labels,
				     &p->choices[i].labels);
		if (status == 0)
			count_stated(p, i);
	}
	return status;
}

/* "controller.lun.server"; without a LUN the device's own name. */
static const char *attachment(struct lp_planner *p, size_t i)
{
	const struct lp_roster_item *item = &p->roster->items[i];
	const struct lp_labels *labels = &p->choices[i].labels;
	const char *controller = lp_labels_get(labels, "controller");
	const char *lun = lp_labels_get(labels, "lun");

	if (!controller && !lun)
		return p->choices[i].label;
	return lp_planner_text(p, "%s%s%s.%s", controller ? controller : "",
			       controller ? "." : "", lun ? lun : item->name,
			       p->roster->hosts[item->host].name);
}

int lp_plan_names(struct lp_planner *p)
{
	for (size_t i = 0; i < p->roster->n_items; i++) {
		p->choices[i].label = attachment(p, i);
		if (!p->choices[i].label)
			return -ENOMEM;
	}
	return 0;
}
