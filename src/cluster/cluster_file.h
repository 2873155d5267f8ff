/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster file as it was read; see limpid-cluster(5). For cluster/ only.
 */
#ifndef LP_CLUSTER_CLUSTER_FILE_H
#define LP_CLUSTER_CLUSTER_FILE_H

#include "cluster/cluster.h"
#include "cluster/pattern.h"

/* A label of the inventory that must match. */
struct lp_entry_match {
	const char *key;
	struct lp_patterns value;
};

enum lp_entry_list {
	LP_ENTRY_HOSTS,
	LP_ENTRY_DEVICES,
	LP_ENTRY_INTERFACES,
	LP_ENTRY_GROUPS,
	LP_ENTRY_LISTS,
};

/* One { ... } of a list. */
struct lp_entry {
	unsigned line;
	struct lp_patterns host, name; /* of a group: name holds members */
	struct lp_entry_match *matches;
	size_t n_matches, matches_capacity;
	bool leave_out; /* use = false */
	bool optional;  /* may match nothing */
	enum lp_role role;
	bool has_role;
	const char *title;            /* of a group */
	const struct lp_class *class; /* of a group */
	struct lp_labels labels;      /* to be given; $1 ... in their values */
};

struct lp_entries {
	struct lp_entry *items;
	size_t count, capacity;
};

struct lp_cluster {
	struct lp_arena arena;
	const char *path;
	struct lp_entries lists[LP_ENTRY_LISTS];
	long *ports;
	size_t n_ports, ports_capacity;
	bool per_host; /* peers = "host" */
};

/* The first of its patterns as it was written, for messages. */
const char *lp_entry_first(const struct lp_patterns *patterns);

#endif
