/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profiler as a whole: samples this machine until it is told to stop.
 */
#ifndef LP_PROFILE_PROFILER_H
#define LP_PROFILE_PROFILER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct lp_profiler_config {
	const char *dir, *host;
	const char *cgroup; /* pattern; NULL: the machine is one host */
	unsigned rate;      /* 10 to 999 a second */
	bool chains;
	const char *const *waits; /* programs, ended by NULL */
	uint64_t count;           /* slots of ten seconds; 0: no end */
	int64_t keep_ns;          /* 0: for ever */
	/* One line for the operator. */
	void (*say)(void *user, const char *line);
	void *user;
};

/* What it saw, for its last line and for tests. */
struct lp_profiler_account {
	uint64_t samples, user, identified, named, guessed, moved, lost;
	uint64_t nobodys; /* of no host that is recorded */
};

/*
 * SIGTERM and SIGINT end it in order, SIGHUP begins a new file. 0 or -errno.
 */
int lp_profiler_run(const struct lp_profiler_config *config,
		    struct lp_profiler_account *account, struct lp_error *err);

#endif
