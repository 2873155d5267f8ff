/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recorders of a run: `limpid record`, once for each server and client,
 * each with what is its own: its disk, its interface, its connections. They
 * run beside the nodes, not in them, since the nodes' /run is their own.
 */
#ifndef LAB_CAMPAIGN_RECORDER_H
#define LAB_CAMPAIGN_RECORDER_H

#include "site/lab.h"

#include <stdbool.h>

struct lab_recorders;

/* The host of the machine under the lab: what all nodes share. */
#define LAB_MACHINE "machine"

/*
 * Start all, into dir; they are in the lab's journal. With machine, one more
 * records the machine's processors, memory and pressure.
 */
int lab_recorders_start(struct lab *lab, const char *dir, bool machine,
			struct lab_recorders **recorders, struct lp_error *err);
/* -EIO with the last words of one that has ended. */
int lab_recorders_alive(struct lab_recorders *recorders, struct lp_error *err);

/* Stop in order, or start again, the one of a node. */
int lab_recorders_pause(struct lab_recorders *recorders, const char *node,
			struct lp_error *err);
int lab_recorders_resume(struct lab_recorders *recorders, const char *node,
			 struct lp_error *err);

/*
 * Stop all in order and free. -EIO if one did not end well. Accepts NULL.
 */
int lab_recorders_stop(struct lab_recorders *recorders, struct lp_error *err);

#endif
