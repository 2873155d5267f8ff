/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the sampler, shared by sampler.c, worker.c and watch.c.
 */
#ifndef LP_RECORD_CREW_H
#define LP_RECORD_CREW_H

#include "record/census.h"
#include "record/job.h"
#include "record/keeping.h"
#include "record/sampler.h"
#include "record/tick.h"

#include <pthread.h>
#include <sys/types.h>

/* Bounds the memory at short intervals. */
#define LP_MOST_SAMPLES 600
#define LP_NOBODY ((size_t)-1)

struct lp_sampler {
	struct lp_sampler_config config;
	struct lp_ticker ticker;
	int alarm_fd, news_fd;
	int64_t limit_ns; /* that one fetch may take */

	pthread_mutex_t lock; /* of all below */
	pthread_cond_t batch_due;
	struct lp_job *jobs;
	size_t n_jobs; /* the last one is the census */
	struct lp_census census;
	bool census_due;
	int64_t census_ns;       /* when it was read last; 0: never */
	int64_t census_gap_ns;   /* until it may be read again */
	uint64_t census_devices; /* hash of the instances then */
	struct lp_builder *samples;
	size_t seen;       /* samples of it that the keeping thread has seen */
	int64_t oldest_ns; /* monotonic, of those that it has not */
	uint64_t taken, lost;
	struct lp_clock_watch clock_watch;
	int64_t clock_step_ns; /* that the clock was set by; not yet noted */
	struct lp_keeping_log keeping;
	struct lp_notices notices;
	bool stopping, ended, barren, due, nudged;

	/* The worker in charge. */
	uint64_t generation;
	size_t fetching; /* the job that it is in, or LP_NOBODY */
	int64_t since_ns;
	pid_t tid;
	unsigned threads; /* alive, superseded ones included */
};

/* Start a worker in charge; at once: it does not wait for the tick. */
int lp_worker_start(struct lp_sampler *sampler, bool at_once);
/* With the lock held: parse what readers hold, before anybody looks. */
void lp_sampler_catch_up(struct lp_sampler *sampler);
/* With the lock held: forget the oldest n samples. */
void lp_sampler_drop(struct lp_sampler *sampler, size_t n);
/* Let the watching thread look in `in_ns` from now. */
void lp_alarm_set(struct lp_sampler *sampler, int64_t in_ns);
/* With the lock held: wake whoever prints notices. */
void lp_sampler_tell(struct lp_sampler *sampler);

#endif
