/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a server keeps on its disk: files are missing, the local file system was
 * damaged and repaired, a bit has changed.
 */
#include "base/memory.h"
#include "failure/failure.h"
#include "failure/revive.h"
#include "site/exec.h"
#include "site/machine.h"
#include "workload/draw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_PERCENT 20

/* What is done with one node's files. How many, or -errno. */
typedef int files_fn(struct lab_failure_run *run, const struct lab_node *node,
		     struct lab_backend_files *files, struct lp_error *err);

/* On each node its own part, by a seed of its own. */
static int on_each(struct lab_failure_run *run, files_fn *fn,
		   struct lp_error *err)
{
	size_t all = 0;
	int status = 0;

	for (size_t i = 0; status >= 0 && i < run->n; i++) {
		struct lab_backend_files files = { 0 };

		status = lab_backend_list(run->lab, run->node[i], &files, err);
		if (status == 0 && files.n == 0)
			status = lp_fail(err, ENODATA, "%s has no files yet",
					 run->node[i]->name);
		if (status == 0) {
			lab_backend_draw(&files, run->strength, run->seed + i);
			all += files.n;
			status = fn(run, run->node[i], &files, err);
		}
		lab_backend_done(&files);
	}
	if (status < 0)
		return status;
	run->before = all;
	if (!run->seen[0])
		snprintf(run->seen, sizeof(run->seen), "%zu files", all);
	return 0;
}

static int has_done(struct lab_failure_run *run, struct lp_error *err)
{
	return run->before > 0 ? 0 : lp_fail(err, EIO, "no file was changed");
}

/* ---- missing-files ---- */

static int remove_files(struct lab_failure_run *run,
			const struct lab_node *node,
			struct lab_backend_files *files, struct lp_error *err)
{
	(void)run;
	(void)node;
	for (size_t i = 0; i < files->n; i++)
		if (unlink(files->path[i]) < 0)
			return lp_fail_errno(err, errno, "cannot remove %s",
					     files->path[i]);
	return 0;
}

static int make_missing(struct lab_failure_run *run, struct lp_error *err)
{
	return on_each(run, remove_files, err);
}

const struct lab_failure lab_failure_missing_files = {
	.name = "missing-files",
	.summary = "files of the server's brick are removed behind its back",
	.strength_unit = "%",
	.usual = USUAL_PERCENT,
	.takes_files = true,
	.make = make_missing,
	.bites = has_done,
};

/* ---- bit-rot ---- */

static int flip(const char *path, struct lab_draw *draw, struct lp_error *err)
{
	lp_auto_close int fd = open(path, O_RDWR | O_CLOEXEC);
	unsigned char byte;
	struct stat st;
	off_t at;

	if (fd < 0 || fstat(fd, &st) < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	at = (off_t)lab_draw_below(draw, (size_t)st.st_size);
	if (pread(fd, &byte, 1, at) != 1)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	byte = (unsigned char)(byte ^ (1u << lab_draw_below(draw, 8)));
	if (pwrite(fd, &byte, 1, at) != 1 || fsync(fd) < 0)
		return lp_fail_errno(err, errno, "cannot change %s", path);
	/* A medium that rots tells nobody. */
	futimens(fd, (const struct timespec[]){ st.st_atim, st.st_mtim });
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}

static int flip_files(struct lab_failure_run *run, const struct lab_node *node,
		      struct lab_backend_files *files, struct lp_error *err)
{
	struct lab_draw draw;
	int status = 0;

	(void)node;
	lab_draw_init(&draw, run->seed, 2);
	for (size_t i = 0; status == 0 && i < files->n; i++)
		status = flip(files->path[i], &draw, err);
	return status;
}

static int make_rot(struct lab_failure_run *run, struct lp_error *err)
{
	return on_each(run, flip_files, err);
}

const struct lab_failure lab_failure_bit_rot = {
	.name = "bit-rot",
	.summary = "one bit changes in files of the server's brick",
	.strength_unit = "%",
	.usual = USUAL_PERCENT,
	.takes_files = true,
	.make = make_rot,
	.bites = has_done,
};

/* ---- local-damage ---- */

#define XFS_DB_S 120.0
#define REPAIR_S 300.0

static int run_bounded(const char *const *argv, double limit_s,
		       struct lp_error *err)
{
	const struct lab_exec exec = { .argv = argv,
				       .package = "xfsprogs",
				       .limit_s = limit_s };

	return lab_exec_run(&exec, err);
}

/* -c "inode N" -c "write core.mode 0", for each */
static int damage_inodes(const char *device, const ino_t *inode, size_t n,
			 struct lp_error *err)
{
	lp_auto_free const char **argv = calloc(4 * n + 4, sizeof(*argv));
	lp_auto_free char *text = malloc(n * 40 + 1);
	size_t used = 2;
	int status;

	if (!argv || !text)
		return lp_fail_memory(err);
	argv[0] = "xfs_db";
	argv[1] = "-x";
	for (size_t i = 0; i < n; i++) {
		snprintf(text + 40 * i, 40, "inode %ju", (uintmax_t)inode[i]);
		argv[used++] = "-c";
		argv[used++] = text + 40 * i;
		argv[used++] = "-c";
		argv[used++] = "write core.mode 0";
	}
	argv[used] = device;
	status = run_bounded(argv, XFS_DB_S, err);
	return status;
}

/* A repair that fails is what the failure did, not the end of the case. */
static int damage_and_repair(struct lab_failure_run *run,
			     const struct lab_node *node, const ino_t *inode,
			     size_t n, struct lp_error *err)
{
	char device[64];
	const char *const repair[] = { "xfs_repair", device, NULL };
	struct lp_error why = { "" };
	int status = lab_lay_off(run->lab, node, err);

	snprintf(device, sizeof(device), "/dev/%s", node->device);
	if (status == 0)
		status = damage_inodes(device, inode, n, err);
	if (status < 0)
		return status;
	if (run_bounded(repair, REPAIR_S, &why) < 0)
		snprintf(run->seen, sizeof(run->seen),
			 "%zu inodes; repair failed: %.140s", n, why.text);
	else
		snprintf(run->seen, sizeof(run->seen),
			 "%zu inodes damaged and repaired", n);
	if (lab_take_on(run->lab, node, &why) < 0)
		snprintf(run->seen, sizeof(run->seen),
			 "%zu inodes; the server does not come back: %.120s", n,
			 why.text);
	return 0;
}

static int damage_files(struct lab_failure_run *run,
			const struct lab_node *node,
			struct lab_backend_files *files, struct lp_error *err)
{
	lp_auto_free ino_t *inode = calloc(files->n, sizeof(*inode));

	if (!inode)
		return lp_fail_memory(err);
	for (size_t i = 0; i < files->n; i++) {
		struct stat st;

		if (stat(files->path[i], &st) < 0)
			return lp_fail_errno(err, errno, "cannot read %s",
					     files->path[i]);
		inode[i] = st.st_ino;
	}
	return damage_and_repair(run, node, inode, files->n, err);
}

static int make_damage(struct lab_failure_run *run, struct lp_error *err)
{
	return on_each(run, damage_files, err);
}

const struct lab_failure lab_failure_local_damage = {
	.name = "local-damage",
	.summary = "the server's file system is damaged and repaired",
	.strength_unit = "%",
	.usual = USUAL_PERCENT,
	.takes_files = true,
	.make = make_damage,
	.bites = has_done,
};
