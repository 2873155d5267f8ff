/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid watch does from sample to sample.
 */
#ifndef LP_CMD_WATCH_LOOP_H
#define LP_CMD_WATCH_LOOP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_watch_options {
	const char *command; /* "limpid watch", for messages */
	int64_t interval_ns, for_ns;
	bool once, json;
	const char *root;
	const char *const *paths;
	size_t n_paths;
};

/*
 * Until somebody ends it. 0 or -errno. *outcome: the exit status; *stuck: a
 * thread hangs in the kernel; leave by _exit.
 */
int lp_watch_run(const struct lp_watch_options *options, int *outcome,
		 bool *stuck, struct lp_error *err);

#endif
