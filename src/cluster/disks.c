/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of disks: equal labels of the cluster file, else what is alike; of one
 * host, what is known to be alike or has shared its load.
 */
#include "cluster/planner.h"

#include <errno.h>
#include <math.h>
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
		    !lp_class_is_storage(p->roster->items[i].class))
			continue;
		if (lp_planner_serves(p, p->roster->items[i].host)) {
			disks[n++] = disk_of(p, i);
			continue;
		}
		choice->counts = false;
		choice->reason = "its host is not a server";
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

static int add_group(struct lp_planner *p, const struct disk *disks, size_t n,
		     enum lp_peers_by by, const char *ground)
{
	struct lp_draft draft = {
		.class = p->roster->items[disks->item].class,
		.role = disks->role,
		.priority = *disks->priority ? disks->priority : NULL,
		.cohort = *disks->cohort ? disks->cohort : NULL,
		.noun = p->roster->items[disks->item].class->peer_noun,
		.by = by,
		.ground = ground,
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

/* ---- disks of one host ---- */

static bool has_label(const struct lp_roster_item *item, const char *key)
{
	const char *value = lp_labels_get(&item->labels, key);

	return value && *value;
}

/*
 * Disks of one host are peers if somebody says so, or if size and model do;
 * enough hosts with such disks say so, too.
 */
static bool is_sure(const struct lp_planner *p, const struct disk *disks,
		    size_t n)
{
	const struct lp_roster_item *item = &p->roster->items[disks->item];

	return n < LP_GROUP_LEAST || disks->kin == LP_GROUP_NONE ||
	       count_hosts(p, disks, n) > 1 ||
	       (p->cluster && lp_cluster_per_host(p->cluster)) ||
	       (has_label(item, "model") && has_label(item, "size_bytes"));
}

/* Volumes may stand on each other: that they share a load says nothing. */
static bool may_stack(const struct lp_planner *p, const struct disk *disk)
{
	const char *layer = p->roster->items[disk->item].layer;

	return strcmp(layer, "logical") == 0 || strcmp(layer, "array") == 0;
}

static int leave_out(struct lp_planner *p, const struct disk *disk,
		     const char *reason)
{
	p->choices[disk->item].counts = false;
	p->choices[disk->item].reason = reason;
	return reason ? 0 : -ENOMEM;
}

static int refuse(struct lp_planner *p, const struct disk *disks, size_t n,
		  const char *why)
{
	const char *host =
		p->roster->hosts[p->roster->items[disks->item].host].name;
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++)
		status = leave_out(
			p, &disks[i],
			lp_planner_text(p, "its model is not known, and %s",
					why));
	if (status < 0)
		return status;
	return lp_planner_refuse(
		p, LP_REFUSAL_UNLIKE,
		lp_planner_text(p,
				"nothing says that the %zu disks of %s are "
				"peers: their model is not known, and %s. If "
				"they are peers, say so in a cluster file: "
				"peers = \"host\"",
				n, host, why));
}

/* Those of one group by load, or those of none. */
static size_t pick(const struct disk *disks, const uint32_t *group, size_t n,
		   uint32_t number, struct disk *picked)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (group[i] == number)
			picked[count++] = disks[i];
	return count;
}

static int split(struct lp_planner *p, const struct disk *disks, size_t n,
		 const struct lp_likeness *likeness, struct disk *picked)
{
	const char *ground =
		lp_planner_text(p, "load similar %.0f %% of the time",
				floor(100 * likeness->share));
	int status = ground ? 0 : -ENOMEM;
	size_t count;

	for (uint32_t g = 0; g < likeness->n_groups && status == 0; g++) {
		count = pick(disks, likeness->group, n, g, picked);
		status = add_group(p, picked, count, LP_PEERS_LOAD, ground);
	}
	count = pick(disks, likeness->group, n, LP_GROUP_NONE, picked);
	for (size_t i = 0; i < count && status == 0; i++)
		status = leave_out(
			p, &picked[i],
			"its model is not known, and its load differs from "
			"that of the host's other disks");
	return status;
}

static int add_by_load(struct lp_planner *p, const struct disk *disks, size_t n)
{
	lp_auto_free size_t *items = calloc(n, sizeof(*items));
	lp_auto_free uint32_t *group = calloc(n, sizeof(*group));
	lp_auto_free struct disk *picked = calloc(n, sizeof(*picked));
	struct lp_likeness likeness = { .group = group };

	if (!items || !group || !picked)
		return -ENOMEM;
	if (may_stack(p, disks))
		return refuse(p, disks, n,
			      "one volume may be built on another");
	if (!p->matrix)
		return add_group(p, disks, n, LP_PEERS_LOAD,
				 "peers only if their load is similar; 'limpid "
				 "diagnose' checks that");
	for (size_t i = 0; i < n; i++)
		items[i] = disks[i].item;
	if (lp_likeness_find(p, items, n, &likeness) < 0)
		return -ENOMEM;
	if (likeness.n_groups > 0)
		return split(p, disks, n, &likeness, picked);
	return refuse(p, disks, n,
		      likeness.known ? "their load differs"
				     : "their load was not recorded");
}

/* ---- disks of several hosts ---- */

/* So many tell whether a load is shared; more would take long. */
#define SAMPLE 64

/*
 * Hosts whose disks have nothing but a name in common may be a database, a web
 * server and a backup; the servers of a file system mostly share its load. So
 * the verdict says it where they do not. Where a cluster file is given, it says
 * who they are.
 */
static int share_a_load(const struct lp_planner *p, const struct disk *disks,
			size_t n, bool *share)
{
	const struct lp_roster_item *item = &p->roster->items[disks->item];
	size_t stride = (n - 1) / SAMPLE + 1, items[SAMPLE], picked = 0;
	uint32_t group[SAMPLE];
	struct lp_likeness likeness = { .group = group };
	size_t grouped = 0;
	int status;

	*share = true;
	if (n < LP_GROUP_LEAST || p->cluster || !p->matrix ||
	    count_hosts(p, disks, n) == 1 || has_label(item, "model") ||
	    has_label(item, "size_bytes"))
		return 0;
	for (size_t i = 0; i < n; i += stride)
		items[picked++] = disks[i].item;
	status = lp_likeness_find(p, items, picked, &likeness);
	for (size_t i = 0; i < picked && status == 0; i++)
		grouped += group[i] != LP_GROUP_NONE;
	*share = status < 0 || !likeness.judged || 2 * grouped >= picked;
	return status;
}

static int add_peers(struct lp_planner *p, const struct disk *disks, size_t n)
{
	bool share;
	int status;

	if (!is_sure(p, disks, n))
		return add_by_load(p, disks, n);
	status = share_a_load(p, disks, n, &share);
	if (status < 0)
		return status;
	return share ? add_group(p, disks, n, LP_PEERS_STATED, NULL)
		     : add_group(p, disks, n, LP_PEERS_NAMES,
				 "peers only by their names: their load "
				 "differs");
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
		status = add_peers(p, disks + i, end - i);
	}
	return status;
}
