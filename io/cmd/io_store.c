/* SPDX-License-Identifier: Apache-2.0 */
#include "io_store.h"

#include "io/model/origin.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

/* The same each time it is mounted, if the file system has such a number. */
static uint64_t file_system_number(const struct statfs *fs)
{
	uint64_t number = 0;

	memcpy(&number, &fs->f_fsid,
	       sizeof(fs->f_fsid) < sizeof(number) ? sizeof(fs->f_fsid)
						   : sizeof(number));
	return number;
}

static int data_home(char *path, size_t size, struct lp_error *err)
{
	const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		snprintf(path, size, "%s", xdg);
	else if (home && home[0] == '/')
		snprintf(path, size, "%s/.local/share", home);
	else
		return lp_fail(err, ENOENT,
			       "neither XDG_DATA_HOME nor HOME is set; give "
			       "--model FILE");
	return 0;
}

int lp_io_store_path(const char *directory, const char *ending,
		     char path[PATH_MAX], struct lp_error *err)
{
	char home[PATH_MAX], host[256] = "", type[32];
	struct statfs fs;
	int n, status = data_home(home, sizeof(home), err);

	if (status < 0)
		return status;
	if (statfs(directory, &fs) < 0)
		return lp_fail_errno(err, errno, "%s", directory);
	gethostname(host, sizeof(host) - 1);
	n = snprintf(path, PATH_MAX, "%s/limpid/io/%s-%s-%llx%s", home, host,
		     lp_io_file_system_name((uint64_t)fs.f_type, type),
		     (unsigned long long)file_system_number(&fs), ending);
	if (n < 0 || n >= PATH_MAX)
		return lp_fail(err, ENAMETOOLONG, "%s: too long", home);
	return 0;
}

int lp_io_store_make(const char *path, struct lp_error *err)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *slash = strchr(part + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			return lp_fail_errno(err, errno, "%s", part);
		*slash = '/';
	}
	return 0;
}
