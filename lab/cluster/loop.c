/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/loop.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TRIES 64

/* 0; -EBUSY: another took it between the question and now. */
static int configure(int number, int backing, char name[32],
		     struct lp_error *err)
{
	struct loop_config config = {
		.fd = (__u32)backing,
		.info.lo_flags = LO_FLAGS_DIRECT_IO,
	};
	lp_auto_close int fd = -1;
	char path[64];

	snprintf(path, sizeof(path), "/dev/loop%d", number);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	if (ioctl(fd, LOOP_CONFIGURE, &config) < 0)
		return lp_fail_errno(err, errno, "cannot set up %s", path);
	/* Without it the page cache below would answer instead of the disk. */
	if (ioctl(fd, LOOP_SET_DIRECT_IO, 1UL) < 0)
		return lp_fail_errno(err, errno, "%s refuses direct I/O", path);
	snprintf(name, 32, "loop%d", number);
	return 0;
}

int lab_loop_attach(const char *file, char name[32], struct lp_error *err)
{
	lp_auto_close int control =
		open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	lp_auto_close int backing = open(file, O_RDWR | O_CLOEXEC);
	int r = -EBUSY;

	if (control < 0)
		return lp_fail_errno(err, errno,
				     "cannot open /dev/loop-control");
	if (backing < 0)
		return lp_fail_errno(err, errno, "cannot open %s", file);
	for (int i = 0; r == -EBUSY && i < TRIES; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		if (number < 0)
			return lp_fail_errno(err, errno,
					     "there is no free loop device");
		r = configure(number, backing, name, err);
	}
	return r;
}
