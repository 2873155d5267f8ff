/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All of a node: its daemons are killed, or its power fails.
 */
#include "base/memory.h"
#include "disk/control.h"
#include "driver/driver.h"
#include "failure/failure.h"
#include "failure/revive.h"
#include "site/nodekill.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- killed ---- */

static int make_killed(struct lab_failure_run *run, struct lp_error *err)
{
	(void)err;
	run->before = 0;
	for (size_t i = 0; i < run->n; i++)
		run->before += lab_node_kill(run->node[i], NULL);
	snprintf(run->seen, sizeof(run->seen), "%" PRIu64 " processes",
		 run->before);
	return 0;
}

static int are_dead(struct lab_failure_run *run, struct lp_error *err)
{
	size_t left = 0;

	for (size_t i = 0; i < run->n; i++)
		left += lab_node_count(run->node[i], NULL);
	if (run->before == 0 || left > 0)
		return lp_fail(err, EIO, "%zu processes run there", left);
	return 0;
}

static int start_all(struct lab_failure_run *run, struct lp_error *err)
{
	const struct lab_driver *driver =
		lab_driver_find(run->lab->spec.driver);
	int first = 0;

	for (size_t i = 0; i < run->n; i++) {
		int status = driver->node_start(run->lab, run->node[i],
						first < 0 ? NULL : err);

		if (first == 0)
			first = status;
	}
	return first;
}

const struct lab_failure lab_failure_killed = {
	.name = "killed",
	.summary = "all daemons of the node get SIGKILL",
	.make = make_killed,
	.bites = are_dead,
	.repair = start_all,
};

/* ---- power-cut ---- */

/* As in xfs_fs.h: at once, without writing the log. */
#define GOING_DOWN _IOR('X', 125, uint32_t)
#define NO_LOG_FLUSH 2

/* What the machine still holds in memory must not reach the disk. */
static void shut_down(const char *mounted)
{
	uint32_t how = NO_LOG_FLUSH;
	lp_auto_close int fd = open(mounted, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		ioctl(fd, GOING_DOWN, &how);
}

static int cut(struct lab_failure_run *run, const char *control, uint64_t seed,
	       struct lp_error *err)
{
	char command[80];

	if (!*control)
		return 0;
	/* Some of what was not flushed is written nevertheless. */
	snprintf(command, sizeof(command),
		 "power cut keep random 0.5 torn seed %" PRIu64, seed);
	(void)run;
	return lab_disk_control(control, command, NULL, err);
}

static int note_disks(struct lab_failure_run *run, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < run->n; i++) {
		const struct lab_node *node = run->node[i];

		if (node->device[0])
			status = lab_failure_note(run, LAB_DISK, node->control,
						  err);
		if (status == 0 && node->state_device[0])
			status = lab_failure_note(run, LAB_DISK,
						  node->state_control, err);
	}
	return status;
}

static int make_cut(struct lab_failure_run *run, struct lp_error *err)
{
	int status = note_disks(run, err);

	/* One after the other, within milliseconds: all disks, then the rest */
	for (size_t i = 0; status == 0 && i < run->n; i++) {
		const struct lab_node *node = run->node[i];

		status = cut(run, node->device[0] ? node->control : "",
			     run->seed + 2 * i, err);
		if (status == 0)
			status = cut(run,
				     node->state_device[0] ? node->state_control
							   : "",
				     run->seed + 2 * i + 1, err);
	}
	for (size_t i = 0; status == 0 && i < run->n; i++) {
		if (run->node[i]->device[0])
			shut_down(run->node[i]->brick);
		if (run->node[i]->state_device[0])
			shut_down(run->node[i]->state);
	}
	for (size_t i = 0; status == 0 && i < run->n; i++)
		lab_node_kill(run->node[i], NULL);
	return status;
}

static int is_off(struct lab_failure_run *run, struct lp_error *err)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < run->n; i++) {
		char reply[LAB_DISK_LINE];
		uint64_t one = 0;
		int status;

		if (!run->node[i]->device[0])
			continue;
		status = lab_disk_control(run->node[i]->control, "status",
					  reply, err);
		if (status < 0)
			return status;
		if (!strstr(reply, " power=off"))
			return lp_fail(err, EIO, "the disk of %s has power",
				       run->node[i]->name);
		lab_disk_figure(reply, "lost", &one);
		lost += one;
	}
	snprintf(run->seen, sizeof(run->seen), "%" PRIu64 " writes lost", lost);
	return 0;
}

const struct lab_failure lab_failure_power_cut = {
	.name = "power-cut",
	.summary = "the power of the node fails",
	.takes_disk = true,
	.make = make_cut,
	.bites = is_off,
	.repair = lab_revive_all,
};
