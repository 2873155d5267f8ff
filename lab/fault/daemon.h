/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemon of a server that reads and writes its disk: what faults of its
 * software befall.
 */
#ifndef LAB_FAULT_DAEMON_H
#define LAB_FAULT_DAEMON_H

#include "site/lab.h"

/* Its process; -ENOENT if it does not run. */
int lab_daemon_find(const struct lab *lab, const struct lab_node *server,
		    pid_t *pid, struct lp_error *err);

/* The number that a process has on its own node. */
int lab_daemon_inner_pid(pid_t pid, pid_t *inner, struct lp_error *err);

#endif
