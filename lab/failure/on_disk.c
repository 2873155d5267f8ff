/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server's disk: it fails, is gone, does not answer, is full, read-only.
 */
#include "base/memory.h"
#include "disk/control.h"
#include "driver/driver.h"
#include "failure/failure.h"
#include "failure/revive.h"
#include "site/machine.h"
#include "site/nodekill.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Of a full disk: less than any file takes. */
#define FULL_BYTES 65536
#define FULL_NAME "limpid-full"

/* ---- the virtual disk ---- */

static int figure_of(const struct lab_node *node, const char *key,
		     uint64_t *figure, struct lp_error *err)
{
	char reply[LAB_DISK_LINE];
	int status = lab_disk_control(node->control, "status", reply, err);

	if (status == 0 && !lab_disk_figure(reply, key, figure))
		status = lp_fail(err, EPROTO, "%s did not report its %s",
				 node->control, key);
	return status;
}

static int sum_of(const struct lab_failure_run *run, const char *key,
		  uint64_t *sum, struct lp_error *err)
{
	int status = 0;

	*sum = 0;
	for (size_t i = 0; status == 0 && i < run->n; i++) {
		uint64_t one = 0;

		status = figure_of(run->node[i], key, &one, err);
		*sum += one;
	}
	return status;
}

static int tell_disks(struct lab_failure_run *run, const char *command,
		      struct lp_error *err)
{
	int status = sum_of(run, "failed", &run->before, err);

	for (size_t i = 0; status == 0 && i < run->n; i++)
		status = lab_failure_note(run, LAB_DISK, run->node[i]->control,
					  err);
	for (size_t i = 0; status == 0 && i < run->n; i++)
		status = lab_disk_control(run->node[i]->control, command, NULL,
					  err);
	return status;
}

static int make_error(struct lab_failure_run *run, struct lp_error *err)
{
	return tell_disks(run, "errors both", err);
}

static int make_gone(struct lab_failure_run *run, struct lp_error *err)
{
	return tell_disks(run, "gone", err);
}

static int make_stuck(struct lab_failure_run *run, struct lp_error *err)
{
	return tell_disks(run, "stuck on", err);
}

static int requests_failed(struct lab_failure_run *run, struct lp_error *err)
{
	uint64_t failed;
	int status = sum_of(run, "failed", &failed, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen), "%" PRIu64 " requests failed",
		 failed - run->before);
	return failed > run->before
		       ? 0
		       : lp_fail(err, EIO, "no request has failed yet");
}

static int requests_wait(struct lab_failure_run *run, struct lp_error *err)
{
	uint64_t waiting;
	int status = sum_of(run, "waiting", &waiting, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen), "%" PRIu64 " requests wait",
		 waiting);
	return waiting > 0 ? 0 : lp_fail(err, EIO, "no request waits yet");
}

/* The local file system may have shut down: as after a repair of the node. */
int lab_revive_all(struct lab_failure_run *run, struct lp_error *err)
{
	int first = 0;

	for (size_t i = 0; i < run->n; i++) {
		int status = lab_revive(run->lab, run->node[i],
					first < 0 ? NULL : err);

		if (first == 0)
			first = status;
	}
	return first;
}

const struct lab_failure lab_failure_device_error = {
	.name = "device-error",
	.summary = "the disk answers every request with an I/O error",
	.takes_disk = true,
	.make = make_error,
	.bites = requests_failed,
	.repair = lab_revive_all,
};

const struct lab_failure lab_failure_device_gone = {
	.name = "device-gone",
	.summary = "the disk is unplugged",
	.takes_disk = true,
	.make = make_gone,
	.bites = requests_failed,
	.repair = lab_revive_all,
};

const struct lab_failure lab_failure_device_stuck = {
	.name = "device-stuck",
	.summary = "the disk does not answer",
	.takes_disk = true,
	.make = make_stuck,
	.bites = requests_wait,
};

/* ---- disk-full ---- */

/* Twice: what the file system frees while it fills is filled, too. */
static int fill(const char *dir, struct lp_error *err)
{
	char path[PATH_MAX];
	lp_auto_close int fd = -1;
	struct statvfs fs;
	off_t at = 0;
	int status = lab_path(path, err, "%s/filling", dir);

	if (status < 0)
		return status;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot make %s", path);
	for (off_t piece = (off_t)64 << 20; piece >= 4096;) {
		if (fallocate(fd, 0, at, piece) == 0)
			at += piece;
		else
			piece /= 2;
	}
	if (statvfs(path, &fs) == 0 && fs.f_bavail * fs.f_frsize > FULL_BYTES)
		return lp_fail(err, EIO, "%s cannot be filled", dir);
	return 0;
}

static int make_full(struct lab_failure_run *run, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < run->n; i++) {
		char dir[PATH_MAX];

		status = lab_path(dir, err, "%s/" FULL_NAME,
				  run->node[i]->brick);
		if (status == 0)
			status = lab_failure_note(run, LAB_DIRECTORY, dir, err);
		if (status == 0 && mkdir(dir, 0700) < 0)
			status = lp_fail_errno(err, errno, "cannot make %s",
					       dir);
		if (status == 0)
			status = fill(dir, err);
	}
	return status;
}

static int is_full(struct lab_failure_run *run, struct lp_error *err)
{
	uint64_t left = 0;

	for (size_t i = 0; i < run->n; i++) {
		struct statvfs fs;

		if (statvfs(run->node[i]->brick, &fs) < 0)
			return lp_fail_errno(err, errno, "cannot read %s",
					     run->node[i]->brick);
		left += fs.f_bavail * fs.f_frsize;
	}
	snprintf(run->seen, sizeof(run->seen), "%" PRIu64 " kB are left",
		 left / 1000);
	return left <= run->n * (uint64_t)(1 << 20)
		       ? 0
		       : lp_fail(err, EIO, "%s", run->seen);
}

const struct lab_failure lab_failure_disk_full = {
	.name = "disk-full",
	.summary = "the server's file system is full",
	.make = make_full,
	.bites = is_full,
};

/* ---- read-only ---- */

#define BUSY_S 10.0

static bool try_read_only(const void *context)
{
	return mount(NULL, context, NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0;
}

static int make_read_only(struct lab_failure_run *run, struct lp_error *err)
{
	const struct lab_driver *driver =
		lab_driver_find(run->lab->spec.driver);
	int status = 0;

	for (size_t i = 0; status == 0 && i < run->n; i++) {
		const char *brick = run->node[i]->brick;

		status = lab_failure_note(run, LAB_READ_ONLY, brick, err);
		/* No file may be open for writing meanwhile. */
		if (status == 0)
			lab_node_kill(run->node[i], NULL);
		if (status == 0 &&
		    lab_wait_until(try_read_only, brick, BUSY_S, NULL) < 0)
			status = lp_fail_errno(
				err, errno, "cannot make %s read-only", brick);
		if (status == 0)
			status =
				driver->node_start(run->lab, run->node[i], err);
	}
	return status;
}

static int is_read_only(struct lab_failure_run *run, struct lp_error *err)
{
	for (size_t i = 0; i < run->n; i++) {
		struct statvfs fs;

		if (statvfs(run->node[i]->brick, &fs) < 0 ||
		    !(fs.f_flag & ST_RDONLY))
			return lp_fail(err, EIO, "%s can be written",
				       run->node[i]->brick);
	}
	snprintf(run->seen, sizeof(run->seen), "read-only");
	return 0;
}

const struct lab_failure lab_failure_read_only = {
	.name = "read-only",
	.summary = "the server's file system is read-only",
	.make = make_read_only,
	.bites = is_read_only,
	.repair = lab_revive_all,
};
