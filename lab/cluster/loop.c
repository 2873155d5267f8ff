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

/* A number that no loop device has. */
static int unused_number(void)
{
	char path[64];
	int number = 0;

	do
		snprintf(path, sizeof(path), "/sys/block/loop%d", number++);
	while (access(path, F_OK) == 0);
	return number - 1;
}

/* The number of a new one, or -errno: the kernel gives none. */
static int add_node(struct lab_journal *journal, int control,
		    struct lp_error *err)
{
	char text[16];
	size_t mark;
	int r, number = unused_number();

	snprintf(text, sizeof(text), "%d", number);
	r = lab_journal_note(journal, LAB_LOOP_NODE, text, &mark, err);
	if (r < 0)
		return r;
	if (ioctl(control, LOOP_CTL_ADD, number) == number)
		return number;
	r = lp_fail_errno(err, errno, "cannot make /dev/loop%d", number);
	lab_journal_undo(journal, mark, NULL);
	return r;
}

static int find_device(struct lab_journal *journal, int control,
		       struct lp_error *err)
{
	int number = add_node(journal, control, err);

	if (number < 0)
		number = ioctl(control, LOOP_CTL_GET_FREE);
	return number < 0 ? lp_fail_errno(err, errno,
					  "there is no free loop device")
			  : number;
}

int lab_loop_attach(struct lab_journal *journal, const char *file,
		    char name[32], struct lp_error *err)
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
		int number = find_device(journal, control, err);

		r = number < 0 ? number
			       : lab_journal_note(journal, LAB_LOOP, file, NULL,
						  err);
		if (r == 0)
			r = configure(number, backing, name, err);
	}
	return r;
}
