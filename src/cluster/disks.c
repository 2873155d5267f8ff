/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of disks: equal labels of the cluster file, else what is alike.
 */
#include "cluster/planner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One disk, and what its group goes by. */
struct disk {
	size_t item;
	enum lp_role role;
	uint32_t kin;
	const char *priority, *cohort;
	const char *name; /* "", unless namesakes are compared */
	uint32_t host;    /* 0, unless hosts are not compared */
};

static const char *label(const struct lp_choice *choice, const char *key)
{
	const char *value = lp_labels_get(&choice->labels, key);

	return value ? value : "";
}

static int compare_groups(const struct disk *x, const struct disk *y)
{
	int order = (x->role > y->role) - (x->role < y->role);

	if (order == 0)
		order = (x->kin > y->kin) - (x->kin < y->kin);
	if (order == 0)
		order = strcmp(x->priority, y->priority);
	if (order == 0)
		order = strcmp(x->cohort, y->cohort);
	if (order == 0)
		order = (x->host > y->host) - (x->host < y->host);
	return order ? order : strverscmp(x->name, y->name);
}

static int compare(const void *a, const void *b)
{
	const struct disk *x = a, *y = b;
	int order = compare_groups(x, y);

	return order ? order : (x->item > y->item) - (x->item < y->item);
}

static struct disk disk_of(const struct lp_planner *p, size_t i)
{
	const struct lp_choice *choice = &p->choices[i];
	struct disk disk = {
		.item = i,
		.role = lp_planner_role(p, p->roster->items[i].host),
		.kin = p->grouping.kin_of[i],
		.priority = label(choice, "priority"),
		.cohort = label(choice, "cohort"),
		.name = "",
	};

	if (p->cluster && lp_cluster_per_host(p->cluster))
		disk.host = p->roster->items[i].host;
	/* Where the file tells who is alike, sizes do not. */
	if (*disk.priority || *disk.cohort)
		disk.kin = LP_GROUP_NONE;
	return disk;
}

static size_t gather(const struct lp_planner *p, struct disk *disks)
{
	size_t n = 0;

	for (size_t i = 0; i < p->roster->n_items; i++) {
		struct lp_choice *choice = &p->choices[i];

		if (!choice->counts || choice->grouped ||
		    p->roster->items[i].class != &lp_class_disk)
			continue;
		if (lp_planner_serves(p, p->roster->items[i].host)) {
			disks[n++] = disk_of(p, i);
			continue;
		}
		choice->counts = false;
		choice->reason = "its host is no server";
	}
	return n;
}

/* ---- one or two disks a host ---- */

static const char *name_of(const struct lp_planner *p, const struct disk *disk)
{
	return p->roster->items[disk->item].name;
}

static size_t count_hosts(const struct lp_planner *p, const struct disk *disks,
			  size_t n)
{
	size_t hosts = 0;

	/* By item, thus by host. */
	for (size_t i = 0; i < n; i++)
		hosts += i == 0 ||
			 p->roster->items[disks[i].item].host !=
				 p->roster->items[disks[i - 1].item].host;
	return hosts;
}

/* Whether each name is found on three hosts at least. */
static bool names_recur(const struct lp_planner *p, const struct disk *disks,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;

		for (size_t j = 0; j < n && same < LP_GROUP_LEAST; j++)
			same += strcmp(name_of(p, &disks[i]),
				       name_of(p, &disks[j])) == 0;
		if (same < LP_GROUP_LEAST)
			return false;
	}
	return true;
}

/*
 * Two disks of a host that look alike may serve different ends (journal and
 * data): those of the same name are compared then, if nothing but the names
 * is known of them.
 */
static void set_names(const struct lp_planner *p, struct disk *disks, size_t n)
{
	size_t hosts = count_hosts(p, disks, n);
	uint32_t kin = disks->kin;

	if (hosts < LP_GROUP_LEAST || n <= hosts || n >= 3 * hosts ||
	    kin == LP_GROUP_NONE || *p->grouping.groups[kin].what ||
	    !names_recur(p, disks, n))
		return;
	for (size_t i = 0; i < n; i++)
		disks[i].name = name_of(p, &disks[i]);
}

/* ---- groups ---- */

static size_t end_of(const struct disk *disks, size_t first, size_t n)
{
	size_t end = first;

	while (end < n && compare_groups(&disks[first], &disks[end]) == 0)
		end++;
	return end;
}

/* "12 TB, ST12000NM0127", or the name that all have. */
static const char *describe(const struct lp_planner *p, const struct disk *disk)
{
	if (*disk->name || disk->kin == LP_GROUP_NONE)
		return disk->name;
	return p->grouping.groups[disk->kin].what;
}

static int add_group(struct lp_planner *p, const struct disk *disks, size_t n)
{
	struct lp_draft draft = {
		.class = &lp_class_disk,
		.role = disks->role,
		.priority = *disks->priority ? disks->priority : NULL,
		.cohort = *disks->cohort ? disks->cohort : NULL,
		.noun = "disk",
	};
	int status = 0;

	draft.detail = lp_planner_text(p, "%s", describe(p, disks));
	if (!draft.detail)
		status = -ENOMEM;
	for (size_t i = 0; i < n && status == 0; i++)
		status = lp_draft_add(&draft, p, disks[i].item);
	if (status == 0)
		status = lp_planner_close(p, &draft, NULL);
	lp_draft_done(&draft);
	return status;
}

int lp_plan_disks(struct lp_planner *p)
{
	lp_auto_free struct disk *disks =
		calloc(p->roster->n_items + 1, sizeof(*disks));
	size_t n;
	int status = 0;

	if (!disks)
		return -ENOMEM;
	n = gather(p, disks);
	qsort(disks, n, sizeof(*disks), compare);
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of(disks, i, n);
		set_names(p, disks + i, end - i);
	}
	qsort(disks, n, sizeof(*disks), compare);
	for (size_t i = 0, end; i < n && status == 0; i = end) {
		end = end_of(disks, i, n);
		status = add_group(p, disks + i, end - i);
	}
	return status;
}
