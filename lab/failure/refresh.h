/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cold caches on a lab in which something may not answer: every call is
 * bounded, nothing is asked of a mount.
 */
#ifndef LAB_FAILURE_REFRESH_H
#define LAB_FAILURE_REFRESH_H

#include "site/lab.h"

/*
 * The client gets a new mount: all that runs on it is killed, and freed if that
 * has no effect.
 */
int lab_client_refresh(struct lab *lab, const struct lab_node *client,
		       struct lp_error *err);

/* What servers have in memory of their bricks is dropped; a disk that does not
 * answer is passed by. */
void lab_servers_forget(const struct lab *lab);

#endif
