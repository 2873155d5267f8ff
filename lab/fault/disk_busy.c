/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disk-busy: something reads the server's disk beneath the device, through the
 * disk's second door: it takes the spindle's time, and the server's diskstats
 * show none of its requests, only that their own take longer.
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "disk/control.h"
#include "fault/aim.h"
#include "fault/diskload.h"
#include "workload/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From here on nothing is aimed at: block after block, as sgm_dd reads. */
#define FULL 10
#define FULL_BLOCK ((size_t)1 << 20)
/* Small, so that a small share is not a few long stalls. */
#define AIMED_BLOCK ((size_t)128 << 10)

struct busy {
	const struct lab_fault_run *run;
	struct lab_hog_page *page;
	struct lab_platter platter;
	double block_ns; /* of the spindle's time, that a block takes */
	struct lab_aim aim;
	/* The victim's first, then its peers'. */
	int stat[LAB_AIM_MOST_DISKS];
	struct lab_diskstat last[LAB_AIM_MOST_DISKS];
	size_t disks;
};

static int read_stat(int fd, struct lab_diskstat *stat)
{
	char text[256];
	ssize_t n = pread(fd, text, sizeof(text), 0);

	return n < 0 ? -errno : lab_diskstat_parse(text, (size_t)n, stat);
}

static int open_stat(struct busy *busy, const struct lab_node *server,
		     struct lp_error *err)
{
	char path[64];
	size_t i = busy->disks;

	snprintf(path, sizeof(path), "/sys/block/%s/stat", server->device);
	busy->stat[i] = open(path, O_RDONLY | O_CLOEXEC);
	if (busy->stat[i] < 0 || read_stat(busy->stat[i], &busy->last[i]) < 0)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	busy->disks++;
	return 0;
}

static int open_stats(struct busy *busy, struct lp_error *err)
{
	const struct lab_node *victim = busy->run->victim, *server;
	int r = open_stat(busy, victim, err);

	for (size_t i = 0; r == 0 && busy->disks < LAB_AIM_MOST_DISKS; i++) {
		server = lab_nth(busy->run->lab, LAB_SERVER, i);
		if (!server)
			break;
		if (server != victim)
			r = open_stat(busy, server, err);
	}
	return r;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Once a second: how long did requests take here and there? */
static void look(struct busy *busy)
{
	double await[LAB_AIM_MOST_DISKS];
	size_t peers = busy->disks - 1;

	for (size_t i = 0; i < busy->disks; i++) {
		struct lab_diskstat now;

		if (read_stat(busy->stat[i], &now) < 0)
			return;
		await[i] = lab_diskstat_await(&busy->last[i], &now);
		busy->last[i] = now;
	}
	if (peers == 0)
		return;
	qsort(await + 1, peers, sizeof(await[0]), by_value);
	lab_aim_update(&busy->aim, await[0], await[1 + peers / 2]);
	atomic_store(&busy->page->factor, busy->aim.seen);
}

static int take(struct busy *busy, struct lp_error *err)
{
	bool aimed = busy->run->strength < FULL;
	int64_t now_ns = lp_monotonic_now(), due_ns = now_ns;
	int64_t look_ns = now_ns + LP_NS_PER_S;
	int r = 0;

	while (r == 0) {
		double share = aimed ? lab_aim_share(&busy->aim) : 1;

		r = lab_platter_read(&busy->platter, err);
		atomic_fetch_add(&busy->page->bytes, busy->platter.block);
		now_ns = lp_monotonic_now();
		if (now_ns >= look_ns) {
			look(busy);
			look_ns = now_ns + LP_NS_PER_S;
		}
		/* The time this block was worth, not what it waited. */
		due_ns += (int64_t)(busy->block_ns / share);
		if (due_ns < now_ns)
			due_ns = now_ns;
		if (aimed)
			lab_sleep_ns(due_ns - now_ns);
	}
	return r;
}

static int body(void *context)
{
	struct busy *busy = context;
	size_t block = busy->run->strength < FULL ? AIMED_BLOCK : FULL_BLOCK;
	struct lp_error err;
	int r = lab_platter_open(&busy->platter, busy->run->victim->under,
				 block, &err);

	if (r < 0)
		return lab_hog_fail(busy->page, &err);
	lab_aim_init(&busy->aim, busy->run->strength);
	r = open_stats(busy, &err);
	if (r == 0)
		r = take(busy, &err);
	lab_platter_close(&busy->platter);
	return lab_hog_fail(busy->page, &err);
}

/* The spindle's own figures, from the disk. */
static int measure(struct busy *busy, struct lp_error *err)
{
	char status[LAB_DISK_LINE];
	uint64_t rate, seek_us;
	size_t block = busy->run->strength < FULL ? AIMED_BLOCK : FULL_BLOCK;
	int r = lab_disk_control(busy->run->victim->control, "status", status,
				 err);

	if (r < 0)
		return r;
	if (!lab_disk_figure(status, "rate", &rate) || rate == 0 ||
	    !lab_disk_figure(status, "seek_us", &seek_us))
		return lp_fail(err, EPROTO, "%s does not say its rate",
			       busy->run->victim->control);
	busy->block_ns = (double)block / (double)rate * (double)LP_NS_PER_S +
			 (double)seek_us * 1e3;
	return 0;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	struct busy busy = { .run = run };
	struct lab_hog *hog;
	int r = measure(&busy, err);

	if (r == 0)
		r = lab_hog_new(run->lab, &hog, err);
	if (r < 0)
		return r;
	busy.page = hog->page;
	r = lab_hog_fork(hog, run->victim, body, &busy, err);
	if (r < 0)
		lab_hog_stop(hog, NULL);
	else
		run->own = hog;
	return r;
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	double factor = atomic_load(&hog->page->factor);
	int n, r = lab_hog_alive(hog, err);

	if (r < 0)
		return r;
	n = snprintf(run->seen, sizeof(run->seen),
		     "reads %.1f MB/s beneath the device", lab_hog_rate(hog));
	if (factor > 0)
		snprintf(run->seen + n, sizeof(run->seen) - (size_t)n,
			 "; requests take %.2f times as long as those of its "
			 "peers",
			 factor);
	if (atomic_load(&hog->page->bytes) == 0)
		return lp_fail(err, EIO,
			       "it has read nothing beneath %s's disk yet",
			       run->victim->name);
	return 0;
}

const struct lab_fault lab_fault_disk_busy = {
	.name = "disk-busy",
	.summary = "the disk is kept busy by what its counters do not show",
	.strength_unit = "x",
	.strengths = { FULL, 4, 2, 1.5, 1.2 },
	.weakest = 1.05,
	.strongest = FULL,
	.cause = "disk-busy",
	.start = start,
	.stop = lab_disk_load_stop,
	.bites = bites,
};
