/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disk-busy: something reads the server's disk beneath the device, through the
 * disk's second door: it takes the spindle's time, and the server's diskstats
 * show none of its requests, only that their own take longer.
 */
#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "disk/control.h"
#include "fault/aim.h"
#include "fault/diskqueue.h"

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
/*
 * Of the requests and their times so far, each second: written data come in
 * bursts of some seconds, and only several of them tell.
 */
#define KEPT 0.92
/* Fewer say nothing. */
#define FEW 8

struct busy {
	const struct lab_fault_run *run;
	struct lab_hog_page *page;
	double block_ns; /* of the spindle's time, that a block takes */
	struct lab_aim aim;
	/* The victim's first, then its peers'. */
	int stat[LAB_AIM_MOST_DISKS];
	struct lab_diskstat last[LAB_AIM_MOST_DISKS];
	double ios[LAB_AIM_MOST_DISKS], ms[LAB_AIM_MOST_DISKS];
	size_t disks;
	int64_t looked_ns;
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
	int status = open_stat(busy, victim, err);

	for (size_t i = 0; status == 0 && busy->disks < LAB_AIM_MOST_DISKS;
	     i++) {
		server = lab_nth(busy->run->lab, LAB_SERVER, i);
		if (!server)
			break;
		if (server != victim)
			status = open_stat(busy, server, err);
	}
	return status;
}

/* Mean ms of a request in the last seconds; -1 if there were too few. */
static double await_of(struct busy *busy, size_t i)
{
	struct lab_diskstat now, *last = &busy->last[i];

	if (read_stat(busy->stat[i], &now) < 0 || now.ios < last->ios ||
	    now.ticks_ms < last->ticks_ms)
		return -1;
	busy->ios[i] = KEPT * busy->ios[i] + (double)(now.ios - last->ios);
	busy->ms[i] =
		KEPT * busy->ms[i] + (double)(now.ticks_ms - last->ticks_ms);
	*last = now;
	return busy->ios[i] < FEW ? -1 : busy->ms[i] / busy->ios[i];
}

/* Once a second: how long did requests take here and there? */
static void look(struct busy *busy)
{
	double await[LAB_AIM_MOST_DISKS];
	size_t peers = busy->disks - 1;

	for (size_t i = 0; i < busy->disks; i++)
		await[i] = await_of(busy, i);
	if (peers == 0)
		return;
	qsort(await + 1, peers, sizeof(await[0]), lp_compare_double);
	lab_aim_update(&busy->aim, await[0], await[1 + peers / 2]);
	atomic_store(&busy->page->factor, busy->aim.seen);
}

static void look_each_second(struct busy *busy, int64_t now_ns)
{
	if (now_ns - busy->looked_ns < LP_NS_PER_S)
		return;
	busy->looked_ns = now_ns;
	look(busy);
}

/* As the published fault does: block after block. */
static int take_all(struct busy *busy, struct lp_error *err)
{
	struct lab_platter platter;
	int status = lab_platter_open(&platter, busy->run->victim->under,
				      FULL_BLOCK, err);

	if (status < 0)
		return status;
	while (status == 0) {
		status = lab_platter_read(&platter, err);
		atomic_fetch_add(&busy->page->bytes, FULL_BLOCK);
		look_each_second(busy, lp_monotonic_now());
	}
	lab_platter_close(&platter);
	return status;
}

/* A block whenever one is due for the share, whatever the others wait for. */
static int take_share(struct busy *busy, struct lab_disk_queue *queue,
		      struct lp_error *err)
{
	int64_t now_ns = lp_monotonic_now(), due_ns = now_ns, wait_ns;
	int status = 0;

	while (status >= 0) {
		for (; due_ns <= now_ns && queue->n_idle > 0 && status >= 0;
		     due_ns +=
		     (int64_t)(busy->block_ns / lab_aim_share(&busy->aim)))
			status = lab_disk_queue_submit(queue, err);
		wait_ns = queue->n_idle > 0 ? due_ns - now_ns : LP_NS_PER_S;
		if (status >= 0)
			status = lab_disk_queue_reap(
				queue,
				wait_ns > LP_NS_PER_S ? LP_NS_PER_S : wait_ns,
				err);
		if (status > 0)
			atomic_fetch_add(&busy->page->bytes,
					 (uint64_t)status * AIMED_BLOCK);
		now_ns = lp_monotonic_now();
		/* What it could not take in time is lost. */
		if (due_ns < now_ns - LP_NS_PER_S)
			due_ns = now_ns;
		look_each_second(busy, now_ns);
	}
	return status;
}

static int take_aimed(struct busy *busy, struct lp_error *err)
{
	struct lab_disk_queue queue;
	int status = lab_disk_queue_open(&queue, busy->run->victim->under,
					 AIMED_BLOCK, err);

	if (status < 0)
		return status;
	status = take_share(busy, &queue, err);
	lab_disk_queue_close(&queue);
	return status;
}

static int body(void *context)
{
	struct busy *busy = context;
	struct lp_error err;

	lab_aim_init(&busy->aim, busy->run->strength);
	if (open_stats(busy, &err) == 0) {
		if (busy->run->strength < FULL)
			take_aimed(busy, &err);
		else
			take_all(busy, &err);
	}
	return lab_hog_fail(busy->page, &err);
}

/* The spindle's own figures, from the disk. */
static int measure(struct busy *busy, struct lp_error *err)
{
	char reply[LAB_DISK_LINE];
	uint64_t rate, seek_us;
	int status = lab_disk_control(busy->run->victim->control, "status",
				      reply, err);

	if (status < 0)
		return status;
	if (!lab_disk_figure(reply, "rate", &rate) || rate == 0 ||
	    !lab_disk_figure(reply, "seek_us", &seek_us))
		return lp_fail(err, EPROTO, "%s did not report its rate",
			       busy->run->victim->control);
	busy->block_ns = (double)AIMED_BLOCK / (double)rate * 1e9 +
			 (double)seek_us * 1e3;
	return 0;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	struct busy busy = { .run = run };
	int status = measure(&busy, err);

	return status < 0 ? status
			  : lab_hog_put_on(run, run->victim, body, &busy,
					   &busy.page, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	double factor = atomic_load(&hog->page->factor);
	int n, status = lab_hog_alive(hog, err);

	if (status < 0)
		return status;
	n = snprintf(run->seen, sizeof(run->seen),
		     "reads %.1f MB/s below the device", lab_hog_rate(hog));
	if (factor > 0)
		snprintf(run->seen + n, sizeof(run->seen) - (size_t)n,
			 "; requests take %.2f times as long as those of its "
			 "peers",
			 factor);
	if (atomic_load(&hog->page->bytes) == 0)
		return lp_fail(err, EIO,
			       "it has not read anything below %s's disk yet",
			       run->victim->name);
	return 0;
}

const struct lab_fault lab_fault_disk_busy = {
	.name = "disk-busy",
	.summary =
		"something keeps the disk busy that its counters do not show",
	.strength_unit = "x",
	.strengths = { FULL, 4, 2, 1.5, 1.2 },
	.weakest = 1.05,
	.strongest = FULL,
	.cause = "disk-busy",
	.start = start,
	.stop = lab_hog_take_off,
	.bites = bites,
};
