/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /sys/fs/fuse/connections need not be mounted, and in a container it is not:
 * fusectl is mounted in a directory of its own for the moment that it takes.
 */
#include "verify/verify.h"

#include "base/memory.h"
#include "site/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

/* The connection's number is the minor one of the mount's device. */
static int connection_of(const char *mounted, unsigned *number)
{
	lp_auto_fclose FILE *mounts = fopen("/proc/self/mountinfo", "re");
	lp_auto_free char *line = NULL;
	size_t room = 0;
	int status = -ENOENT;

	/* 36 35 0:152 / /lab/c1/mnt rw,relatime - fuse.glusterfs ... */
	while (mounts && getline(&line, &room, mounts) >= 0) {
		char path[PATH_MAX];
		unsigned minor;

		if (sscanf(line, "%*d %*d %*u:%u %*s %4095s", &minor, path) ==
			    2 &&
		    strcmp(path, mounted) == 0 && strstr(line, " - fuse.")) {
			*number = minor;
			status = 0;
		}
	}
	return status;
}

int lab_fuse_abort(const char *mounted, struct lp_error *err)
{
	char dir[] = "/tmp/limpid-fusectl-XXXXXX", path[PATH_MAX];
	unsigned number;
	int status = connection_of(mounted, &number);

	if (status < 0)
		return lp_fail(err, ENOENT, "no FUSE file system is at %s",
			       mounted);
	if (!mkdtemp(dir))
		return lp_fail_errno(err, errno, "cannot make %s", dir);
	if (mount("fusectl", dir, "fusectl", 0, NULL) < 0)
		status = -errno;
	if (status == 0) {
		snprintf(path, sizeof(path), "%s/%u/abort", dir, number);
		status = lab_write_line(path, "1");
		umount2(dir, MNT_DETACH);
	}
	rmdir(dir);
	return status < 0 ? lp_fail_errno(err, -status,
					  "cannot abort the connection of %s",
					  mounted)
			  : 0;
}
