/* SPDX-License-Identifier: Apache-2.0 */
#include "site/undo.h"

#include "base/memory.h"
#include "base/number.h"
#include "disk/control.h"
#include "inject/deed.h"
#include "site/ending.h"
#include "site/exec.h"
#include "site/loop.h"
#include "site/machine.h"
#include "site/namespace.h"
#include "site/network.h"
#include "site/retold.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_S 5.0
/* A file system that is unmounted still writes what it kept. */
#define DETACH_S 10.0
/* Long enough for a daemon that just ended; then it is done lazily. */
#define UNMOUNT_S 0.2

/* A journal is a file: what it says is looked at before it is done. */
static int refuse(const char *what, const char *text, struct lp_error *err)
{
	return lp_fail(
		err, EINVAL,
		"the journal names the %s '%s', which is not part of a lab",
		what, text);
}

static bool is_plain_path(const char *path)
{
	return path[0] == '/' && strchr(path + 1, '/') && !strstr(path, "/..");
}

/* ---- directories ---- */

static int remove_tree(const char *path, struct lp_error *err)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *tree =
		fts_open(paths, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
	const FTSENT *entry;
	int failed = 0;

	if (!tree)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	while ((entry = fts_read(tree))) {
		if (entry->fts_info == FTS_D)
			continue;
		if (remove(entry->fts_accpath) < 0 && errno != ENOENT &&
		    failed == 0) {
			failed = errno;
			lp_fail_errno(err, failed, "cannot remove %s",
				      entry->fts_path);
		}
	}
	fts_close(tree);
	return -failed;
}

static int undo_directory(const char *path, struct lp_error *err)
{
	if (!is_plain_path(path))
		return refuse("directory", path, err);
	lab_detach_below(path);
	return remove_tree(path, err);
}

/* ---- namespaces ---- */

static int undo_netns(const char *named, struct lp_error *err)
{
	char path[PATH_MAX];

	return lab_namespace_file(named, path)
		       ? lab_namespace_remove(path, err)
		       : refuse("network namespace", named, err);
}

/* ---- mounts and loop devices ---- */

static bool try_unmount(const void *context)
{
	if (umount2(context, UMOUNT_NOFOLLOW) == 0)
		return !lab_is_mounted(context);
	return errno != EBUSY;
}

static int undo_mount(const char *path, struct lp_error *err)
{
	if (!is_plain_path(path))
		return refuse("mount", path, err);
	if (!lab_is_mounted(path))
		return 0;
	if (lab_wait_until(try_unmount, path, UNMOUNT_S, NULL) == 0 &&
	    !lab_is_mounted(path))
		return 0;
	lab_detach_below(path);
	if (lab_is_mounted(path))
		return lp_fail(err, EBUSY, "%s cannot be unmounted", path);
	return 0;
}

static bool is_loop_gone(const void *context)
{
	char name[32];

	return !lab_loop_of(context, name);
}

/* As the kernel gives a new one: the next user shall not inherit ours. */
static void restore_queue(const char *name)
{
	static const struct {
		const char *file, *value;
	} usual[] = {
		{ "bdi/strict_limit", "0" },
		{ "bdi/max_ratio", "100" },
		{ "queue/read_ahead_kb", "128" },
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < lp_array_size(usual); i++) {
		snprintf(path, sizeof(path), "/sys/block/%s/%s", name,
			 usual[i].file);
		lab_write_line(path, usual[i].value);
	}
}

static int in_use(const char *name, const char *file, struct lp_error *err)
{
	struct stat st;
	char path[64], who[64];

	snprintf(path, sizeof(path), "/dev/%s", name);
	if (stat(path, &st) < 0 || !lab_user_of(st.st_rdev, who))
		snprintf(who, sizeof(who), "something");
	return lp_fail(err, EBUSY, "%s, the disk %s, is in use by %s", path,
		       file, who);
}

static int undo_loop(const char *file, struct lp_error *err)
{
	char name[32], path[64];
	lp_auto_close int fd = -1;

	if (!is_plain_path(file))
		return refuse("backing file", file, err);
	if (!lab_loop_of(file, name))
		return 0;
	restore_queue(name);
	snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	if (ioctl(fd, LOOP_CLR_FD, 0) < 0 && errno != ENXIO)
		return lp_fail_errno(err, errno, "cannot detach %s", path);
	close(fd); /* it is detached when the last user is gone: us */
	fd = -1;
	if (lab_wait_until(is_loop_gone, file, DETACH_S, NULL) < 0)
		return in_use(name, file, err);
	return 0;
}

static bool try_remove_node(const void *context)
{
	lp_auto_close int control =
		open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	return control < 0 ||
	       ioctl(control, LOOP_CTL_REMOVE, *(const long *)context) == 0 ||
	       errno != EBUSY;
}

/*
 * "9 /var/lib/limpid-lab/s1/door/disk", or "9" of an older lab. Somebody else
 * may use it by now; then it is theirs.
 */
static int undo_loop_node(const char *text, struct lp_error *err)
{
	char *end, name[32], node[32];
	long number = strtol(text, &end, 10);

	if (number < 0 || end == text || (*end && !is_plain_path(end + 1)))
		return refuse("loop device", text, err);
	snprintf(node, sizeof(node), "loop%ld", number);
	if (*end && lab_loop_of(end + 1, name) && strcmp(name, node) == 0)
		return lp_fail(err, EBUSY, "/dev/%s stays while it is in use",
			       name);
	lab_wait_until(try_remove_node, &number, DETACH_S, NULL);
	return 0;
}

/* ---- processes ---- */

static bool try_rmdir(const void *context)
{
	return rmdir(context) == 0 || errno == ENOENT;
}

static int undo_cgroup(const char *path, struct lp_error *err)
{
	char list[PATH_MAX];
	int status;

	if (strncmp(path, "/sys/fs/cgroup/", 15) != 0 ||
	    !strstr(path, "/limpid") || !is_plain_path(path))
		return refuse("cgroup", path, err);
	status = lab_path(list, err, "%s/cgroup.procs", path);
	if (status == 0)
		status = lab_end_cgroup(list, err);
	if (status == 0 && lab_wait_until(try_rmdir, path, WAIT_S, NULL) < 0)
		status = lp_fail(err, EBUSY, "the cgroup %s cannot be removed",
				 path);
	return status;
}

/* "4711 123456" */
static int undo_process(const char *text, struct lp_error *err)
{
	const char *at = text, *end = text + strlen(text);
	uint64_t pid, start;

	if (!lp_scan_u64(&at, end, &pid) || !lp_scan_u64(&at, end, &start) ||
	    at != end || pid < 2 || pid > INT_MAX)
		return refuse("process", text, err);
	return lab_end_session((pid_t)pid, start, err);
}

/* ---- what faults change ---- */

#define RULE_WORDS 64

/* Cut a copy of the rule into words behind "iptables -w -D". */
static int rule_words(char *rule, const char *argv[RULE_WORDS])
{
	size_t n = 0;
	char *save;

	argv[n++] = "iptables";
	argv[n++] = "-w";
	argv[n++] = "-D";
	for (char *word = strtok_r(rule, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		if (n == RULE_WORDS - 1)
			return -E2BIG;
		argv[n++] = word;
	}
	argv[n] = NULL;
	return 0;
}

/* "/var/lib/limpid-lab/bridge/netns FORWARD -m physdev ... -j DROP" */
static int undo_rule(const char *text, struct lp_error *err)
{
	lp_auto_free char *copy = strdup(text);
	char *blank = copy ? strchr(copy, ' ') : NULL;
	const char *argv[RULE_WORDS];
	char path[PATH_MAX];
	struct lab_exec exec = {
		.argv = argv,
		.package = "iptables",
		.limit_s = WAIT_S,
		.enter = lab_enter_netns,
		.context = path,
	};
	struct lp_error gone;

	if (!copy)
		return lp_fail_memory(err);
	if (!blank)
		return refuse("rule", text, err);
	*blank = '\0';
	if (!lab_namespace_file(copy, path) || rule_words(blank + 1, argv) < 0)
		return refuse("rule", text, err);
	/* The rules of a namespace that is gone are gone. */
	if (!lab_is_mounted(path))
		return 0;
	for (int i = 0; i < 100 && lab_exec_run(&exec, &gone) == 0; i++)
		;
	return 0;
}

/* "128 /sys/block/loop9/queue/read_ahead_kb" */
static int undo_setting(const char *text, struct lp_error *err)
{
	const char *blank = strchr(text, ' ');
	char value[256];
	int status;

	if (!blank || (size_t)(blank - text) >= sizeof(value) ||
	    (strncmp(blank + 1, "/sys/", 5) != 0 &&
	     strncmp(blank + 1, "/proc/", 6) != 0) ||
	    strstr(blank, "/.."))
		return refuse("setting", text, err);
	memcpy(value, text, (size_t)(blank - text));
	value[blank - text] = '\0';
	status = lab_write_line(blank + 1, value);
	if (status < 0 && status != -ENOENT && status != -ENODEV)
		return lp_fail_errno(err, -status, "cannot write %s to %s",
				     value, blank + 1);
	return 0;
}

/* "/var/lib/limpid-lab/s3/netns eth0 150000000" */
static int undo_link(const char *text, struct lp_error *err)
{
	lp_auto_free char *netns = NULL, *device = NULL;
	char path[PATH_MAX];
	unsigned long long bits;

	if (sscanf(text, "%ms %ms %llu", &netns, &device, &bits) != 3 ||
	    !lab_namespace_file(netns, path) || bits == 0)
		return refuse("link", text, err);
	/* Links of a namespace that is gone are gone. */
	return lab_is_mounted(path) ? lab_network_rate(path, device, bits, err)
				    : 0;
}

/* "/var/lib/limpid-lab/bridge/netns s3" */
static int undo_port(const char *text, struct lp_error *err)
{
	lp_auto_free char *netns = NULL, *device = NULL;
	char path[PATH_MAX];

	if (sscanf(text, "%ms %ms", &netns, &device) != 2 ||
	    !lab_namespace_file(netns, path))
		return refuse("port", text, err);
	/* Devices of a namespace that is gone are gone. */
	return lab_is_mounted(path) ? LAB_RUN_IN(path, "iproute2", err, "ip",
						 "link", "set", device, "up")
				    : 0;
}

static int undo_read_only(const char *path, struct lp_error *err)
{
	if (!is_plain_path(path))
		return refuse("mount", path, err);
	if (!lab_is_mounted(path))
		return 0;
	if (mount(NULL, path, NULL, MS_REMOUNT | MS_NOATIME, NULL) < 0)
		return lp_fail_errno(err, errno, "cannot make %s writable",
				     path);
	return 0;
}

/* "/var/lib/limpid-lab/s1/control reset;seek 0" */
static int undo_disk(const char *text, struct lp_error *err)
{
	lp_auto_free char *copy = strdup(text);
	char *commands, *save, *command;
	int status = 0;

	if (!copy)
		return lp_fail_memory(err);
	commands = strchr(copy, ' ');
	if (commands)
		*commands++ = '\0';
	command = commands ? strtok_r(commands, ";", &save) : "reset";
	while (command && status == 0) {
		status = lab_disk_control(copy, command, NULL, err);
		command = commands ? strtok_r(NULL, ";", &save) : NULL;
	}
	/* A disk that is gone has no settings; one that is ill is ended. */
	return status == -ENOENT || status == -ECONNREFUSED ||
			       status == -ETIMEDOUT
		       ? 0
		       : status;
}

static int undo_nothing(const char *text, struct lp_error *err)
{
	(void)text;
	(void)err;
	return 0;
}

static int (*const undo_fns[LAB_THINGS])(const char *, struct lp_error *) = {
	[LAB_DIRECTORY] = undo_directory, [LAB_NETNS] = undo_netns,
	[LAB_MOUNT] = undo_mount,         [LAB_LOOP] = undo_loop,
	[LAB_CGROUP] = undo_cgroup,       [LAB_PROCESS] = undo_process,
	[LAB_RULE] = undo_rule,           [LAB_SETTING] = undo_setting,
	[LAB_LINK] = undo_link,           [LAB_DISK] = undo_disk,
	[LAB_FAULT] = undo_nothing,       [LAB_LOOP_NODE] = undo_loop_node,
	[LAB_PORT] = undo_port,           [LAB_READ_ONLY] = undo_read_only,
	[LAB_DEED] = lab_deed_end,        [LAB_RETOLD] = lab_retold_undo,
};

int lab_undo(enum lab_thing thing, const char *text, struct lp_error *err)
{
	return undo_fns[thing](text, err);
}
