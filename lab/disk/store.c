/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/store.h"

#include "base/memory.h"
#include "disk/chance.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_size(int fd, const char *path, uint64_t size,
		      uint64_t *true_size, struct lp_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	if (!S_ISREG(st.st_mode))
		return lp_fail(err, EINVAL, "%s is not a plain file", path);
	if (st.st_size == 0 && size == 0)
		return lp_fail(
			err, EINVAL,
			"%s is empty: give the size of the disk with --size",
			path);
	if (st.st_size == 0 && ftruncate(fd, (off_t)size) < 0)
		return lp_fail_errno(err, errno, "cannot make %s that large",
				     path);
	if (st.st_size != 0 && size != 0 && (uint64_t)st.st_size != size)
		return lp_fail(err, EINVAL,
			       "%s has %jd bytes, not %" PRIu64
			       ": remove it, or leave --size out",
			       path, (intmax_t)st.st_size, size);
	*true_size = size ? size : (uint64_t)st.st_size;
	if (*true_size % LAB_STORE_BLOCK)
		return lp_fail(err, EINVAL,
			       "%s: a disk's size is a multiple of %d bytes",
			       path, LAB_STORE_BLOCK);
	return 0;
}

int lab_store_open(const char *path, uint64_t size, uint64_t *true_size,
		   struct lp_error *err)
{
	const int flags = O_RDWR | O_CLOEXEC | (size ? O_CREAT : 0);
	lp_auto_close int fd = -1;
	int status;

	if (size % LAB_STORE_BLOCK)
		return lp_fail(err, EINVAL,
			       "a disk's size is a multiple of %d bytes",
			       LAB_STORE_BLOCK);
	fd = open(path, flags, 0600);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return lp_fail(err, EBUSY, "%s is in use by another disk",
			       path);
	status = check_size(fd, path, size, true_size, err);
	if (status < 0)
		return status;
	/* Whoever reads the disk does the read-ahead. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	status = fd;
	fd = -1;
	return status;
}

int lab_store_read(int fd, void *bytes, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t r = pread(fd, (char *)bytes + done, n - done,
				  (off_t)(offset + done));

		if (r < 0 && errno != EINTR)
			return -errno;
		if (r == 0)
			return -EIO;
		if (r > 0)
			done += (size_t)r;
	}
	return 0;
}

int lab_store_write(int fd, const void *bytes, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t r = pwrite(fd, (const char *)bytes + done, n - done,
				   (off_t)(offset + done));

		if (r < 0 && errno != EINTR)
			return -errno;
		if (r > 0)
			done += (size_t)r;
	}
	return 0;
}

void lab_store_expect(int fd, size_t n, uint64_t offset)
{
	posix_fadvise(fd, (off_t)offset, (off_t)n, POSIX_FADV_WILLNEED);
}

int lab_store_discard(int fd, uint64_t n, uint64_t offset)
{
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		      (off_t)offset, (off_t)n) < 0)
		return -errno;
	return 0;
}

int lab_store_data(int fd, uint64_t offset, uint64_t *from, uint64_t *to)
{
	off_t begin = lseek(fd, (off_t)offset, SEEK_DATA), end;

	if (begin < 0)
		return errno == ENXIO ? 0 : -errno;
	end = lseek(fd, begin, SEEK_HOLE);
	if (end < 0)
		return -errno;
	*from = (uint64_t)begin;
	*to = (uint64_t)end;
	return 1;
}

/* ---- flipped bits ---- */

static int flip_bit(int fd, uint64_t block, uint64_t chance, uint64_t *at)
{
	unsigned char byte;
	int status;

	*at = block * LAB_STORE_BLOCK + chance / 8 % LAB_STORE_BLOCK;
	status = lab_store_read(fd, &byte, 1, *at);
	byte = (unsigned char)(byte ^ (1u << (chance % 8)));
	return status < 0 ? status : lab_store_write(fd, &byte, 1, *at);
}

/*
 * Walk over all blocks with data, or of each so many that are still wanted of
 * those that still come (Knuth, algorithm S). Counts them in *all.
 */
static int walk(int fd, const struct lab_disk_flip *flip, uint64_t blocks,
		uint64_t *at, uint64_t *all)
{
	uint64_t offset = flip->from, from, to, chance = flip->seed;
	uint64_t wanted = blocks ? flip->n : 0;
	int status;

	*all = 0;
	while ((status = lab_store_data(fd, offset, &from, &to)) > 0 &&
	       from < flip->to) {
		uint64_t block = (from + LAB_STORE_BLOCK - 1) / LAB_STORE_BLOCK;

		offset = to;
		for (to = to < flip->to ? to : flip->to;
		     (block + 1) * LAB_STORE_BLOCK <= to; block++) {
			uint64_t left = blocks - (*all)++;

			if (!wanted || lab_chance(&chance) % left >= wanted)
				continue;
			status = flip_bit(fd, block, lab_chance(&chance), at++);
			if (status < 0)
				return status;
			wanted--;
		}
	}
	return status < 0 ? status : 0;
}

int lab_store_flip(int fd, const struct lab_disk_flip *flip, uint64_t *at,
		   struct lp_error *err)
{
	uint64_t blocks;
	int status = walk(fd, flip, 0, NULL, &blocks);

	if (status == 0 && blocks < flip->n)
		return lp_fail(err, ENODATA,
			       "only %" PRIu64 " blocks hold data there",
			       blocks);
	if (status == 0)
		status = walk(fd, flip, blocks, at, &blocks);
	return status < 0 ? lp_fail_errno(err, -status, "cannot flip bits") : 0;
}
