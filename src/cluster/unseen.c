/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers of which an inventory was read and no sample: they were down for the
 * whole time (thesis 5.7.1: "missing in its entirety"); and disks without a
 * sample that the cluster file names. Servers that only the cluster file knows
 * are noted in apply.c.
 */
#include "cluster/cluster_file.h"
#include "cluster/planner.h"

#include <errno.h>
#include <string.h>

const struct lp_unseen *lp_plan_unseen_host(const struct lp_plan *plan,
					    const char *host)
{
	for (size_t i = 0; i < plan->n_unseen; i++)
		if (plan->unseen[i].whole &&
		    strcmp(plan->unseen[i].host, host) == 0)
			return &plan->unseen[i];
	return NULL;
}

int lp_planner_unseen(struct lp_planner *p, const struct lp_unseen *unseen)
{
	struct lp_plan *plan = p->plan;

	if (!unseen->label || !unseen->known_by)
		return -ENOMEM;
	for (size_t i = 0; i < plan->n_unseen; i++)
		if (strcmp(plan->unseen[i].label, unseen->label) == 0)
			return 0;
	if (lp_grow(&plan->unseen, &plan->unseen_capacity, plan->n_unseen + 1,
		    sizeof(*plan->unseen)) < 0)
		return -ENOMEM;
	plan->unseen[plan->n_unseen++] = *unseen;
	return 0;
}

static bool same_text(const struct lp_roster_item *a,
		      const struct lp_roster_item *b, const char *key)
{
	const char *x = lp_labels_get(&a->labels, key);
	const char *y = lp_labels_get(&b->labels, key);

	return x && y && strcmp(x, y) == 0;
}

/* Of the topology, or just like a disk that counts. */
static bool is_data_disk(const struct lp_planner *p,
			 const struct lp_roster_item *item)
{
	if (!lp_class_is_storage(item->class))
		return false;
	if (lp_labels_get(&item->labels, "priority") ||
	    lp_labels_get(&item->labels, "cohort"))
		return true;
	for (size_t i = 0; i < p->roster->n_items; i++)
		if (p->choices[i].counts &&
		    lp_class_is_storage(p->roster->items[i].class) &&
		    same_text(item, &p->roster->items[i], "size_bytes") &&
		    same_text(item, &p->roster->items[i], "model"))
			return true;
	return false;
}

/* Without samples, the role is not known by the load. */
static bool may_serve(const struct lp_planner *p, uint32_t host)
{
	if (p->cluster && lp_cluster_has_roles(p->cluster))
		return lp_planner_serves(p, host);
	for (size_t i = 0; i < p->roster->n_items; i++)
		if (p->roster->items[i].host == host &&
		    is_data_disk(p, &p->roster->items[i]))
			return true;
	return false;
}

static bool is_seen(const struct lp_planner *p, uint32_t host)
{
	return p->roster->hosts[host].n_samples > 0;
}

/* Whether its recorder, if it tells of itself, was first heard of later. */
static bool came_later(const struct lp_planner *p, uint32_t host)
{
	const struct lp_survey *r = p->recording;
	bool any = false, later = true;

	for (size_t i = 0; i < r->n_events; i++)
		if (r->events[i].host == host) {
			any = true;
			later &= r->events[i].event.time_ns > r->roster.last_ns;
		}
	return any && later;
}

static int add_silent(struct lp_planner *p, uint32_t host)
{
	const char *name = p->roster->hosts[host].name;
	struct lp_unseen unseen = {
		.label = name,
		.host = name,
		.known_by = "its inventory is in the recordings",
		.whole = true,
		.labels = p->plan->hosts[host].labels,
	};

	/* A recorder that was stopped in order says nothing of the server. */
	if (lp_survey_stopped(p->recording, name, p->roster->last_ns) ||
	    came_later(p, host) || !may_serve(p, host))
		return 0;
	return lp_planner_unseen(p, &unseen);
}

/* A disk that the file names in full, of a server that was recorded. */
static int add_device(struct lp_planner *p, size_t i)
{
	const struct lp_choice *choice = &p->choices[i];
	struct lp_unseen unseen = {
		.label = choice->label,
		.host = p->roster->hosts[p->roster->items[i].host].name,
		.line = choice->unseen_line,
		.labels = choice->labels,
	};

	unseen.known_by = lp_planner_text(
		p, "named in the cluster file, line %u, and in the inventory",
		choice->unseen_line);
	return lp_planner_unseen(p, &unseen);
}

/*
 * Where most servers are unseen, it is the choice of files or of the time: no
 * server is absent then, and a file that names them contradicts the recordings.
 */
static int check_most(struct lp_planner *p, size_t seen, struct lp_error *err)
{
	struct lp_plan *plan = p->plan;
	const struct lp_unseen *named = NULL;
	size_t unseen = 0;

	for (size_t i = 0; i < plan->n_unseen; i++) {
		if (!plan->unseen[i].whole)
			continue;
		unseen++;
		if (!named && plan->unseen[i].line)
			named = &plan->unseen[i];
	}
	if (unseen == 0 || unseen < seen)
		return 0;
	plan->n_unseen = 0;
	if (!named)
		return 0;
	return lp_fail(err, EINVAL,
		       "%s:%u: no host in the recordings matches \"%s\" "
		       "(add optional = true to allow this)",
		       p->cluster->path, named->line, named->label);
}

int lp_plan_unseen(struct lp_planner *p, struct lp_error *err)
{
	size_t seen = 0;
	int status = 0;

	for (uint32_t h = 0; h < p->roster->n_hosts && status == 0; h++) {
		if (!is_seen(p, h))
			status = add_silent(p, h);
		else
			seen += lp_planner_serves(p, h);
	}
	for (size_t i = 0; i < p->roster->n_items && status == 0; i++)
		if (p->choices[i].unseen_line &&
		    is_seen(p, p->roster->items[i].host))
			status = add_device(p, i);
	return status < 0 ? status : check_most(p, seen, err);
}
