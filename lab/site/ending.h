/* SPDX-License-Identifier: Apache-2.0 */
/*
 * End processes: those of a session, of a network namespace, of a cgroup.
 */
#ifndef LAB_SITE_ENDING_H
#define LAB_SITE_ENDING_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

/*
 * The process and the session it leads: TERM, and KILL for what is there two
 * seconds later. Nothing if the number now is another process's.
 */
int lab_end_session(pid_t pid, uint64_t start, struct lp_error *err);

/* Whoever is in the network namespace at the path: KILL. */
int lab_end_netns(const char *path, struct lp_error *err);

/* Whoever is listed in a file cgroup.procs: KILL. */
int lab_end_cgroup(const char *path, struct lp_error *err);

#endif
