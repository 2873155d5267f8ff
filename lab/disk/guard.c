/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/guard.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int lab_guard_clear(const char *dir, struct lp_error *err)
{
	/* Opened, not looked at: attributes may be known without asking. */
	lp_auto_close int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == ENOTCONN && umount2(dir, MNT_DETACH) < 0)
		return lp_fail_errno(err, errno,
				     "cannot unmount what is left at %s", dir);
	return 0;
}

/* In a session of its own: what ends the disk's session is not to end this. */
static void watch(const char *dir, pid_t disk)
{
	struct pollfd end = { .events = POLLIN };

	setsid();
	prctl(PR_SET_NAME, "limpid-disk-end");
	close_range(0, ~0u, 0);
	/* Readable when all that the process had open is closed, not before. */
	end.fd = (int)syscall(SYS_pidfd_open, disk, 0);
	while (getppid() == disk && end.fd >= 0 && poll(&end, 1, -1) < 0 &&
	       errno == EINTR)
		continue;
	_exit(lab_guard_clear(dir, NULL) < 0);
}

int lab_guard_start(const char *dir, struct lp_error *err)
{
	const pid_t disk = getpid();
	const pid_t child = fork();

	if (child == 0)
		watch(dir, disk);
	if (child < 0)
		return lp_fail_errno(err, errno, "cannot start a process");
	return 0;
}
