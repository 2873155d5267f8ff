/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan in the making: what the files of cluster/ share.
 */
#ifndef LP_CLUSTER_PLANNER_H
#define LP_CLUSTER_PLANNER_H

#include "cluster/cluster.h"
#include "cluster/groups.h"

/* What is known and decided of one item of the roster. */
struct lp_choice {
	const char *label;       /* shown */
	const char *reason;      /* left out; NULL: it counts */
	bool counts;             /* it is one of the file system's */
	bool stated;             /* the cluster file says so */
	bool grouped;            /* in a group that the file names */
	unsigned unseen_line;    /* of the file that names it, though it has no
				    samples; 0: none */
	struct lp_labels labels; /* topology, of the file */
};

struct lp_planner {
	const struct lp_cluster *cluster; /* NULL: none */
	const struct lp_survey *recording;
	const struct lp_roster *roster;
	const struct lp_matrix *matrix; /* NULL: none */
	struct lp_plan *plan;
	struct lp_grouping grouping; /* what is alike */
	struct lp_choice *choices;   /* [roster->n_items] */
	size_t *components;          /* [roster->n_items] of the matrix, or
					LP_NO_COMPONENT */
	uint32_t *layout;            /* [hosts]: the group of most of its disks,
					or LP_GROUP_NONE */
};

/* bind.c: fill components, [roster->n_items]. matrix NULL: none. */
int lp_find_components(const struct lp_roster *roster,
		       const struct lp_matrix *matrix, size_t *components);
/* Its parts, of what its items are. */
void lp_peer_bind(struct lp_peer *peer, const size_t *components);

/* A peer of a group that is being put together. */
struct lp_draft_peer {
	const char *label;
	uint32_t host;
	size_t *items; /* of the roster */
	size_t n_items, capacity;
	const struct lp_labels *labels;
};

/* Zero-initialise; lp_draft_done frees. */
struct lp_draft {
	const struct lp_class *class;
	enum lp_sockets sockets;
	enum lp_role role;
	const char *name;              /* NULL: made from the next two */
	const char *noun;              /* "disk", "data interface" */
	const char *detail;            /* "12 TB", or "" */
	const char *priority, *cohort; /* NULL: "" */
	enum lp_peers_by by;
	const char *ground; /* NULL: "" */
	struct lp_draft_peer *peers;
	size_t n, capacity;
};

void lp_draft_done(struct lp_draft *draft);
/* A peer of one item, with the item's label. 0 or -ENOMEM. */
int lp_draft_add(struct lp_draft *draft, const struct lp_planner *planner,
		 size_t item);
/* A peer without items. NULL: out of memory. */
struct lp_draft_peer *lp_draft_peer(struct lp_draft *draft, const char *label,
				    uint32_t host);
/* One more item for a peer. 0 or -ENOMEM. */
int lp_draft_part(struct lp_draft_peer *peer, size_t item);

/*
 * Make the draft a group of the plan; peers that were recorded at another time
 * than most, and groups of fewer than three, are left out and noted. *added
 * (may be NULL) says whether it was. 0 or -ENOMEM.
 */
int lp_planner_close(struct lp_planner *planner, struct lp_draft *draft,
		     bool *added);

/* The draft as it is. 0 or -ENOMEM. */
int lp_planner_add(struct lp_planner *planner, const struct lp_draft *draft,
		   enum lp_peers kind);

/* Why nothing can be compared; the first refusal counts. 0 or -ENOMEM. */
int lp_planner_refuse(struct lp_planner *planner, enum lp_refusal refusal,
		      const char *text);

/* Notes and reasons. 0 or -ENOMEM. */
int lp_planner_note(struct lp_planner *planner, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A text in the plan's arena, or NULL. */
const char *lp_planner_text(struct lp_planner *planner, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Set a label; the value is the plan's or the recording's. 0 or -ENOMEM. */
int lp_planner_label(struct lp_planner *planner, struct lp_labels *labels,
		     const char *key, const char *value);

/* The role of a host of the roster. */
enum lp_role lp_planner_role(const struct lp_planner *planner, uint32_t host);
/* Whether the host takes part in comparisons of this role, or of any. */
bool lp_planner_is(const struct lp_planner *planner, uint32_t host,
		   enum lp_role role);
bool lp_planner_serves(const struct lp_planner *planner, uint32_t host);

/* ---- the stages, in their order; 0 or -errno ---- */

/* choose.c: tell the file system's devices from others, without a file. */
int lp_plan_choose_disks(struct lp_planner *planner);
/* topology.c: labels of the inventory; names once all labels are known. */
int lp_plan_topology(struct lp_planner *planner);
int lp_plan_names(struct lp_planner *planner);
/* roles.c: hosts with such devices are servers. */
int lp_plan_roles(struct lp_planner *planner);
/* unseen.c: what inventories or the file know, and nobody saw. */
int lp_plan_unseen(struct lp_planner *planner, struct lp_error *err);
/* disks.c, interfaces.c, sockets.c: the groups. */
int lp_plan_disks(struct lp_planner *planner);
int lp_plan_interfaces(struct lp_planner *planner);
int lp_plan_sockets(struct lp_planner *planner);
/* own.c: each server's components beside each other, of all these groups. */
int lp_plan_own(struct lp_planner *planner);

/* likeness.c: disks that share a load. */
struct lp_likeness {
	uint32_t *group; /* [n], the caller's: number, or LP_GROUP_NONE */
	size_t n_groups;
	double share; /* the least of the time in which two of a group were
			 alike */
	bool known;   /* false: nothing tells what they did */
	bool judged;  /* any two worked long enough to be compared */
};

/*
 * Which of n disks, items of the roster, share a load. There is a
 * matrix. 0 or -ENOMEM.
 */
int lp_likeness_find(const struct lp_planner *planner, const size_t *items,
		     size_t n, struct lp_likeness *likeness);

/* Note a server that was never seen, once, or a device of it. 0 or -ENOMEM. */
int lp_planner_unseen(struct lp_planner *planner,
		      const struct lp_unseen *unseen);

/* What the cluster file says: of hosts and devices, then its groups. */
int lp_cluster_apply(struct lp_planner *planner, struct lp_error *err);
int lp_cluster_groups(struct lp_planner *planner, struct lp_error *err);
/* Of the devices that it lists and that stand on each other, one counts. */
void lp_planner_one_layer(struct lp_planner *planner);
/* Whether the file lists components of this class. */
bool lp_cluster_lists(const struct lp_cluster *cluster,
		      const struct lp_class *class);
/* Whether the file names roles, or ports of the file system. */
bool lp_cluster_has_roles(const struct lp_cluster *cluster);
bool lp_cluster_has_ports(const struct lp_cluster *cluster);
/* Whether disks are compared within their host only. */
bool lp_cluster_per_host(const struct lp_cluster *cluster);
bool lp_cluster_port(const struct lp_cluster *cluster, long port);

#endif
