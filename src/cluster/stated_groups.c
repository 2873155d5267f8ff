/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of peers that the cluster file states: the list `groups`.
 */
#include "base/number.h"
#include "cluster/cluster_file.h"
#include "cluster/planner.h"

#include <errno.h>

static int gather(struct lp_planner *p, const struct lp_entry *entry,
		  struct lp_draft *draft)
{
	for (size_t i = 0; i < p->roster->n_items; i++) {
		struct lp_choice *choice = &p->choices[i];

		if (p->roster->items[i].class != entry->class ||
		    p->roster->items[i].n_samples == 0 || choice->grouped ||
		    !lp_patterns_match(&entry->name, choice->label, NULL))
			continue;
		choice->grouped = choice->counts = true;
		if (lp_draft_add(draft, p, i) < 0)
			return -ENOMEM;
		draft->role = lp_planner_role(p, p->roster->items[i].host);
	}
	return 0;
}

static int add_group(struct lp_planner *p, const struct lp_entry *entry,
		     struct lp_error *err)
{
	struct lp_draft draft = { .class = entry->class };
	const char *title =
		entry->title ? entry->title : lp_entry_first(&entry->name);
	int status = gather(p, entry, &draft);
	size_t n = draft.n;
	bool added = false;

	draft.name = lp_planner_text(p, "%s", title);
	if (status == 0)
		status = draft.name ? lp_planner_close(p, &draft, &added)
				    : -ENOMEM;
	lp_draft_done(&draft);
	if (status < 0)
		return lp_fail_memory(err);
	if (added)
		return 0;
	return lp_fail(
		err, EINVAL,
		"%s:%u: the group \"%s\" has %zu %s in the recordings, but %s",
		p->cluster->path, entry->line, title, n,
		lp_plural(n, "member", "members"),
		n >= LP_GROUP_LEAST
			? "no three of them were recorded at the same time"
			: "at least three are needed");
}

int lp_cluster_groups(struct lp_planner *p, struct lp_error *err)
{
	const struct lp_entries *groups = &p->cluster->lists[LP_ENTRY_GROUPS];
	int status = 0;

	for (size_t i = 0; i < groups->count && status == 0; i++)
		status = add_group(p, &groups->items[i], err);
	return status;
}
