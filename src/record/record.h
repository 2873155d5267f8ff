/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recorder as a whole: samples this host until it is told to stop.
 */
#ifndef LP_RECORD_RECORD_H
#define LP_RECORD_RECORD_H

#include "record/clock.h"
#include "source/reader.h"

struct lp_record_config {
	const char *dir; /* made if it is missing */
	const char *host;
	int64_t interval_ns; /* LP_INTERVAL_MIN_NS to LP_INTERVAL_MAX_NS */
	uint64_t count;      /* samples; 0: until a signal comes */
	int64_t keep_ns;     /* remove older archives; 0: never */
	bool no_tcp;
	struct lp_reader_context context;
	const struct lp_clock *clock; /* NULL: the real one */
	/* One line for the operator; called from any thread. */
	void (*say)(void *user, const char *line);
	void *user;
};

/*
 * Record. SIGTERM and SIGINT end it in order (a second one at once), SIGHUP
 * begins a new file; call it before any thread is started. 0 after an orderly
 * end, or -errno. *stuck: a thread still hangs in the kernel; leave by _exit.
 */
int lp_record_run(const struct lp_record_config *config, bool *stuck,
		  struct lp_error *err);

#endif
