/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What failures need to know of GlusterFS: its recovery tools, as an
 * administrator calls them, who can be lost, and what its daemons are told.
 */
#ifndef LAB_DRIVER_GLUSTER_HEAL_H
#define LAB_DRIVER_GLUSTER_HEAL_H

#include "driver/driver.h"

/* Whole copies that a replicated volume has. */
#define LAB_GLUSTER_REPLICAS 3

extern const struct lab_tool lab_gluster_tools[];
extern const struct lab_daemon lab_gluster_daemons[];

/* As a driver's `keeps_state` and `members`. */
bool lab_gluster_keeps_state(const struct lab_node *node);
int lab_gluster_members(const struct lab_spec *spec, const char *set,
			uint64_t seed, struct lab_members *members,
			struct lp_error *err);

/* As a driver's `orders`. */
int lab_gluster_orders(const struct lab_node *server, char path[PATH_MAX],
		       struct lp_error *err);

/* What `volume heal info` says is to be healed; -1: a brick does not say. */
long lab_gluster_entries(const char *text);

#endif
