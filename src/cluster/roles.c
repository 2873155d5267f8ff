/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who serves: hosts with a device of the file system, unless the cluster file
 * says otherwise. Hosts that share a layout are compared.
 */
#include "cluster/planner.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_data_disk(const struct lp_planner *p, size_t i)
{
	return p->choices[i].counts &&
	       lp_kin_of(&p->roster->items[i]) == LP_KIN_DISKS;
}

/* The kind that most of the host's disks are of; ties: the first. */
static void find_layouts(struct lp_planner *p)
{
	size_t i = 0;

	while (i < p->roster->n_items) {
		uint32_t host = p->roster->items[i].host;
		size_t first = i, most = 0;

		while (i < p->roster->n_items &&
		       p->roster->items[i].host == host)
			i++;
		for (size_t j = first; j < i; j++) {
			uint32_t kin = p->grouping.kin_of[j];
			size_t n = 0;

			if (!is_data_disk(p, j))
				continue;
			for (size_t k = first; k < i; k++)
				n += is_data_disk(p, k) &&
				     p->grouping.kin_of[k] == kin;
			if (n > most)
				p->layout[host] = kin;
			most = n > most ? n : most;
		}
	}
}

static bool any_disk(const struct lp_planner *p)
{
	for (size_t i = 0; i < p->roster->n_items; i++)
		if (is_data_disk(p, i))
			return true;
	return false;
}

static void mark_servers(struct lp_planner *p)
{
	/* Of a host without samples nothing is known. */
	for (size_t i = 0; i < p->plan->n_hosts; i++)
		if (p->roster->hosts[i].n_samples > 0)
			p->plan->hosts[i].role = LP_ROLE_CLIENT;
	for (size_t i = 0; i < p->roster->n_items; i++)
		if (is_data_disk(p, i))
			p->plan->hosts[p->roster->items[i].host].role =
				LP_ROLE_SERVER;
}

static int note_roles(struct lp_planner *p)
{
	size_t servers = 0, clients = 0;

	for (size_t i = 0; i < p->plan->n_hosts; i++) {
		servers += p->plan->hosts[i].role == LP_ROLE_SERVER;
		clients += p->plan->hosts[i].role == LP_ROLE_CLIENT;
	}
	if (clients == 0)
		return 0;
	return lp_planner_note(p,
			       "servers: %zu %s with disks of the file system; "
			       "clients: %zu %s without",
			       servers, lp_plural(servers, "host", "hosts"),
			       clients, lp_plural(clients, "host", "hosts"));
}

/* In a time without samples nothing is compared. */
static bool any_samples(const struct lp_planner *p)
{
	for (size_t i = 0; i < p->roster->n_hosts; i++)
		if (p->roster->hosts[i].n_samples > 0)
			return p->roster->n_items > 0;
	return false;
}

int lp_plan_roles(struct lp_planner *p)
{
	find_layouts(p);
	if (p->cluster && lp_cluster_has_roles(p->cluster))
		return 0;
	if (!any_disk(p))
		return any_samples(p)
			       ? lp_planner_note(p,
						 "no device of a file system "
						 "was recorded: all hosts are "
						 "compared")
			       : 0;
	mark_servers(p);
	return note_roles(p);
}
