/* SPDX-License-Identifier: Apache-2.0 */
#include "site/loop.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "site/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TRIES 64

/*
 * The kernel forgets the path of a file that was unmounted or removed; this
 * name for it stays with the device as long as anybody uses that.
 */
static void tag(const char *file, __u8 name[LO_NAME_SIZE])
{
	snprintf((char *)name, LO_NAME_SIZE, "limpid-lab %08x",
		 (unsigned)lp_crc32c(0, file, strlen(file)));
}

static bool is_tagged(const char *name, const char *file)
{
	lp_auto_close int fd = -1;
	struct loop_info64 info;
	__u8 wanted[LO_NAME_SIZE];
	char path[64];

	snprintf(path, sizeof(path), "/dev/%.31s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, LOOP_GET_STATUS64, &info) < 0)
		return false;
	tag(file, wanted);
	return strncmp((const char *)info.lo_file_name, (const char *)wanted,
		       LO_NAME_SIZE) == 0;
}

/* Others' devices are not opened to see: they may be about to go. */
static bool is_behind(const char *name, const char *file)
{
	char path[PATH_MAX], line[PATH_MAX];

	snprintf(path, sizeof(path), "/sys/block/%s/loop/backing_file", name);
	if (lab_read_line(path, line, sizeof(line)) < 0)
		return false;
	return strcmp(line, file) == 0 ||
	       (strncmp(line, strrchr(file, '/'), strlen(strrchr(file, '/'))) ==
			0 &&
		is_tagged(name, file));
}

bool lab_loop_of(const char *file, char name[32])
{
	DIR *blocks = opendir("/sys/block");
	const struct dirent *entry;
	bool found = false;

	while (blocks && !found && (entry = readdir(blocks)))
		if (strncmp(entry->d_name, "loop", 4) == 0 &&
		    strlen(entry->d_name) < 32 &&
		    is_behind(entry->d_name, file)) {
			snprintf(name, 32, "%.31s", entry->d_name);
			found = true;
		}
	if (blocks)
		closedir(blocks);
	return found;
}

/* 0; -EBUSY: another took it between the question and now. */
static int configure(int number, int backing, const char *file, char name[32],
		     struct lp_error *err)
{
	struct loop_config config = {
		.fd = (__u32)backing,
		.info.lo_flags = LO_FLAGS_DIRECT_IO,
	};
	lp_auto_close int fd = -1;
	char path[64];

	tag(file, config.info.lo_file_name);
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

/* The first number from 'first' on that no loop device has. */
static int unused_number(int first)
{
	char path[64];
	int number = first;

	do
		snprintf(path, sizeof(path), "/sys/block/loop%d", number++);
	while (access(path, F_OK) == 0);
	return number - 1;
}

/*
 * Make /dev/loopNUMBER: the number, or -errno: the kernel gives none. -EEXIST:
 * another has just made one of that number, or is about to remove one.
 */
static int add_node(struct lab_journal *journal, const char *file, int control,
		    int number, struct lp_error *err)
{
	char text[PATH_MAX + 16];
	size_t mark;
	int status;

	snprintf(text, sizeof(text), "%d %s", number, file);
	status = lab_journal_note(journal, LAB_LOOP_NODE, text, &mark, err);
	if (status < 0)
		return status;
	if (ioctl(control, LOOP_CTL_ADD, number) == number)
		return number;
	status = lp_fail_errno(err, errno, "cannot make /dev/loop%d", number);
	/* It is not ours: forget it, and do not remove theirs. */
	if (status == -EEXIST)
		lab_journal_forget(journal, mark);
	else
		lab_journal_undo(journal, mark, NULL);
	return status;
}

static int find_device(struct lab_journal *journal, const char *file,
		       int control, struct lp_error *err)
{
	int number = -EEXIST, tried = -1;

	/*
	 * A device that is being removed leaves /sys long before the kernel
	 * gives its number away again: go on with the next, do not wait.
	 */
	for (int i = 0; number == -EEXIST && i < TRIES; i++) {
		tried = unused_number(tried + 1);
		number = add_node(journal, file, control, tried, err);
	}
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
	int status = -EBUSY;

	if (control < 0)
		return lp_fail_errno(err, errno,
				     "cannot open /dev/loop-control");
	if (backing < 0)
		return lp_fail_errno(err, errno, "cannot open %s", file);
	for (int i = 0; status == -EBUSY && i < TRIES; i++) {
		int number = find_device(journal, file, control, err);

		status = number < 0 ? number
				    : lab_journal_note(journal, LAB_LOOP, file,
						       NULL, err);
		if (status == 0)
			status = configure(number, backing, file, name, err);
	}
	return status;
}
