/* SPDX-License-Identifier: Apache-2.0 */
#include "site/vdisk.h"

#include "base/helper.h"
#include "base/memory.h"
#include "disk/control.h"
#include "site/exec.h"
#include "site/loop.h"
#include "site/machine.h"
#include "site/node.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define START_S 10.0
/* Dirty pages of one disk: about a second's work, not a share of all memory. */
#define DIRTY_BYTES "16777216"
#define FAST_RATE "rate 2000M"
#define FAST_SEEK "seek 0"
/* XFS takes no smaller ones; nearly all of it stays a hole. */
#define STATE_BYTES ((uint64_t)320 << 20)

/* One disk, of those that a node may have. */
struct disk {
	const char *node;
	const char *image, *door, *log; /* names in the node's directory */
	const char *file, *control, *mount;
	char *device; /* 32 bytes; filled */
	uint64_t bytes, rate, seek_ns;
};

/* ---- can it be made? ---- */

int lab_vdisk_room(const char *dir, const struct lab_spec *spec,
		   struct lp_error *err)
{
	uint64_t need = spec->servers * spec->disk_bytes, free_bytes;
	struct statvfs fs;

	if (statvfs(dir, &fs) < 0)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (free_bytes < need)
		return lp_fail(
			err, ENOSPC,
			"%s has %" PRIu64 " MB left, and %lu disks of "
			"%" PRIu64 " MB may need %" PRIu64
			": use smaller ones (--disk-size) or another --dir",
			dir, free_bytes / 1000000, spec->servers,
			spec->disk_bytes / 1000000, need / 1000000);
	return 0;
}

int lab_vdisk_check(struct lp_error *err)
{
	char path[PATH_MAX];

	if (access("/dev/fuse", R_OK | W_OK) < 0)
		return lp_fail(err, ENODEV,
			       "there is no /dev/fuse, which virtual disks "
			       "and clients need: load it (modprobe fuse), or "
			       "let the container have it");
	if (access("/dev/loop-control", R_OK | W_OK) < 0)
		return lp_fail(err, ENODEV,
			       "there is no /dev/loop-control: load it "
			       "(modprobe loop), or let the container have it");
	if (lp_helper_path("disk", path) < 0)
		return lp_fail(err, ENOENT,
			       "there is no %s: limpid was built without "
			       "libfuse3 (package libfuse3-dev)",
			       path);
	return lab_need_program("mkfs.xfs", "xfsprogs", err);
}

/* ---- the virtual disk ---- */

struct starting {
	const char *control;
	pid_t pid;
	bool died;
};

static bool answers(const void *context)
{
	struct starting *starting = (struct starting *)context;
	struct lp_error err;
	uint64_t start;

	starting->died = lab_process_start(starting->pid, &start) < 0;
	return starting->died ||
	       lab_disk_control(starting->control, "status", NULL, &err) == 0;
}

/* The last line of a program's log: why it ended. */
static void last_words(const char *log, char words[256])
{
	lp_auto_fclose FILE *file = fopen(log, "re");
	char line[256];

	snprintf(words, 256, "without a word");
	while (file && fgets(line, sizeof(line), file))
		snprintf(words, 256, "%.*s", (int)strcspn(line, "\n"), line);
}

static int wait_for_disk(const struct disk *disk, pid_t pid, const char *log,
			 struct lp_error *err)
{
	struct starting starting = { .control = disk->control, .pid = pid };
	char words[256];
	int status = lab_wait_until(answers, &starting, START_S, NULL);

	if (status == 0 && !starting.died && access(disk->file, F_OK) == 0)
		return 0;
	last_words(log, words);
	return lp_fail(err, EIO, "the virtual disk of %s does not start: %s",
		       disk->node, words);
}

static int in_node(const struct lab *lab, const struct disk *disk,
		   const char *name, char path[PATH_MAX], struct lp_error *err)
{
	return lab_path(path, err, "%s/%s/%s", lab->dir, disk->node, name);
}

static int start_disk(struct lab *lab, const struct disk *disk,
		      struct lp_error *err)
{
	char program[PATH_MAX], image[PATH_MAX], door[PATH_MAX], log[PATH_MAX];
	char size[32], rate[32], seek[32], cache[32];
	const char *const argv[] = {
		program,       "--backing", image, "--mount", door, "--control",
		disk->control, "--size",    size,  "--rate",  rate, "--seek",
		seek,          "--set",     cache, NULL
	};
	pid_t pid = -1;
	int status = in_node(lab, disk, disk->image, image, err);

	if (status == 0)
		status = in_node(lab, disk, disk->door, door, err);
	if (status == 0)
		status = in_node(lab, disk, disk->log, log, err);
	if (status < 0)
		return status;
	snprintf(size, sizeof(size), "%" PRIu64, disk->bytes);
	snprintf(rate, sizeof(rate), "%" PRIu64, disk->rate);
	snprintf(seek, sizeof(seek), "%.6f", (double)disk->seek_ns / 1e6);
	snprintf(cache, sizeof(cache), "cache %s", lab->spec.cache);
	lp_helper_path("disk", program);
	if (mkdir(door, 0755) < 0)
		return lp_fail_errno(err, errno, "cannot make %s", door);
	status = lab_journal_note(lab->journal, LAB_MOUNT, door, NULL, err);
	if (status == 0)
		status = lab_spawn(lab->journal, argv, log, &pid, NULL, err);
	return status < 0 ? status : wait_for_disk(disk, pid, log, err);
}

/* ---- its queue ---- */

/*
 * A loop device that was in use before keeps the settings of its last user: a
 * read-ahead of 2560 instead of 128 KiB makes 142 ms of 30.
 */
static int set_queue(const struct disk *disk, struct lp_error *err)
{
	static const struct {
		const char *file, *value;
		bool must;
	} settings[] = {
		{ "queue/scheduler", "none", false },
		{ "queue/read_ahead_kb", "128", true },
		{ "queue/max_sectors_kb", "512", false },
		{ "queue/nr_requests", "128", true },
		{ "bdi/strict_limit", "1", false },
		{ "bdi/max_bytes", DIRTY_BYTES, false },
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < lp_array_size(settings); i++) {
		int status = lab_path(path, err, "/sys/block/%s/%s",
				      disk->device, settings[i].file);

		if (status < 0)
			return status;
		status = lab_write_line(path, settings[i].value);
		if (status < 0 && settings[i].must)
			return lp_fail_errno(err, -status, "cannot set %s",
					     path);
	}
	return 0;
}

/* ---- the file system on it ---- */

static int make_xfs(const char *device, const char *brick, struct lp_error *err)
{
	int status =
		LAB_RUN("xfsprogs", err, "mkfs.xfs", "-q", "-f", "-K", device);

	if (status < 0)
		return status;
	if (mount(device, brick, "xfs", MS_NOATIME, NULL) < 0)
		return lp_fail_errno(err, errno, "cannot mount %s as XFS",
				     device);
	return 0;
}

static int make_ext4(const char *device, const char *brick,
		     struct lp_error *err)
{
	/* Nothing lazy: it would go on in the background for minutes. */
	int status = LAB_RUN("e2fsprogs", err, "mkfs.ext4", "-q", "-F", "-E",
			     "nodiscard,lazy_itable_init=0,lazy_journal_init=0",
			     device);

	if (status < 0)
		return status;
	if (mount(device, brick, "ext4", MS_NOATIME, NULL) < 0)
		return lp_fail_errno(err, errno, "cannot mount %s as ext4",
				     device);
	return 0;
}

static int make_file_system(struct lab *lab, const struct disk *disk,
			    struct lp_error *err)
{
	char device[64], fast[PATH_MAX];
	int status;

	snprintf(device, sizeof(device), "/dev/%s", disk->device);
	if (mkdir(disk->mount, 0755) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s", disk->mount);
	status = lab_journal_note(lab->journal, LAB_MOUNT, disk->mount, NULL,
				  err);
	if (status < 0)
		return status;
	status = make_xfs(device, disk->mount, err);
	if (status == -ENODEV) /* a kernel without XFS */
		status = make_ext4(device, disk->mount, err);
	/* Before it is unmounted: well and fast, whatever was done to it. */
	if (status == 0)
		status =
			lab_path(fast, err, "%s reset;" FAST_RATE ";" FAST_SEEK,
				 disk->control);
	if (status == 0)
		status = lab_journal_note(lab->journal, LAB_DISK, fast, NULL,
					  err);
	return status;
}

static int make_disk(struct lab *lab, const struct disk *disk,
		     struct lp_error *err)
{
	int status = start_disk(lab, disk, err);

	if (status == 0)
		status = lab_disk_control(disk->control, FAST_RATE, NULL, err);
	if (status == 0)
		status = lab_disk_control(disk->control, FAST_SEEK, NULL, err);
	if (status == 0)
		status = lab_loop_attach(lab->journal, disk->file, disk->device,
					 err);
	if (status == 0)
		status = set_queue(disk, err);
	return status < 0 ? status : make_file_system(lab, disk, err);
}

int lab_vdisk_make(struct lab *lab, struct lab_node *server,
		   struct lp_error *err)
{
	const struct disk disk = {
		.node = server->name,
		.image = "image",
		.door = "door",
		.log = "disk.log",
		.file = server->disk,
		.control = server->control,
		.mount = server->brick,
		.device = server->device,
		.bytes = lab->spec.disk_bytes,
		.rate = lab->spec.disk_rate,
		.seek_ns = lab->spec.seek_ns,
	};

	return make_disk(lab, &disk, err);
}

int lab_vdisk_make_state(struct lab *lab, struct lab_node *node,
			 struct lp_error *err)
{
	const struct disk disk = {
		.node = node->name,
		.image = "state-image",
		.door = "state-door",
		.log = "state-disk.log",
		.file = node->state_disk,
		.control = node->state_control,
		.mount = node->state,
		.device = node->state_device,
		.bytes = STATE_BYTES,
		.rate = 100 * 1000 * 1000,
	};

	return *node->state ? make_disk(lab, &disk, err) : 0;
}

int lab_vdisk_slow(const struct lab_node *server, struct lp_error *err)
{
	return lab_disk_control(server->control, "reset", NULL, err);
}
