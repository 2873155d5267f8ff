/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watching side of the sampler: notices a fetch that does not come back
 * and puts a new worker in charge.
 */
#include "record/crew.h"

#include "base/timestamp.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* A thread that only waits for a CPU gets that many limits. */
#define STARVED_LIMITS 10

void lp_alarm_set(struct lp_sampler *s, int64_t in_ns)
{
	struct itimerspec spec = {
		.it_value = { .tv_sec = (time_t)(in_ns / LP_NS_PER_S),
			      .tv_nsec = (long)(in_ns % LP_NS_PER_S) }
	};

	timerfd_settime(s->alarm_fd, 0, &spec, NULL);
}

/*
 * Whether the kernel would run this thread if it had a CPU: then the machine
 * is busy and the thread is not stuck.
 *
 * 4711 (limpid-record) R 4242 ...
 */
static bool is_runnable(pid_t tid)
{
	char path[64], text[256], *state;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'R';
}

/* With the lock held. How long until the next look; 0: stuck. */
static int64_t patience(const struct lp_sampler *s)
{
	int64_t age = lp_monotonic_now() - s->since_ns;

	if (s->fetching == LP_NOBODY)
		return s->limit_ns;
	if (age < s->limit_ns)
		return s->limit_ns - age;
	if (age < STARVED_LIMITS * s->limit_ns && is_runnable(s->tid))
		return s->limit_ns;
	return 0;
}

/* With the lock held. */
static void take_over(struct lp_sampler *s)
{
	struct lp_job *job = &s->jobs[s->fetching];
	int64_t now_ns = lp_monotonic_now();

	assert(s->fetching < s->n_jobs && s->threads > 0);
	lp_job_stuck(job, s->limit_ns);
	lp_job_report(job, now_ns, &s->notices);
	lp_sampler_tell(s);
	s->generation++;
	s->fetching = LP_NOBODY;
	if (lp_worker_start(s, true) == 0)
		return;
	/* No thread to be had: wait for the old one, which comes or not. */
	s->generation--;
	s->fetching = (size_t)(job - s->jobs);
	lp_job_freed(job);
}

void lp_sampler_watch(struct lp_sampler *s)
{
	uint64_t expired;
	int64_t wait_ns;

	if (read(s->alarm_fd, &expired, sizeof(expired)) < 0)
		return;
	pthread_mutex_lock(&s->lock);
	wait_ns = s->stopping || s->ended ? s->limit_ns : patience(s);
	if (wait_ns == 0) {
		take_over(s);
		wait_ns = s->limit_ns;
	}
	pthread_mutex_unlock(&s->lock);
	lp_alarm_set(s, wait_ns);
}
