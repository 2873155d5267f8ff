/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster: who serves and who uses, which components count, and who is
 * compared with whom.
 *
 * A cluster file, limpid-cluster(5), says so; without one it is worked out
 * from the recordings. Both end in a plan.
 */
#ifndef LP_CLUSTER_CLUSTER_H
#define LP_CLUSTER_CLUSTER_H

#include "model/findings.h"
#include "survey/survey.h"
#include "table/matrix.h"

/* ---- the file ---- */

struct lp_cluster;

/*
 * Read a cluster file. -EINVAL: it is not well-formed, or has keys or values
 * that limpid does not know; err names file and line.
 */
int lp_cluster_read(const char *path, struct lp_cluster **cluster,
		    struct lp_error *err);
void lp_cluster_free(struct lp_cluster *cluster);

/*
 * Whether the file is about these hosts: it names one of them, or no host at
 * all.
 */
bool lp_cluster_concerns(const struct lp_cluster *cluster,
			 const struct lp_survey *recording);

/* ---- the plan ---- */

enum lp_role {
	LP_ROLE_UNKNOWN, /* nothing tells servers from clients */
	LP_ROLE_SERVER,
	LP_ROLE_CLIENT,
	LP_ROLE_METADATA,
	LP_ROLES,
};

struct lp_plan_host {
	const char *name;
	enum lp_role role;
	struct lp_labels labels; /* topology of the file: rack, switch ... */
};

#define LP_NO_GROUP SIZE_MAX
#define LP_NO_COMPONENT SIZE_MAX

enum lp_peers {
	LP_PEERS,     /* compared; anomalies accuse */
	LP_PEERS_OWN, /* one server's components, of all its groups: for the
			 filter of server workloads only */
};

enum lp_sockets {
	LP_SOCKETS_NONE,       /* not of class tcp */
	LP_SOCKETS_TO_CLIENTS, /* what servers send, seen by servers */
	LP_SOCKETS_TO_SERVERS, /* what clients send, seen by clients */
};

/*
 * What one row entry of a group is made of. As a rule one component; of class
 * tcp all components of a server (or all of the clients that lead to it).
 */
struct lp_peer {
	const char *label;   /* "oss1/sdb", "ddn1.3.oss1", "oss1>clients" */
	const char *lasting; /* the same by what outlasts a boot, if that is
				known: "oss1/wwid:naa.5000c500a1b2c3d4" */
	const char *host;    /* the one to be accused */
	size_t item;         /* of the roster; of several the first */
	const size_t *items; /* all of them */
	size_t n_items;
	size_t *parts;           /* components of the matrix; [n_items] room */
	size_t n_parts;          /* 0: none is there, or there is no matrix */
	size_t own;              /* its group of kind LP_PEERS_OWN, or
				    LP_NO_GROUP */
	struct lp_labels labels; /* topology: array, controller, lun ... */
};

/* Compared with each other, in every metric of their class. */
struct lp_peer_group {
	const char *name; /* "12 x 12 TB disks of 8 servers" */
	const struct lp_class *class;
	enum lp_peers kind;
	enum lp_sockets sockets;
	enum lp_role role;
	const char *priority, *cohort; /* "" if the file does not say */
	enum lp_peers_by by;
	const char *ground; /* "", or why they are taken for peers, where that
			       is less than sure */
	struct lp_peer *peers;
	size_t *components;  /* [n]: the first part of each, or
				LP_NO_COMPONENT: always missing */
	const char **labels; /* [n]: the label of each */
	size_t n;            /* three are the least */
};

struct lp_plan_left_out {
	const char *label;       /* "oss1/sda" */
	const char *reason;      /* "idle during the whole recording" ... */
	size_t item;             /* of the roster; of several the first */
	struct lp_labels labels; /* topology, as of a peer */
};

/*
 * A server, or a device of one, that the cluster file or an inventory knows,
 * and of which there is no sample: it is absent.
 */
struct lp_unseen {
	const char *label;       /* "oss2", "oss2/sdb", "ddn6a.1.oss2" */
	const char *host;        /* "oss2" */
	const char *known_by;    /* "named in the cluster file, line 3" */
	unsigned line;           /* of the cluster file; 0: an inventory's */
	bool whole;              /* the host itself */
	struct lp_labels labels; /* topology, as of a peer */
};

/* Why nothing can be compared. */
enum lp_refusal {
	LP_REFUSAL_NONE,
	LP_REFUSAL_NO_SAMPLES, /* all missing */
	LP_REFUSAL_IDLE,       /* nothing did anything */
	LP_REFUSAL_NO_OVERLAP, /* hosts that were recorded at other times */
	LP_REFUSAL_TOO_FEW,    /* fewer than three peers */
	LP_REFUSAL_UNLIKE,     /* nothing says that they are peers */
};

struct lp_plan {
	struct lp_plan_host *hosts; /* as in the roster */
	size_t n_hosts;
	struct lp_peer_group *groups;
	size_t n_groups, groups_capacity;
	struct lp_plan_left_out *left_out;
	size_t n_left_out, left_out_capacity;
	struct lp_unseen *unseen;
	size_t n_unseen, unseen_capacity;
	const char **notes; /* what was chosen and why, a sentence each */
	size_t n_notes, notes_capacity;
	enum lp_refusal refusal;  /* NONE: there is a group to compare */
	const char *refusal_text; /* "" or one line that says why */
	struct lp_arena arena;
};

/*
 * Who is compared with whom. cluster NULL: found without a file. matrix NULL:
 * for a look only; the peers have no components then. The recording is
 * finished. Strings of the recording and the matrix are not copied: both
 * outlive the plan.
 *
 * That nothing can be compared is no error but plan->refusal. -EINVAL: the
 * file contradicts the recordings; err names file and line.
 */
int lp_cluster_plan(const struct lp_cluster *cluster,
		    const struct lp_survey *recording,
		    const struct lp_matrix *matrix, struct lp_plan *plan,
		    struct lp_error *err);
void lp_plan_done(struct lp_plan *plan);

/*
 * Find the components of the matrix again: some came after the plan was made,
 * or it was made with another matrix. The recording is the plan's. 0 or
 * -ENOMEM.
 */
int lp_plan_bind(struct lp_plan *plan, const struct lp_survey *recording,
		 const struct lp_matrix *matrix);
/* Add a sentence to its notes; -ENOMEM. */
int lp_plan_note(struct lp_plan *plan, const char *text);

/* The server of this name that was never seen, or NULL. */
const struct lp_unseen *lp_plan_unseen_host(const struct lp_plan *plan,
					    const char *host);

/*
 * What limpid inventory calls a group: those that are compared are counted from
 * 1, then the others.
 */
size_t lp_plan_group_number(const struct lp_plan *plan, size_t group);

/* LP_ROLE_UNKNOWN also for a host that is not there. */
enum lp_role lp_plan_role(const struct lp_plan *plan, const char *host);
/* "server", "client", "metadata", "unknown" */
const char *lp_role_name(enum lp_role role);

/* ---- values of a group ---- */

/*
 * The further metrics that the matrix must hold so that `metric` can be taken
 * over several components: the weight of a mean. NULL: none is needed.
 */
const struct lp_metric *lp_peer_weight(const struct lp_class *class,
				       const struct lp_metric *metric);

/*
 * The values of the group's peers at n_rows points of the matrix from k on:
 * row r is rows[r * n], peer i of it rows[r * n + i]. Over several
 * components, means are weighted (by sockets; one where they were not
 * counted), rates and sums are added; components that are missing count for
 * nothing, and if all are, so is the result. Of sockets only those count that
 * sent within `active_points` points up to k, by the number of active sockets
 * or else by the bytes sent, where either is recorded; 0: all.
 */
void lp_peer_rows(const struct lp_peer_group *group,
		  const struct lp_matrix *matrix, size_t metric,
		  size_t active_points, size_t k, size_t n_rows, double *rows);
/* Those of some peers at one point, whether active or not. */
void lp_peer_values(const struct lp_peer_group *group,
		    const struct lp_matrix *matrix, size_t metric,
		    const size_t *peers, size_t n, size_t k, double *values);

#endif
