/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer groups without a cluster file: what would be compared with what.
 *
 * Alike are components of one class and layer with the same model (where
 * known), a size or speed within a tenth, on hosts that have about as many of
 * them. Three are the least. Each I/O is compared in one layer only: the
 * disks, not the partitions, paths, arrays or volumes over and under them.
 */
#ifndef LP_CLUSTER_GROUPS_H
#define LP_CLUSTER_GROUPS_H

#include "survey/roster.h"

#define LP_GROUP_LEAST 3
#define LP_GROUP_NONE UINT32_MAX

/* Why a component is in no group. */
enum lp_left_out {
	LP_LEFT_NOT, /* it is in one */
	LP_LEFT_NO_SAMPLES,
	LP_LEFT_IDLE,      /* nothing moved in the whole recording */
	LP_LEFT_PARTITION, /* of a disk that is there */
	LP_LEFT_PATH,      /* beneath a multipath device that is there */
	LP_LEFT_MADE_OF,   /* devices that are there: array, volume */
	LP_LEFT_STACKED,  /* array, volume, loop on unknown disks of its host */
	LP_LEFT_NO_DISK,  /* CD drive, memory */
	LP_LEFT_SLAVE,    /* a port beneath a bond that is there */
	LP_LEFT_ABOVE,    /* a vlan or bridge on an interface that is there */
	LP_LEFT_VIRTUAL,  /* veth, bridge ..., beside a port of its host */
	LP_LEFT_LOOPBACK, /* lo, or a TCP peer that is the host itself */
	LP_LEFT_REASONS,
};

struct lp_group {
	const char *class_name, *layer;
	const char *what; /* "12 TB, ST12000NM0127"; "port 2049"; "" */
	size_t n_members, n_hosts;
	bool compared; /* there are enough */
};

struct lp_grouping {
	struct lp_group *groups; /* by class, layer and kind */
	size_t n_groups, groups_capacity;
	uint32_t *group_of;         /* [roster->n_items] or LP_GROUP_NONE */
	enum lp_left_out *left_out; /* [roster->n_items] */
	uint32_t *kin_of; /* like group_of, with those that were idle */
	struct lp_arena arena;
};

/* 0 or -ENOMEM. The roster is finished and outlives the grouping. */
int lp_grouping_make(const struct lp_roster *roster,
		     struct lp_grouping *grouping);
void lp_grouping_done(struct lp_grouping *grouping);

/* Why an item of a finished roster is in no group. */
enum lp_left_out lp_left_out_why(const struct lp_roster *roster,
				 const struct lp_roster_item *item);
/* Whether it is a file in the guise of a disk, by its name. */
bool lp_left_out_is_loop(const struct lp_roster_item *item);
/* "idle during the whole recording" ... */
const char *lp_left_out_text(enum lp_left_out reason);

/* "12 TB", "960 GB", "1.5 KB": 1000 to the K, as disks are sold. */
#define LP_SIZE_TEXT 24
const char *lp_size_format(double bytes, char text[LP_SIZE_TEXT]);

#endif
