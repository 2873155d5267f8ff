/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cluster file states, as the stages of a plan ask for it.
 */
#include "cluster/cluster_file.h"
#include "cluster/planner.h"

#include <stdlib.h>

bool lp_cluster_lists(const struct lp_cluster *cluster,
		      const struct lp_class *class)
{
	if (class->kin == LP_KIN_DISKS)
		return cluster->lists[LP_ENTRY_DEVICES].count > 0;
	return cluster->lists[LP_ENTRY_INTERFACES].count > 0;
}

bool lp_cluster_has_roles(const struct lp_cluster *cluster)
{
	const struct lp_entries *hosts = &cluster->lists[LP_ENTRY_HOSTS];

	for (size_t i = 0; i < hosts->count; i++)
		if (hosts->items[i].has_role)
			return true;
	return false;
}

bool lp_cluster_has_ports(const struct lp_cluster *cluster)
{
	return cluster->n_ports > 0;
}

bool lp_cluster_per_host(const struct lp_cluster *cluster)
{
	return cluster->per_host;
}

bool lp_cluster_port(const struct lp_cluster *cluster, long port)
{
	for (size_t i = 0; i < cluster->n_ports; i++)
		if (cluster->ports[i] == port)
			return true;
	return false;
}

static void entry_done(struct lp_entry *entry)
{
	lp_patterns_done(&entry->host);
	lp_patterns_done(&entry->name);
	for (size_t i = 0; i < entry->n_matches; i++)
		lp_patterns_done(&entry->matches[i].value);
	free(entry->matches);
	free(entry->labels.items);
}

void lp_cluster_free(struct lp_cluster *cluster)
{
	if (!cluster)
		return;
	for (int i = 0; i < LP_ENTRY_LISTS; i++) {
		for (size_t j = 0; j < cluster->lists[i].count; j++)
			entry_done(&cluster->lists[i].items[j]);
		free(cluster->lists[i].items);
	}
	free(cluster->ports);
	lp_arena_done(&cluster->arena);
	free(cluster);
}
