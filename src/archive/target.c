/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/target.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Disks give out whole blocks: asking for less asks again and again. */
#define DISK_BLOCK 4096

/* The lock says that it grows; a file system without locks cannot say it. */
static int open_live(struct target *t, struct lp_error *err)
{
	t->fd = open(t->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (t->fd < 0)
		return lp_fail_errno(err, errno, "%s: cannot create", t->path);
	(void)flock(t->fd, LOCK_EX | LOCK_NB);
	return 0;
}

/*
 * Only an archive, or a file without a byte, may be replaced; and not while
 * somebody writes to it, since what he wrote from then on would be lost.
 */
static int check_replaced(const char *path, bool any, struct stat *st,
			  struct lp_error *err)
{
	uint8_t head[16];
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0 || fstat(fd, st) < 0)
		return lp_fail_errno(err, errno, "%s", path);
	n = S_ISREG(st->st_mode) ? read(fd, head, sizeof(head)) : -1;
	if (n < 0 || (n > 0 && !any && !lp_archive_recognise(head, (size_t)n)))
		return lp_fail(err, EEXIST,
			       "%s exists and is not a limpid archive; it "
			       "was left as it is",
			       path);
	if (flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return lp_fail(err, EBUSY,
			       "%s is being recorded; stop its recorder, or "
			       "let it begin a new file (SIGHUP), first",
			       path);
	return 0;
}

/* -1: this file system has no files without names. */
static int open_unnamed(const char *path)
{
	lp_auto_free char *copy = strdup(path);

	return copy ? open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666)
		    : -1;
}

static int open_temp(struct target *t, struct lp_error *err)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;

	if (asprintf(&t->temp, "%s.tmp-%ld", t->path, (long)getpid()) < 0) {
		t->temp = NULL;
		return lp_fail_memory(err);
	}
	t->fd = open_unnamed(t->path);
	t->unnamed = t->fd >= 0;
	if (t->unnamed)
		return 0;
	t->fd = open(t->temp, flags, 0666);
	if (t->fd < 0 && errno == EEXIST && unlink(t->temp) == 0)
		t->fd = open(t->temp, flags, 0666); /* a crash left it */
	if (t->fd < 0) {
		int code =
			lp_fail_errno(err, errno, "%s: cannot create", t->path);

		free(t->temp);
		t->temp = NULL;
		return code;
	}
	return 0;
}

static int open_atomic(struct target *t, bool any, struct lp_error *err)
{
	struct stat st;
	char *real = realpath(t->path, NULL); /* replace what a link names */
	bool replaces = real != NULL;
	int code;

	if (replaces) {
		code = check_replaced(t->path, any, &st, err);
		free(t->path);
		t->path = real;
		if (code < 0)
			return code;
	}
	code = open_temp(t, err);
	if (code == 0 && replaces) {
		/* The new file belongs to whom the old one did, if we may. */
		int ignored = fchown(t->fd, st.st_uid, st.st_gid);

		(void)ignored;
		(void)fchmod(t->fd, st.st_mode & 07777);
	}
	return code;
}

int lp_target_open(struct target *t, const char *path, enum target_mode mode,
		   struct lp_error *err)
{
	int code;

	*t = (struct target){ .fd = -1, .path = strdup(path) };
	if (!t->path)
		return lp_fail_memory(err);
	code = mode == TARGET_LIVE
		       ? open_live(t, err)
		       : open_atomic(t, mode == TARGET_REPLACE, err);
	if (code < 0)
		lp_target_abandon(t);
	return code;
}

int lp_target_adopt(struct target *t, int fd, const char *name,
		    struct lp_error *err)
{
	*t = (struct target){ .fd = fd, .path = strdup(name), .adopted = true };
	if (t->path)
		return 0;
	lp_target_abandon(t);
	return lp_fail_memory(err);
}

int lp_target_write(struct target *t, const void *bytes, size_t n, uint64_t at)
{
	const char *p = bytes;

	while (n > 0) {
		ssize_t put = pwrite(t->fd, p, n, (off_t)at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		p += put;
		at += (uint64_t)put;
		n -= (size_t)put;
	}
	return 0;
}

/* Without fallocate: write zeroes behind the end, and take them back. */
static int extend(struct target *t, uint64_t size, uint64_t end)
{
	static const char zeroes[4096];

	for (uint64_t at = size; at < end; at += sizeof(zeroes)) {
		size_t n = end - at < sizeof(zeroes) ? (size_t)(end - at)
						     : sizeof(zeroes);
		int code = lp_target_write(t, zeroes, n, at);

		if (code < 0) {
			if (ftruncate(t->fd, (off_t)size) < 0)
				return -errno;
			return code;
		}
	}
	return 0;
}

/* 0 or -errno. */
static int allocate(struct target *t, uint64_t from, uint64_t to)
{
	int status;

	do
		status = fallocate(t->fd, FALLOC_FL_KEEP_SIZE, (off_t)from,
				   (off_t)(to - from));
	while (status < 0 && errno == EINTR);
	if (status < 0)
		return -errno;
	t->reserved = to;
	return 0;
}

int lp_target_reserve(struct target *t, uint64_t at, size_t n, uint64_t size)
{
	uint64_t end = at + n, from = size > t->reserved ? size : t->reserved;
	uint64_t whole = (end + DISK_BLOCK - 1) / DISK_BLOCK * DISK_BLOCK;
	int code;

	/* What is written to a temporary file may fail at any point. */
	if (end <= from || t->temp)
		return 0;
	code = allocate(t, from, whole);
	if (code == -ENOSPC || code == -EDQUOT || code == -EFBIG)
		code = allocate(t, from, end);
	if (code == -EOPNOTSUPP || code == -ENOSYS || code == -EINVAL)
		return extend(t, size, end);
	return code;
}

int lp_target_cut(struct target *t, uint64_t size)
{
	/* What was reserved behind it goes, too. */
	t->reserved = 0;
	return ftruncate(t->fd, (off_t)size) < 0 ? -errno : 0;
}

static void sync_directory(const char *path)
{
	lp_auto_free char *copy = strdup(path);
	lp_auto_close int fd =
		copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
		     : -1;

	if (fd >= 0)
		(void)fsync(fd); /* not every file system can */
}

/* A name need not be brought to the disk twice. */
static void settle(struct target *t)
{
	if (!t->adopted && !t->settled)
		sync_directory(t->path);
	t->settled = true;
}

int lp_target_sync(struct target *t)
{
	if (fdatasync(t->fd) < 0)
		return -errno;
	if (!t->temp)
		settle(t);
	return 0;
}

static int give_name(struct target *t)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", t->fd);
	(void)unlink(t->temp); /* a crash at this very place left it */
	if (linkat(AT_FDCWD, self, AT_FDCWD, t->temp, AT_SYMLINK_FOLLOW) < 0)
		return -errno;
	t->unnamed = false;
	return 0;
}

static int finish(struct target *t, struct lp_error *err)
{
	int fd = t->fd;

	if (!t->adopted && fsync(fd) < 0)
		return lp_fail_errno(err, errno, "%s: cannot sync", t->path);
	if (t->unnamed && give_name(t) < 0)
		return lp_fail_errno(err, errno, "%s: cannot create", t->path);
	t->fd = -1;
	if (close(fd) < 0)
		return lp_fail_errno(err, errno, "%s: cannot close", t->path);
	if (t->temp && rename(t->temp, t->path) < 0)
		return lp_fail_errno(err, errno, "%s: cannot rename to %s",
				     t->temp, t->path);
	free(t->temp);
	t->temp = NULL;
	settle(t);
	return 0;
}

int lp_target_finish(struct target *t, struct lp_error *err)
{
	int code = finish(t, err);

	lp_target_abandon(t);
	return code;
}

void lp_target_abandon(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	if (t->temp && !t->unnamed)
		unlink(t->temp);
	free(t->temp);
	free(t->path);
	*t = (struct target){ .fd = -1 };
}
