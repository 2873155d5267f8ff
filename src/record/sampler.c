/* SPDX-License-Identifier: Apache-2.0 */
#include "record/sampler.h"

#include "base/timestamp.h"
#include "record/crew.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define WRITE_WITHIN_NS (10 * LP_NS_PER_S)
#define KEEP_NS (600 * LP_NS_PER_S)
/* A fetch may take half the interval, within these. */
#define LEAST_LIMIT_NS (50 * LP_NS_PER_MS)
#define MOST_LIMIT_NS LP_NS_PER_S

int64_t lp_batch_wait(int64_t interval_ns)
{
	int64_t more = (WRITE_WITHIN_NS - 1) / interval_ns;

	return (more < LP_BATCH_SAMPLES ? more : LP_BATCH_SAMPLES - 1) *
	       interval_ns;
}

size_t lp_samples_to_keep(int64_t interval_ns)
{
	int64_t n = KEEP_NS / interval_ns;

	return n < 2 ? 2 : n > LP_MOST_SAMPLES ? LP_MOST_SAMPLES : (size_t)n;
}

static int64_t limit_of(int64_t interval_ns)
{
	int64_t limit = interval_ns / 2;

	return limit < LEAST_LIMIT_NS  ? LEAST_LIMIT_NS
	       : limit > MOST_LIMIT_NS ? MOST_LIMIT_NS
				       : limit;
}

static bool is_wanted(const struct lp_sampler_config *config,
		      const struct lp_reader *reader)
{
	const struct lp_filter *filter = config->context.filter;
	const char *class_name = reader->class->name;

	if (config->no_tcp && reader->class->kin == LP_KIN_SOCKETS)
		return false;
	if (lp_class_is_host(reader->class) &&
	    !lp_filter_wants(filter, class_name, LP_HOST_INSTANCE,
			     strlen(LP_HOST_INSTANCE)))
		return false;
	return lp_filter_wants_class(filter, class_name);
}

static int open_jobs(struct lp_sampler *s, struct lp_error *err)
{
	size_t n = 0;

	while (lp_readers[n])
		n++;
	s->jobs = calloc(n + 1, sizeof(*s->jobs));
	if (!s->jobs)
		return lp_fail_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct lp_job *job = &s->jobs[s->n_jobs];
		int status;

		if (!is_wanted(&s->config, lp_readers[i]))
			continue;
		status = lp_readers[i]->open(&s->config.context, &job->state);
		if (status < 0)
			return lp_fail_errno(err, -status, "cannot begin %s",
					     lp_readers[i]->name);
		job->reader = lp_readers[i];
		if (lp_class_is_host(job->reader->class))
			s->keeping.host = job->reader->class;
		s->n_jobs++;
	}
	if (s->n_jobs == 0)
		return lp_fail(err, EINVAL,
			       "nothing is left to record: every class is "
			       "excluded");
	s->jobs[s->n_jobs++] = (struct lp_job){ .reader = &lp_census_reader,
						.state = &s->census };
	return 0;
}

static int open_descriptors(struct lp_sampler *s, struct lp_error *err)
{
	s->alarm_fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	s->news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->alarm_fd < 0 || s->news_fd < 0)
		return lp_fail_errno(err, errno, "cannot make a descriptor");
	return lp_ticker_open(&s->ticker, s->config.interval_ns, err);
}

static struct lp_sampler *allocate(const struct lp_sampler_config *config)
{
	struct lp_sampler *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->config = *config;
	if (!s->config.clock)
		s->config.clock = &lp_clock_real;
	s->alarm_fd = s->news_fd = s->ticker.fd = -1;
	s->limit_ns = limit_of(config->interval_ns);
	s->fetching = LP_NOBODY;
	s->census_due = true;
	s->census = (struct lp_census){ .root = config->context.root,
					.host = config->host,
					.netns_fd = config->context.netns_fd,
					.interval_ns = config->interval_ns };
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->batch_due, NULL);
	return s;
}

int lp_sampler_new(const struct lp_sampler_config *config,
		   struct lp_sampler **sampler, struct lp_error *err)
{
	struct lp_sampler *s = allocate(config);
	int status;

	if (!s)
		return lp_fail_memory(err);
	s->samples = lp_builder_new(config->host);
	status = s->samples ? open_jobs(s, err) : lp_fail_memory(err);
	if (status == 0)
		status = open_descriptors(s, err);
	if (status < 0)
		lp_sampler_free(s);
	else
		*sampler = s;
	return status;
}

int lp_sampler_start(struct lp_sampler *s, struct lp_error *err)
{
	int status;

	pthread_mutex_lock(&s->lock);
	status = lp_worker_start(s, false);
	pthread_mutex_unlock(&s->lock);
	return status < 0 ? lp_fail_errno(err, -status, "cannot start a thread")
			  : 0;
}

void lp_sampler_stop(struct lp_sampler *s)
{
	pthread_mutex_lock(&s->lock);
	s->stopping = true;
	/* A worker inside a fetch may never come back, one that was never
	 * started does not: wait for neither. */
	if (s->fetching != LP_NOBODY || s->threads == 0)
		s->ended = true;
	s->due = true;
	pthread_cond_signal(&s->batch_due);
	lp_ticker_wake(&s->ticker);
	lp_sampler_tell(s);
	pthread_mutex_unlock(&s->lock);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

bool lp_sampler_free(struct lp_sampler *s)
{
	bool alone;

	if (!s)
		return true;
	pthread_mutex_lock(&s->lock);
	alone = s->threads == 0;
	pthread_mutex_unlock(&s->lock);
	if (!alone)
		return false;
	for (size_t i = 0; i < s->n_jobs; i++)
		s->jobs[i].reader->close(s->jobs[i].state);
	free(s->jobs);
	lp_builder_free(s->samples);
	lp_notices_done(&s->notices);
	lp_ticker_close(&s->ticker);
	close_fd(s->alarm_fd);
	close_fd(s->news_fd);
	free(s);
	return true;
}

int lp_sampler_alarm_fd(const struct lp_sampler *s)
{
	return s->alarm_fd;
}

int lp_sampler_news_fd(const struct lp_sampler *s)
{
	return s->news_fd;
}

void lp_sampler_tell(struct lp_sampler *s)
{
	uint64_t one = 1;

	if (write(s->news_fd, &one, sizeof(one)) < 0)
		return; /* full: it is readable anyway */
}

bool lp_sampler_news(struct lp_sampler *s, struct lp_notices *notices)
{
	uint64_t count;
	bool ended;

	if (read(s->news_fd, &count, sizeof(count)) < 0)
		count = 0;
	pthread_mutex_lock(&s->lock);
	lp_notices_move(notices, &s->notices);
	ended = s->ended;
	pthread_mutex_unlock(&s->lock);
	return ended;
}

static void take_samples(struct lp_sampler *s, struct lp_batch *batch)
{
	struct lp_builder *empty = batch->samples;

	assert(lp_builder_samples(empty) == 0);
	batch->samples = s->samples;
	s->samples = empty;
}

void lp_sampler_wait(struct lp_sampler *s, lp_look *look, void *user,
		     struct lp_batch *batch)
{
	pthread_mutex_lock(&s->lock);
	while (!s->due && !s->nudged)
		pthread_cond_wait(&s->batch_due, &s->lock);
	s->due = s->nudged = false;
	lp_sampler_catch_up(s);
	batch->inventory = s->census.ready;
	s->census.ready = NULL;
	batch->unsettled = s->census_due && s->census_ns != 0;
	batch->left = !s->ended && look(user, batch, s->samples);
	if (!batch->left)
		take_samples(s, batch);
	s->seen = lp_builder_samples(s->samples);
	lp_notices_move(&batch->notices, &s->notices);
	batch->lost = s->lost;
	s->lost = 0;
	batch->end = s->ended;
	batch->barren = s->barren;
	pthread_mutex_unlock(&s->lock);
}

/* Others may have come since; or memory was short, and some went already. */
void lp_sampler_forget(struct lp_sampler *s)
{
	pthread_mutex_lock(&s->lock);
	assert(s->seen <= lp_builder_samples(s->samples));
	if (s->seen == lp_builder_samples(s->samples))
		lp_builder_clear(s->samples);
	else
		lp_sampler_drop(s, s->seen);
	s->seen = 0;
	pthread_mutex_unlock(&s->lock);
}

void lp_sampler_nudge(struct lp_sampler *s)
{
	pthread_mutex_lock(&s->lock);
	s->nudged = true;
	pthread_cond_signal(&s->batch_due);
	pthread_mutex_unlock(&s->lock);
}
