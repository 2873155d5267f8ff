/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *directory(void)
{
	const char *given = getenv("TMPDIR");

	return given && given[0] ? given : "/tmp";
}

static uint64_t room(int fd)
{
	struct statvfs st;
	uint64_t half;

	if (fstatvfs(fd, &st) < 0)
		return LP_TEMP_MOST;
	half = (uint64_t)st.f_bavail * st.f_frsize / 2;
	return half < LP_TEMP_MOST ? half : LP_TEMP_MOST;
}

int lp_temp_file_open(struct lp_temp_file *file, struct lp_error *err)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/limpid-XXXXXX", directory());
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot create %s", path);
	unlink(path);
	*file = (struct lp_temp_file){ .fd = fd, .most = room(fd) };
	return 0;
}

int lp_temp_file_write(struct lp_temp_file *file, const void *bytes, size_t n,
		       const char *name, struct lp_error *err)
{
	const char *at = bytes;

	if (n > file->most - file->size)
		return lp_fail(
			err, EFBIG,
			"%s: holds more than the %.1f GiB that a temporary "
			"file in %s may have; set TMPDIR to another directory",
			name, (double)file->most / (1 << 30), directory());
	while (n > 0) {
		ssize_t done = write(file->fd, at, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return lp_fail_errno(err, errno,
					     "%s: cannot write a temporary "
					     "file in %s",
					     name, directory());
		at += done;
		n -= (size_t)done;
		file->size += (uint64_t)done;
	}
	return 0;
}

const char *lp_temp_path(int fd, char path[LP_TEMP_PATH])
{
	snprintf(path, LP_TEMP_PATH, "/proc/%d/fd/%d", (int)getpid(), fd);
	return path;
}
