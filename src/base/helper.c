/* SPDX-License-Identifier: Apache-2.0 */
#include "base/helper.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool found(const char *directory, const char *below, const char *name,
		  char path[PATH_MAX])
{
	int n = snprintf(path, PATH_MAX, "%s%s/limpid-%s", directory, below,
			 name);

	return n > 0 && n < PATH_MAX && access(path, X_OK) == 0;
}

static bool own_directory(char directory[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", directory, PATH_MAX - 1);
	char *slash;

	if (n <= 0)
		return false;
	directory[n] = '\0';
	slash = strrchr(directory, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

int lp_helper_path(const char *name, char path[PATH_MAX])
{
	const char *libexec = getenv("LIMPID_LIBEXEC");
	char directory[PATH_MAX];

	if (libexec && libexec[0])
		return found(libexec, "", name, path) ? 0 : -ENOENT;
	if (own_directory(directory) &&
	    (found(directory, "", name, path) ||
	     found(directory, "/../libexec/limpid", name, path)))
		return 0;
	return found(LIMPID_LIBEXEC, "", name, path) ? 0 : -ENOENT;
}
