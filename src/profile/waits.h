/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the threads of some programs wait for: looked at ten times a second
 * through files that stay open, a sixth of the cost of opening them.
 */
#ifndef LP_PROFILE_WAITS_H
#define LP_PROFILE_WAITS_H

#include "profile/daybook.h"
#include "profile/tasks.h"

struct lp_waiter;

struct lp_waits {
	const char *const *programs; /* patterns, ended by NULL */
	struct lp_waiter *threads;
	size_t n, capacity;
	bool denied; /* the files may not be read */
};

/* "futex mutex" of a line of /proc/PID/task/TID/syscall; NULL: the call that
 * was interrupted goes on. "running" where it is in none. */
const char *lp_wait_name(const char *line, char *text, size_t size);
/* Whether it follows the size of a thread pool rather than work. */
bool lp_wait_is_idle(const char *name);

/* Look for processes and threads that came or went. 0 or -ENOMEM. */
int lp_waits_refresh(struct lp_waits *waits, struct lp_tasks *tasks,
		     int64_t now_ns);
/* One look at all threads. */
void lp_waits_look(struct lp_waits *waits, struct lp_ledger *ledger,
		   const struct lp_tasks *tasks, size_t slot);
void lp_waits_done(struct lp_waits *waits);

#endif
