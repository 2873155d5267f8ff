/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where samples come from: the kernel of this machine, or archives that grow.
 * Either way they go into a case, which is judged up to the newest of them.
 */
#ifndef LP_CMD_WATCH_FEED_H
#define LP_CMD_WATCH_FEED_H

#include "case/case.h"

#include <poll.h>

/* Of this machine: as long as nobody is compared, that is tried so often. */
#define LP_FEED_PLAN_NS (30 * LP_NS_PER_S)

struct lp_feed;

struct lp_feed_config {
	const char *const *paths; /* archives and directories */
	size_t n_paths;           /* 0: this machine */
	const char *root;         /* of this machine's proc/ and sys/; "" */
	int64_t interval_ns;      /* between samples, or between looks */
	struct lp_diagnose_options options;
	/* One line of what cannot be read; from this thread only. */
	void (*say)(void *user, const char *line);
	void *user;
};

/* What the config points to must outlive it. */
int lp_feed_open(const struct lp_feed_config *config, struct lp_feed **feed,
		 struct lp_error *err);
/* False: a thread hangs in the kernel; end the process without a look back. */
bool lp_feed_close(struct lp_feed *feed);

/* Take what came and judge it. 0 or -errno. */
int lp_feed_look(struct lp_feed *feed, struct lp_error *err);
/* Look after readers that hang, when this is readable; -1: there is none. */
int lp_feed_alarm(const struct lp_feed *feed);
void lp_feed_watch(struct lp_feed *feed);

/* NULL: no samples so far. */
struct lp_case *lp_feed_case(const struct lp_feed *feed);
/* All up to there is judged; LP_TIME_MIN: nothing yet. */
int64_t lp_feed_horizon(const struct lp_feed *feed);
/* What is to be said now; lp_findings_done frees. After there is a case. */
int lp_feed_findings(struct lp_feed *feed, struct lp_findings *findings,
		     struct lp_error *err);
/* "12 hosts, 2 not heard"; of this machine its name. */
const char *lp_feed_source(struct lp_feed *feed);

#endif
