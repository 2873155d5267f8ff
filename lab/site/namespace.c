/* SPDX-License-Identifier: Apache-2.0 */
#include "site/namespace.h"

#include "base/memory.h"
#include "site/ending.h"
#include "site/exec.h"
#include "site/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#define OLD_DIR "/run/netns"
/* So many may hide a file; more are not looked behind. */
#define LAYERS 64
#define LIMIT_S 30

bool lab_namespace_file(const char *named, char path[PATH_MAX])
{
	static const char end[] = "/" LAB_NETNS_FILE;
	size_t n = strlen(named);

	if (named[0] != '/')
		return strncmp(named, "limpid", 6) == 0 &&
		       !strchr(named, '/') &&
		       snprintf(path, PATH_MAX, OLD_DIR "/%s", named) <
			       PATH_MAX;
	if (n < sizeof(end) || n >= PATH_MAX || strstr(named, "/..") ||
	    strcmp(named + n - (sizeof(end) - 1), end) != 0)
		return false;
	memcpy(path, named, n + 1);
	return true;
}

/* What `ip netns add` does, elsewhere: a name for the namespace of a child. */
static int make(void *context)
{
	const char *path = context;
	int fd = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);

	if (fd < 0)
		return -errno;
	close(fd);
	if (unshare(CLONE_NEWNET) < 0)
		return -errno;
	if (mount("/proc/self/ns/net", path, NULL, MS_BIND, NULL) < 0)
		return -errno;
	return 0;
}

int lab_namespace_make(const char *path, struct lp_error *err)
{
	char file[PATH_MAX];
	int status;

	snprintf(file, sizeof(file), "%s", path);
	status = lab_in_child(make, file);
	if (status < 0)
		return lp_fail_errno(err, -status,
				     "cannot make the network namespace %s",
				     path);
	return 0;
}

/* ---- removing ---- */

/*
 * In a mount namespace of its own, where it takes away whatever lies on the
 * file: then it can be unlinked, and with a file all mounts on it go, in all
 * namespaces. The machine's own mounts of /run/netns stay.
 */
static int remove_hidden(void *context)
{
	const char *path = context;
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path),
		 path);
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	for (int i = 0; i < LAYERS; i++) {
		if (unlink(path) == 0 || errno == ENOENT)
			return 0;
		if (umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW) < 0 &&
		    umount2(dir, MNT_DETACH | UMOUNT_NOFOLLOW) < 0)
			return -EBUSY;
	}
	return -EBUSY;
}

static int remove_file(const char *path)
{
	char file[PATH_MAX];

	while (umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW) == 0)
		;
	if (unlink(path) == 0 || errno == ENOENT)
		return 0;
	if (errno != EBUSY)
		return -errno;
	snprintf(file, sizeof(file), "%s", path);
	return lab_in_child(remove_hidden, file);
}

int lab_namespace_remove(const char *path, struct lp_error *err)
{
	int status = lab_is_mounted(path) ? lab_end_netns(path, err) : 0;

	if (status < 0)
		return status;
	status = remove_file(path);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot remove %s", path);
	if (strncmp(path, OLD_DIR "/", sizeof(OLD_DIR)) == 0)
		rmdir(OLD_DIR); /* if it is empty now */
	return 0;
}

/* ---- using ---- */

int lab_enter_netns(const void *path)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 || setns(fd, CLONE_NEWNET) < 0 ? -errno : 0;
}

int lab_run_in(const char *path, const char *const *argv, const char *package,
	       struct lp_error *err)
{
	struct lab_exec exec = {
		.argv = argv,
		.package = package,
		.limit_s = LIMIT_S,
		.enter = lab_enter_netns,
		.context = path,
	};

	return lab_exec_run(&exec, err);
}

struct setting {
	const char *netns, *file, *value;
};

static int write_setting(void *context)
{
	const struct setting *setting = context;
	int status = lab_enter_netns(setting->netns);

	return status < 0 ? status
			  : lab_write_line(setting->file, setting->value);
}

int lab_namespace_set(const char *path, const char *file, const char *value)
{
	struct setting setting = { path, file, value };

	return lab_in_child(write_setting, &setting);
}
