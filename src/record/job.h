/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job: one reader at work, and how it fares. What changes is said once, not
 * once a tick.
 */
#ifndef LP_RECORD_JOB_H
#define LP_RECORD_JOB_H

#include "record/notice.h"
#include "source/reader.h"

enum lp_health {
	LP_HEALTH_GOOD,
	LP_HEALTH_ABSENT, /* this kernel has no such file: nothing to say */
	LP_HEALTH_BROKEN, /* delivers, but a line of it is not understood */
	LP_HEALTH_FULL,   /* delivers, but a bound of its own was met */
	LP_HEALTH_FAILED, /* cannot be read */
	LP_HEALTH_STUCK,  /* does not come back */
};

struct lp_job {
	const struct lp_reader *reader;
	void *state;
	bool fetched; /* in this tick */
	bool worked;  /* ever */
	bool holds;   /* samples that are fetched and not parsed */
	enum lp_health health, said;
	int64_t retry_ns; /* monotonic; not asked before */
	int64_t said_ns;
	unsigned spoken; /* lines said lately */
	struct lp_error trouble;
};

/* Whether its fetch is to be called at this (monotonic) time. */
bool lp_job_due(const struct lp_job *job, int64_t now_ns);
/* After fetch: status and err are what it gave. */
void lp_job_fetched(struct lp_job *job, int64_t now_ns, int status,
		    const struct lp_error *err);
/* After parse. */
void lp_job_parsed(struct lp_job *job, int status, const struct lp_error *err);
void lp_job_stuck(struct lp_job *job, int64_t after_ns);
void lp_job_freed(struct lp_job *job);
/* Say what has changed; a reader that flaps is heard once a minute. */
void lp_job_report(struct lp_job *job, int64_t now_ns,
		   struct lp_notices *notices);

#endif
