/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three threads: this one watches and handles signals, the sampler's worker
 * reads the kernel, the keeper writes archives. None waits for another, so
 * neither a hung kernel file nor a slow disk stops the rest.
 */
#include "record/record.h"

#include "base/memory.h"
#include "base/signals.h"
#include "base/timestamp.h"
#include "record/journal.h"
#include "record/place.h"
#include "record/sampler.h"
#include "record/tick.h"
#include "record/tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

/*
 * timeout(1) signals its child and then its whole group, so that one wish to
 * stop arrives twice. Whoever insists takes longer than this.
 */
#define SAME_STOP_NS (LP_NS_PER_S / 2)

struct recorder {
	const struct lp_record_config *config;
	struct lp_sampler *sampler;
	struct lp_journal *journal;
	struct lp_tidy tidy;
	int signal_fd, place_fd, done_fd;
	int64_t stop_ns; /* when the first signal to stop came; 0: none did */
	bool insisted;   /* another one came, later */
	bool abandoned;  /* the keeper is still at it */
	pthread_t keeper;

	pthread_mutex_t lock; /* of what the keeper is told */
	struct lp_notices events;
	bool rotate;

	int result; /* of the keeper */
	struct lp_error trouble;
};

static void say_all(const struct recorder *r, const struct lp_notices *notices)
{
	for (size_t i = 0; i < notices->count; i++)
		if (!notices->items[i].silent)
			r->config->say(r->config->user, notices->items[i].text);
}

/* ---- the keeper ---- */

static void on_closed(void *user, const char *path)
{
	struct recorder *r = user;

	lp_tidy_add(&r->tidy, path);
	r->tidy.due = r->config->keep_ns > 0;
}

/* Samples that make one block stay with the sampler until it is sealed. */
static bool look(void *user, const struct lp_batch *batch,
		 struct lp_builder *samples)
{
	struct recorder *r = user;
	bool rotate;

	pthread_mutex_lock(&r->lock);
	rotate = r->rotate;
	pthread_mutex_unlock(&r->lock);
	return !rotate && lp_journal_look(r->journal, batch, samples);
}

static void grant(struct recorder *r, enum lp_journal_wish wish)
{
	if (wish == LP_JOURNAL_FORGET)
		lp_sampler_forget(r->sampler);
	else if (wish == LP_JOURNAL_LOOK)
		lp_sampler_nudge(r->sampler);
}

static void keep_batch(struct recorder *r, struct lp_batch *batch)
{
	struct lp_notices events = { 0 }, says = { 0 };
	bool rotate;

	say_all(r, &batch->notices);
	pthread_mutex_lock(&r->lock);
	lp_notices_move(&events, &r->events);
	lp_notices_move(&events, &batch->notices);
	/* A file whose samples were left cannot end; the nudge comes again. */
	rotate = r->rotate && !batch->left;
	r->rotate = r->rotate && batch->left;
	pthread_mutex_unlock(&r->lock);
	grant(r, lp_journal_add(r->journal, batch, &events, &says));
	if (rotate && !batch->end)
		lp_journal_rotate(r->journal, &says);
	if (batch->end)
		r->result = lp_journal_stop(r->journal, &says, &r->trouble);
	say_all(r, &says);
	lp_notices_done(&says);
}

static void *keep(void *argument)
{
	struct recorder *r = argument;
	struct lp_batch batch = { .samples = lp_builder_new(r->config->host) };
	uint64_t one = 1;

	if (!batch.samples)
		r->result = lp_fail_memory(&r->trouble);
	while (batch.samples && !batch.end) {
		lp_sampler_wait(r->sampler, look, r, &batch);
		keep_batch(r, &batch);
		if (!batch.end)
			lp_tidy_run(&r->tidy);
	}
	if (batch.barren)
		r->result = lp_fail(&r->trouble, ENOENT,
				    "nothing to record: none of the kernel's "
				    "files can be read under %s/",
				    r->config->context.root);
	lp_builder_free(batch.samples);
	if (write(r->done_fd, &one, sizeof(one)) < 0)
		return NULL;
	return NULL;
}

/* ---- the watching thread ---- */

static void hear_news(struct recorder *r)
{
	struct lp_notices notices = { 0 };

	lp_sampler_news(r->sampler, &notices);
	if (notices.count == 0)
		return;
	say_all(r, &notices);
	pthread_mutex_lock(&r->lock);
	lp_notices_move(&r->events, &notices);
	pthread_mutex_unlock(&r->lock);
}

static void rotate(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	r->rotate = true;
	pthread_mutex_unlock(&r->lock);
	lp_sampler_nudge(r->sampler);
}

static void hear_signal(struct recorder *r)
{
	struct signalfd_siginfo info;

	if (read(r->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGHUP) {
		rotate(r);
		return;
	}
	if (r->stop_ns == 0)
		r->stop_ns = lp_monotonic_now();
	else
		r->insisted = lp_monotonic_now() - r->stop_ns > SAME_STOP_NS;
	lp_sampler_stop(r->sampler);
}

/* Until the keeper is done, or somebody insists. */
static int watch(struct recorder *r, struct lp_error *err)
{
	enum { SIGNAL, ALARM, NEWS, DONE, N };
	struct pollfd fds[N] = {
		[SIGNAL] = { r->signal_fd, POLLIN, 0 },
		[ALARM] = { lp_sampler_alarm_fd(r->sampler), POLLIN, 0 },
		[NEWS] = { lp_sampler_news_fd(r->sampler), POLLIN, 0 },
		[DONE] = { r->done_fd, POLLIN, 0 },
	};

	while (!(fds[DONE].revents & POLLIN)) {
		if (poll(fds, N, -1) < 0 && errno != EINTR)
			return lp_fail_errno(err, errno, "cannot poll");
		if (fds[SIGNAL].revents & POLLIN)
			hear_signal(r);
		if (fds[ALARM].revents & POLLIN)
			lp_sampler_watch(r->sampler);
		if (fds[NEWS].revents & POLLIN)
			hear_news(r);
		if (r->insisted)
			return lp_fail(err, EINTR,
				       "stopped at once; the last samples may "
				       "be missing");
	}
	return 0;
}

/* ---- beginning and end ---- */

/* The kernel's random name of this boot; "" when there is none. */
static void read_boot_id(const char *root, char text[64])
{
	lp_auto_close int fd = -1;
	ssize_t n = -1;

	text[0] = '\0';
	if (root[0])
		return;
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		n = read(fd, text, 63);
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static void note_start(struct recorder *r)
{
	char interval[LP_TIME_TEXT], boot[64];
	struct lp_notice *start;

	lp_duration_format(r->config->interval_ns, interval);
	read_boot_id(r->config->context.root, boot);
	start = lp_notice_add(&r->events, LP_EVENT_START,
			      "interval %s, limpid " LIMPID_VERSION "%s%s",
			      interval, boot[0] ? ", boot " : "", boot);
	lp_notice_pair(start, "interval_ns", "%lld",
		       (long long)r->config->interval_ns);
	lp_notice_pair(start, "version", "%s", LIMPID_VERSION);
	lp_notice_pair(start, "boot", "%s", boot);
}

static int begin(struct recorder *r, struct lp_error *err)
{
	const struct lp_record_config *config = r->config;
	struct lp_sampler_config sampler = { .host = config->host,
					     .interval_ns = config->interval_ns,
					     .count = config->count,
					     .no_tcp = config->no_tcp,
					     .context = config->context,
					     .clock = config->clock };
	struct lp_journal_config journal = { .dir = config->dir,
					     .host = config->host,
					     .interval_ns = config->interval_ns,
					     .closed = on_closed,
					     .user = r };
	int status;

	r->place_fd = lp_place_hold(config->dir, config->host, err);
	if (r->place_fd < 0)
		return r->place_fd;
	r->signal_fd = lp_signals_open(err);
	if (r->signal_fd < 0)
		return r->signal_fd;
	r->done_fd = eventfd(0, EFD_CLOEXEC);
	if (r->done_fd < 0)
		return lp_fail_errno(err, errno, "cannot make a descriptor");
	status = lp_sampler_new(&sampler, &r->sampler, err);
	if (status < 0)
		return status;
	r->journal = lp_journal_new(&journal);
	return r->journal ? 0 : lp_fail_memory(err);
}

static int run(struct recorder *r, struct lp_error *err)
{
	int status;

	note_start(r);
	status = -pthread_create(&r->keeper, NULL, keep, r);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot start a thread");
	status = lp_sampler_start(r->sampler, err);
	if (status < 0)
		lp_sampler_stop(r->sampler);
	if (watch(r, err) < 0) {
		r->abandoned = true;
		return -EINTR;
	}
	pthread_join(r->keeper, NULL);
	if (status == 0 && r->result < 0)
		status = lp_fail(err, -r->result, "%s", r->trouble.text);
	hear_news(r);
	return status;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

int lp_record_run(const struct lp_record_config *config, bool *stuck,
		  struct lp_error *err)
{
	struct recorder r = { .config = config,
			      .tidy = { .dir = config->dir,
					.host = config->host,
					.keep_ns = config->keep_ns,
					.due = config->keep_ns > 0 },
			      .signal_fd = -1,
			      .place_fd = -1,
			      .done_fd = -1 };
	int status = begin(&r, err);

	*stuck = false;
	pthread_mutex_init(&r.lock, NULL);
	if (status == 0)
		status = run(&r, err);
	*stuck = r.abandoned || !lp_sampler_free(r.sampler);
	if (r.abandoned)
		return status;
	lp_journal_free(r.journal);
	lp_tidy_done(&r.tidy);
	lp_notices_done(&r.events);
	close_fd(r.signal_fd);
	close_fd(r.done_fd);
	close_fd(r.place_fd);
	return status;
}
