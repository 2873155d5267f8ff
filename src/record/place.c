/* SPDX-License-Identifier: Apache-2.0 */
#include "record/place.h"

#include "base/memory.h"
#include "record/naming.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_directory(const char *dir, struct lp_error *err)
{
	struct stat status;

	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make the directory %s",
				     dir);
	if (stat(dir, &status) < 0)
		return lp_fail_errno(err, errno, "%s", dir);
	if (!S_ISDIR(status.st_mode))
		return lp_fail(err, ENOTDIR,
			       "%s is not a directory; -o names the directory "
			       "for the archives",
			       dir);
	return 0;
}

int lp_place_hold(const char *dir, const char *host, struct lp_error *err)
{
	char name[NAME_MAX];
	lp_auto_free char *path = NULL;
	int status = make_directory(dir, err), fd;

	if (status < 0)
		return status;
	lp_host_for_file(host, name);
	if (asprintf(&path, "%s/.%s.lock", dir, name) < 0)
		return lp_fail_memory(err);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot write to %s", dir);
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	status = errno == EWOULDBLOCK
			 ? lp_fail(err, EBUSY,
				   "another recorder is writing the archives "
				   "of %s "
				   "in %s; stop it, or choose another -o or "
				   "--host",
				   host, dir)
			 : lp_fail_errno(err, errno, "cannot lock %s", path);
	close(fd);
	return status;
}
