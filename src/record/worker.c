/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker thread of the sampler: one tick after the other.
 */
#include "record/crew.h"

#include "base/timestamp.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Devices come in flocks: let them settle before the next inventory, and wait
 * longer and longer where they never do (the interfaces of containers), since
 * an inventory costs as much as dozens of samples.
 */
#define CENSUS_SOON_NS (10 * LP_NS_PER_S)
#define CENSUS_LATE_NS (320 * LP_NS_PER_S)
/* Enough for the readers; the default of 8 MiB counts against ulimit -v. */
#define STACK_BYTES (256 * 1024)

/* The alarm is pushed back once in so many ticks and one. */
#define ALARM_SPARE 2
#define MOST_SPARE_NS (2 * LP_NS_PER_S)

struct worker {
	struct lp_sampler *sampler;
	uint64_t generation;
	bool at_once;
	int64_t alarm_ns; /* monotonic, when it will go off */
};

/* With the lock held. */
static bool is_in_charge(const struct worker *worker)
{
	return worker->generation == worker->sampler->generation &&
	       !worker->sampler->stopping;
}

enum step { STEP_OVER, STEP_SKIP, STEP_FETCH };

/* The census is asked only when devices have changed. */
static bool is_due(const struct lp_sampler *s, size_t index, int64_t now_ns)
{
	if (index == s->n_jobs - 1 && !s->census_due)
		return false;
	return lp_job_due(&s->jobs[index], now_ns);
}

static enum step begin_fetch(struct worker *worker, size_t index)
{
	struct lp_sampler *s = worker->sampler;
	int64_t now_ns = lp_monotonic_now();
	enum step step = STEP_OVER;

	pthread_mutex_lock(&s->lock);
	if (is_in_charge(worker)) {
		s->jobs[index].fetched = false;
		step = is_due(s, index, now_ns) ? STEP_FETCH : STEP_SKIP;
	}
	if (step == STEP_FETCH) {
		assert(s->fetching == LP_NOBODY);
		s->fetching = index;
		s->since_ns = now_ns;
	}
	pthread_mutex_unlock(&s->lock);
	return step;
}

/* False: this worker was superseded meanwhile, or all is over. */
static bool end_fetch(struct worker *worker, size_t index, int status,
		      const struct lp_error *err)
{
	struct lp_sampler *s = worker->sampler;
	struct lp_job *job = &s->jobs[index];
	int64_t now_ns = lp_monotonic_now();
	bool go;

	pthread_mutex_lock(&s->lock);
	go = is_in_charge(worker);
	if (worker->generation == s->generation) {
		assert(s->fetching == index);
		s->fetching = LP_NOBODY;
		lp_job_fetched(job, now_ns, status, err);
	} else {
		lp_job_freed(job);
		lp_job_report(job, now_ns, &s->notices);
		lp_sampler_tell(s);
	}
	pthread_mutex_unlock(&s->lock);
	return go;
}

static bool fetch_all(struct worker *worker)
{
	struct lp_sampler *s = worker->sampler;

	for (size_t i = 0; i < s->n_jobs; i++) {
		const struct lp_job *job = &s->jobs[i];
		enum step step = begin_fetch(worker, i);
		struct lp_error err;
		int status;

		if (step == STEP_OVER)
			return false;
		if (step == STEP_SKIP)
			continue;
		status = job->reader->fetch(job->state, &err);
		if (!end_fetch(worker, i, status, &err))
			return false;
	}
	return true;
}

static int64_t next_gap(const struct lp_sampler *s, int64_t now_ns)
{
	int64_t gap_ns = 2 * s->census_gap_ns;

	if (s->census_ns == 0 || now_ns - s->census_ns > 2 * gap_ns)
		return CENSUS_SOON_NS;
	return gap_ns < CENSUS_LATE_NS ? gap_ns : CENSUS_LATE_NS;
}

static uint64_t hash_devices(const struct lp_sampler *s)
{
	uint64_t devices = 0;

	for (size_t i = 0; i < s->n_jobs - 1; i++)
		if (s->jobs[i].reader->instances && s->jobs[i].worked)
			devices = devices * 31 + s->jobs[i].reader->instances(
							 s->jobs[i].state);
	return devices;
}

/* Whether devices came or went since the inventory was read. */
static void look_at_devices(struct lp_sampler *s, int64_t now_ns)
{
	s->census_due = s->census_ns == 0 ||
			(hash_devices(s) != s->census_devices &&
			 now_ns - s->census_ns >= s->census_gap_ns);
}

static void note_census(struct lp_sampler *s, int64_t now_ns)
{
	if (!s->jobs[s->n_jobs - 1].fetched)
		return;
	s->census_gap_ns = next_gap(s, now_ns);
	s->census_ns = now_ns;
	s->census_devices = hash_devices(s);
}

/* Whether a reader works, or works again, is wanted to be known at once. */
static bool hold(const struct lp_sampler *s, const struct lp_job *job)
{
	return job->reader->hold && job->worked &&
	       job->health == LP_HEALTH_GOOD &&
	       job->reader->hold(job->state, lp_builder_samples(s->samples));
}

static void parse(struct lp_sampler *s, struct lp_job *job)
{
	struct lp_error err;
	int status = job->reader->parse(job->state, s->samples, &err);

	job->holds = false;
	lp_job_parsed(job, status, &err);
}

static void hold_or_parse_all(struct lp_sampler *s, int64_t now_ns)
{
	for (size_t i = 0; i < s->n_jobs; i++) {
		struct lp_job *job = &s->jobs[i];

		if (job->fetched && hold(s, job))
			job->holds = true;
		else if (job->fetched)
			parse(s, job);
		lp_job_report(job, now_ns, &s->notices);
	}
}

void lp_sampler_catch_up(struct lp_sampler *s)
{
	int64_t now_ns = lp_monotonic_now();

	for (size_t i = 0; i < s->n_jobs; i++) {
		struct lp_job *job = &s->jobs[i];
		struct lp_error err;
		int status;

		if (!job->holds)
			continue;
		status = job->reader->catch_up(job->state, s->samples, &err);
		job->holds = false;
		/* It may have failed since, or hang. */
		if (job->health == LP_HEALTH_GOOD)
			lp_job_parsed(job, status, &err);
		lp_job_report(job, now_ns, &s->notices);
	}
	look_at_devices(s, now_ns);
}

void lp_sampler_drop(struct lp_sampler *s, size_t n)
{
	lp_sampler_catch_up(s);
	lp_builder_drop(s->samples, n);
}

/* Nobody takes samples (a hung disk): the newest are worth most. */
static void bound_memory(struct lp_sampler *s)
{
	size_t keep = lp_samples_to_keep(s->config.interval_ns);
	size_t have = lp_builder_samples(s->samples);
	size_t drop = keep / 10 + 1;

	if (have < keep)
		return;
	lp_sampler_drop(s, drop);
	s->seen -= drop < s->seen ? drop : s->seen;
	s->lost += drop;
}

/* Whether waiting for the tick after would be too late for the oldest. */
static bool must_write(const struct lp_sampler *s, int64_t now_ns)
{
	int64_t waited_ns =
		now_ns - s->oldest_ns + lp_tick_slack(s->config.interval_ns);

	return s->taken == 1 ||
	       lp_builder_samples(s->samples) - s->seen >= LP_BATCH_SAMPLES ||
	       waited_ns >= lp_batch_wait(s->config.interval_ns);
}

/* At the first tick: whether no reader has anything to give, or ever will. */
static bool is_barren(const struct lp_sampler *s)
{
	if (s->taken > 0)
		return false;
	for (size_t i = 0; i < s->n_jobs - 1; i++)
		if (s->jobs[i].fetched || s->jobs[i].health == LP_HEALTH_STUCK)
			return false;
	return true;
}

/* Noted as of the sample itself: what is between it and the one before has no
 * known length. */
static void note_clock(struct lp_sampler *s, int64_t time_ns)
{
	int64_t step = s->clock_step_ns;
	int64_t by = step > 0 ? step : -step;
	const char *set = step > 0 ? "forward" : "back";
	char text[LP_TIME_TEXT];
	struct lp_notice *notice;

	s->clock_step_ns = 0;
	if (!step)
		return;
	notice =
		lp_notice_at(&s->notices, time_ns, LP_EVENT_CLOCK,
			     "set %s by %s", set, lp_duration_format(by, text));
	lp_notice_pair(notice, "set", "%s", set);
	lp_notice_pair(notice, "by_ns", "%lld", (long long)by);
}

/* With the lock held. */
static void keep_sample(struct lp_sampler *s, int64_t time_ns)
{
	int64_t now_ns = lp_monotonic_now();

	assert(s->seen <= lp_builder_samples(s->samples));
	if (is_barren(s)) {
		s->ended = s->barren = true;
		return;
	}
	bound_memory(s);
	if (lp_builder_samples(s->samples) == s->seen)
		s->oldest_ns = now_ns;
	if (lp_builder_tick(s->samples, time_ns) < 0)
		lp_notice_add(&s->notices, LP_EVENT_LOST,
			      "out of memory: values of a sample were lost");
	hold_or_parse_all(s, now_ns);
	note_census(s, now_ns);
	look_at_devices(s, now_ns);
	note_clock(s, time_ns);
	lp_keeping_note(&s->keeping, s->config.clock, time_ns, s->samples,
			&s->notices);
	s->taken++;
	if (s->config.count && s->taken >= s->config.count)
		s->ended = true;
	if (s->ended || must_write(s, now_ns))
		s->due = true;
	if (s->ended || s->notices.count)
		lp_sampler_tell(s);
}

/* One sample. False: not in charge any more. */
static bool take_sample(struct worker *worker)
{
	struct lp_sampler *s = worker->sampler;
	const struct lp_clock *clock = s->config.clock;
	int64_t time_ns = clock->wall_ns(clock->user);
	bool go, due = false;

	s->clock_step_ns += lp_clock_step(clock, &s->clock_watch, time_ns);
	time_ns = lp_tick_round(time_ns);
	go = fetch_all(worker);
	if (!go)
		return false;
	pthread_mutex_lock(&s->lock);
	go = is_in_charge(worker);
	if (go) {
		keep_sample(s, time_ns);
		go = !s->ended;
		due = s->due;
	}
	pthread_mutex_unlock(&s->lock);
	/* Now, so that it need not wait for the lock. */
	if (due)
		pthread_cond_signal(&s->batch_due);
	return go;
}

/*
 * The alarm stands behind the next tick: a normal one pushes it back. To do
 * that with each would cost more than to parse a file, so it stands a little
 * further behind, and a fetch that hangs is noticed as much later.
 */
static void push_alarm(struct worker *worker)
{
	struct lp_sampler *s = worker->sampler;
	int64_t interval_ns = s->config.interval_ns, now_ns = lp_time_now();
	int64_t least = lp_tick_after(now_ns, interval_ns) - now_ns;
	int64_t spare = ALARM_SPARE * interval_ns;

	least += s->limit_ns;
	now_ns = lp_monotonic_now();
	if (worker->alarm_ns >= now_ns + least)
		return;
	least += spare < MOST_SPARE_NS ? spare : MOST_SPARE_NS;
	worker->alarm_ns = now_ns + least;
	lp_alarm_set(s, least);
}

static bool wait_for_tick(struct worker *worker)
{
	push_alarm(worker);
	return lp_ticker_wait(&worker->sampler->ticker) == 0;
}

static void leave(struct worker *worker)
{
	struct lp_sampler *s = worker->sampler;

	pthread_mutex_lock(&s->lock);
	s->threads--;
	if (worker->generation == s->generation) {
		s->ended = true;
		s->due = true;
		pthread_cond_signal(&s->batch_due);
		lp_sampler_tell(s);
	}
	pthread_mutex_unlock(&s->lock);
	free(worker);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	bool go = true;

	pthread_mutex_lock(&worker->sampler->lock);
	worker->sampler->tid = gettid();
	pthread_mutex_unlock(&worker->sampler->lock);
	if (worker->at_once)
		go = take_sample(worker);
	while (go)
		go = wait_for_tick(worker) && take_sample(worker);
	leave(worker);
	return NULL;
}

/* With the lock held. */
int lp_worker_start(struct lp_sampler *s, bool at_once)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	pthread_attr_t attributes;
	pthread_t thread;
	int status;

	if (!worker)
		return -ENOMEM;
	*worker = (struct worker){ .sampler = s,
				   .generation = s->generation,
				   .at_once = at_once };
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	status = pthread_create(&thread, &attributes, work, worker);
	pthread_attr_destroy(&attributes);
	if (status)
		free(worker);
	else
		s->threads++;
	return -status;
}
