/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread: it sleeps until a ring is half full, a slot ends, or waiting
 * threads are to be looked at.
 */
#include "profile/profiler.h"

#include "base/memory.h"
#include "base/signals.h"
#include "base/timestamp.h"
#include "profile/charge.h"
#include "profile/daybook.h"
#include "profile/rings.h"
#include "profile/waits.h"
#include "record/place.h"
#include "record/tidy.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define LOOK_NS (LP_NS_PER_S / 10)
/* A slot counts as recorded if it was for so much of it. */
#define RECORDED_NS (9 * LP_NS_PER_S)
/* Records of a slot are in the rings this long after it. */
#define SLACK_NS (LP_NS_PER_S / 20)

struct profiler {
	const struct lp_profiler_config *config;
	struct lp_profiler_account *account;
	struct lp_rings rings;
	struct lp_tasks tasks;
	struct lp_kernel_names kernel;
	struct lp_ledger ledger;
	struct lp_waits waits;
	struct lp_tidy tidy;
	struct lp_notices says;
	int signal_fd, place_fd;
	struct pollfd *fds;        /* the rings', then the signals' */
	int64_t now_ns, ahead_ns;  /* wall; of it to the monotonic clock */
	int64_t slot_ns, began_ns; /* the current slot; since when in it */
	uint64_t slots, slot_samples, slot_lost, slot_throttled;
	uint64_t slot_moved;
	bool stop, rotate, told_maps, told_waits, no_memory;
};

static void say_all(struct profiler *p)
{
	for (size_t i = 0; i < p->says.count; i++)
		p->config->say(p->config->user, p->says.items[i].text);
	lp_notices_done(&p->says);
}

static void tell(struct profiler *p, const char *line)
{
	p->config->say(p->config->user, line);
}

/* ---- records ---- */

static void count_sample(struct profiler *p, const struct lp_charge *c,
			 size_t slot)
{
	struct lp_profiler_account *a = p->account;
	struct lp_ledger_page *page;

	p->slot_samples++;
	a->samples++;
	if (c->host == LP_NAME_NONE) {
		a->nobodys++;
		return;
	}
	a->user += !c->kernel;
	a->identified += c->identified;
	a->named += c->named;
	a->guessed += c->guessed;
	a->moved += c->moved;
	p->slot_moved += c->moved;
	page = lp_ledger_page(&p->ledger, p->tasks.hosts.text[c->host]);
	if (!page)
		return;
	lp_ledger_count(&page->samples, c->text, slot, 1);
	if (c->stack[0])
		lp_ledger_count(&page->stacks, c->stack, 0, 1);
}

/* u64 id, u64 lost. */
static uint64_t lost_of(const struct lp_ring_record *r)
{
	uint64_t lost = 0;

	if (r->header->size >= 24)
		memcpy(&lost, (const uint8_t *)r->header + 16, sizeof(lost));
	return lost;
}

static void take(void *user, const struct lp_ring_record *r)
{
	struct profiler *p = user;
	struct lp_charge charge;

	switch (r->header->type) {
	case PERF_RECORD_SAMPLE:
		if (lp_charge(&p->tasks, &p->kernel, r, p->now_ns, &charge))
			count_sample(p, &charge,
				     lp_ledger_slot(&p->ledger,
						    (int64_t)r->time_ns +
							    p->ahead_ns));
		break;
	case PERF_RECORD_LOST:
		p->slot_lost += lost_of(r);
		p->account->lost += lost_of(r);
		break;
	case PERF_RECORD_THROTTLE:
		p->slot_throttled++;
		break;
	default:
		lp_tasks_note(&p->tasks, r);
	}
}

/* ---- slots ---- */

static void mark_page(struct profiler *p, struct lp_ledger_page *page,
		      size_t slot, size_t cpus)
{
	const struct {
		const char *name;
		uint64_t n;
	} marks[] = {
		{ LP_PROFILE_RATE, p->config->rate },
		{ LP_PROFILE_CPUS, cpus },
		{ LP_PROFILE_TAKEN, p->slot_samples },
		{ LP_PROFILE_LOST, p->slot_lost },
		{ LP_PROFILE_MOVED, p->slot_moved },
		{ LP_PROFILE_THROTTLED, p->slot_throttled },
	};

	for (size_t i = 0; i < lp_array_size(marks); i++)
		if (marks[i].n > 0)
			lp_ledger_count(&page->samples, marks[i].name, slot,
					marks[i].n);
	if (p->waits.n > 0)
		lp_ledger_count(&page->waits, LP_PROFILE_RATE, slot, 10);
}

/* The slot is over: note that it was recorded, of every host. */
static void mark_slot(struct profiler *p)
{
	size_t cpus = lp_rings_refresh(&p->rings);
	size_t slot = lp_ledger_slot(&p->ledger, p->slot_ns);
	int64_t end_ns = p->slot_ns + LP_PROFILE_SLOT_NS;

	p->slots++;
	if (p->now_ns >= end_ns && end_ns - p->began_ns >= RECORDED_NS)
		for (uint32_t i = 0; i < p->tasks.hosts.count; i++) {
			struct lp_ledger_page *page = lp_ledger_page(
				&p->ledger, p->tasks.hosts.text[i]);

			if (page)
				mark_page(p, page, slot, cpus);
		}
	p->slot_samples = p->slot_lost = p->slot_moved = p->slot_throttled = 0;
}

static void complain(struct profiler *p)
{
	if (p->tasks.maps_denied && !p->told_maps)
		tell(p, "some processes' mappings cannot be read, so their "
			"functions have no names: CAP_SYS_PTRACE is missing");
	if (p->waits.denied && !p->told_waits)
		tell(p, "waiting threads cannot be looked at: CAP_SYS_PTRACE "
			"and CAP_DAC_READ_SEARCH are needed");
	p->told_maps |= p->tasks.maps_denied;
	p->told_waits |= p->waits.denied;
}

static void end_slot(struct profiler *p)
{
	mark_slot(p);
	if (p->rotate || lp_ledger_is_over(&p->ledger, p->now_ns))
		lp_ledger_write(&p->ledger, p->now_ns, p->rotate, &p->says);
	if (p->rotate)
		lp_ledger_rotate(&p->ledger, &p->says);
	p->rotate = false;
	p->slot_ns = lp_profile_slot_of(p->now_ns);
	p->began_ns = p->slot_ns;
	lp_tasks_sweep(&p->tasks);
	if (p->config->waits[0])
		p->no_memory |=
			lp_waits_refresh(&p->waits, &p->tasks, p->now_ns) < 0;
	complain(p);
	say_all(p);
	lp_tidy_run(&p->tidy);
	if (p->config->count && p->slots >= p->config->count)
		p->stop = true;
}

/* ---- the loop ---- */

static void look_at_clock(struct profiler *p)
{
	p->now_ns = lp_time_now();
	p->ahead_ns = p->now_ns - lp_monotonic_now();
}

static int wait_ms(const struct profiler *p)
{
	int64_t left =
		p->slot_ns + LP_PROFILE_SLOT_NS + SLACK_NS - lp_time_now();

	if (left > LP_PROFILE_SLOT_NS + SLACK_NS || left < 0)
		left = 0;
	if (p->waits.n > 0 && left > LOOK_NS)
		left = LOOK_NS;
	return (int)(left / LP_NS_PER_MS) + 1;
}

static void hear_signal(struct profiler *p)
{
	struct signalfd_siginfo info;

	if (read(p->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGHUP)
		p->rotate = true;
	else
		p->stop = true;
}

static int turn(struct profiler *p, struct lp_error *err)
{
	size_t n = p->rings.n_cpus;
	bool full = false;

	memcpy(p->fds, p->rings.fds, n * sizeof(*p->fds));
	if (poll(p->fds, n + 1, wait_ms(p)) < 0 && errno != EINTR)
		return lp_fail_errno(err, errno, "cannot poll");
	memcpy(p->rings.fds, p->fds, n * sizeof(*p->fds));
	for (size_t i = 0; i < n; i++)
		full |= p->fds[i].revents != 0;
	if (p->fds[n].revents & POLLIN)
		hear_signal(p);
	look_at_clock(p);
	if (p->waits.n > 0)
		lp_waits_look(&p->waits, &p->ledger, &p->tasks,
			      lp_ledger_slot(&p->ledger, p->now_ns));
	if (full || p->stop || p->rotate ||
	    lp_profile_slot_of(p->now_ns - SLACK_NS) != p->slot_ns) {
		p->no_memory |= lp_rings_read(&p->rings, take, p) < 0;
		if (p->rotate ||
		    lp_profile_slot_of(p->now_ns - SLACK_NS) != p->slot_ns)
			end_slot(p);
	}
	return p->no_memory ? lp_fail_memory(err) : 0;
}

static void on_closed(void *user, const char *path)
{
	struct profiler *p = user;

	lp_tidy_add(&p->tidy, path);
	p->tidy.due = p->config->keep_ns > 0;
}

/* Its own lock, beside the recorder's. */
static int hold_place(struct profiler *p, struct lp_error *err)
{
	lp_auto_free char *name = NULL;

	if (asprintf(&name, "%s.profile", p->config->host) < 0)
		return lp_fail_memory(err);
	p->place_fd = lp_place_hold(p->config->dir, name, err);
	return p->place_fd < 0 ? p->place_fd : 0;
}

static int begin(struct profiler *p, struct lp_error *err)
{
	const struct lp_profiler_config *c = p->config;
	int status = hold_place(p, err);

	if (status < 0)
		return status;
	p->signal_fd = lp_signals_open(err);
	if (p->signal_fd < 0)
		return p->signal_fd;
	status = lp_rings_open(&p->rings, c->rate, c->chains, err);
	if (status < 0)
		return status;
	p->fds = calloc(p->rings.n_cpus + 1, sizeof(*p->fds));
	if (!p->fds || lp_tasks_init(&p->tasks, c->host, c->cgroup) < 0)
		return lp_fail_memory(err);
	p->fds[p->rings.n_cpus] =
		(struct pollfd){ .fd = p->signal_fd, .events = POLLIN };
	if (lp_kernel_names_read(&p->kernel) < 0)
		tell(p, "the kernel's functions have no names: /proc/kallsyms "
			"hides them (CAP_SYSLOG is missing, or kptr_restrict "
			"is 2)");
	look_at_clock(p);
	p->slot_ns = lp_profile_slot_of(p->now_ns);
	p->began_ns = p->now_ns;
	p->ledger = (struct lp_ledger){
		.dir = c->dir,
		.machine = c->host,
		.from_ns = p->slot_ns -
			   p->slot_ns % (LP_LEDGER_SLOTS * LP_PROFILE_SLOT_NS),
		.closed = on_closed,
		.user = p,
	};
	p->ledger.stacks_from_ns = p->ledger.from_ns;
	if (c->waits[0])
		status = lp_waits_refresh(&p->waits, &p->tasks, p->now_ns);
	return status < 0 ? lp_fail_memory(err) : 0;
}

/* The last file is condensed here: nobody comes after. */
static int end(struct profiler *p, struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	int status = 0;

	look_at_clock(p);
	lp_ledger_write(&p->ledger, p->now_ns, true, &p->says);
	if (p->ledger.writer)
		path = strdup(p->ledger.path);
	p->ledger.closed = NULL;
	lp_ledger_rotate(&p->ledger, &p->says);
	if (p->ledger.failing)
		status = lp_fail(err, EIO, "the last block was not kept");
	else if (path)
		status = lp_profile_condense(path, err);
	else if (p->account->samples == 0)
		status = lp_fail(err, ENODATA, "no sample was taken");
	say_all(p);
	return status;
}

static void done(struct profiler *p)
{
	lp_rings_close(&p->rings);
	lp_ledger_done(&p->ledger);
	lp_waits_done(&p->waits);
	lp_tasks_done(&p->tasks);
	lp_kernel_names_done(&p->kernel);
	lp_tidy_done(&p->tidy);
	lp_notices_done(&p->says);
	free(p->fds);
	if (p->signal_fd >= 0)
		close(p->signal_fd);
	if (p->place_fd >= 0)
		close(p->place_fd);
}

int lp_profiler_run(const struct lp_profiler_config *config,
		    struct lp_profiler_account *account, struct lp_error *err)
{
	struct profiler *p = calloc(1, sizeof(*p));
	int status;

	if (!p)
		return lp_fail_memory(err);
	p->config = config;
	p->account = account;
	p->signal_fd = p->place_fd = -1;
	p->waits.programs = config->waits;
	p->tidy = (struct lp_tidy){ .dir = config->dir,
				    .host = config->host,
				    .keep_ns = config->keep_ns,
				    .due = config->keep_ns > 0 };
	status = begin(p, err);
	while (status == 0 && !p->stop)
		status = turn(p, err);
	if (status == 0)
		status = end(p, err);
	done(p);
	free(p);
	return status;
}
