/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server's own components: all that are compared with those of other servers,
 * whatever their group. A workload of the server itself uses them all,
 * whichever server they are meant for (thesis 6.2.3); with few LUNs an array,
 * one of each priority is all that a server has in one group.
 */
#include "cluster/planner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct own {
	struct lp_planner *p;
	const struct lp_class *class;
	size_t n_groups;         /* those of peers */
	struct lp_draft *drafts; /* [hosts] */
	size_t *numbers;         /* [hosts]: of the group, or LP_NO_GROUP */
};

static bool spans_hosts(const struct lp_peer_group *g)
{
	for (size_t i = 1; i < g->n; i++)
		if (strcmp(g->peers[i].host, g->peers[0].host) != 0)
			return true;
	return false;
}

static bool takes_part(const struct own *o, size_t group)
{
	const struct lp_peer_group *g = &o->p->plan->groups[group];

	return g->class == o->class && g->kind == LP_PEERS &&
	       g->sockets == LP_SOCKETS_NONE && spans_hosts(g);
}

static uint32_t host_of(const struct own *o, const struct lp_peer *peer)
{
	return o->p->roster->items[peer->item].host;
}

static int gather(struct own *o)
{
	int status = 0;

	for (size_t g = 0; g < o->n_groups; g++) {
		const struct lp_peer_group *group = &o->p->plan->groups[g];

		if (!takes_part(o, g))
			continue;
		for (size_t i = 0; i < group->n && status == 0; i++) {
			struct lp_draft *d =
				&o->drafts[host_of(o, &group->peers[i])];

			d->class = group->class;
			d->role = group->role;
			status = lp_draft_add(d, o->p, group->peers[i].item);
		}
	}
	return status;
}

static int add_groups(struct own *o)
{
	int status = 0;

	for (size_t h = 0; h < o->p->roster->n_hosts && status == 0; h++) {
		struct lp_draft *d = &o->drafts[h];

		o->numbers[h] = LP_NO_GROUP;
		if (d->n < LP_GROUP_LEAST)
			continue;
		o->numbers[h] = o->p->plan->n_groups;
		d->name = lp_planner_text(o->p, "%s, compared with each other",
					  o->p->roster->hosts[h].name);
		status = d->name ? lp_planner_add(o->p, d, LP_PEERS_OWN)
				 : -ENOMEM;
	}
	return status;
}

static void point_to_them(struct own *o)
{
	for (size_t g = 0; g < o->n_groups; g++) {
		struct lp_peer_group *group = &o->p->plan->groups[g];

		if (!takes_part(o, g))
			continue;
		for (size_t i = 0; i < group->n; i++)
			group->peers[i].own =
				o->numbers[host_of(o, &group->peers[i])];
	}
}

static int plan_class(struct lp_planner *p, const struct lp_class *class,
		      size_t n_groups)
{
	size_t hosts = p->roster->n_hosts;
	struct own o = {
		.p = p,
		.class = class,
		.n_groups = n_groups,
		.drafts = calloc(hosts + 1, sizeof(*o.drafts)),
		.numbers = calloc(hosts + 1, sizeof(*o.numbers)),
	};
	int status = o.drafts && o.numbers ? gather(&o) : -ENOMEM;

	if (status == 0)
		status = add_groups(&o);
	if (status == 0)
		point_to_them(&o);
	for (size_t h = 0; o.drafts && h < hosts; h++)
		lp_draft_done(&o.drafts[h]);
	free(o.drafts);
	free(o.numbers);
	return status;
}

int lp_plan_own(struct lp_planner *p)
{
	size_t n_groups = p->plan->n_groups;
	int status = 0;

	for (size_t i = 0; lp_classes[i] && status == 0; i++)
		if (lp_class_is_compared(lp_classes[i]) &&
		    !lp_classes[i]->pooled)
			status = plan_class(p, lp_classes[i], n_groups);
	return status;
}
