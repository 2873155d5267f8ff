/* SPDX-License-Identifier: Apache-2.0 */
#include "base/helper.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool found(const char *directory, const char *below, const char *file,
		  char path[PATH_MAX])
{
	int n = snprintf(path, PATH_MAX, "%s%s/%s", directory, below, file);

	return n > 0 && n < PATH_MAX && access(path, R_OK | X_OK) == 0;
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

static int find(const char *file, const char *beside, char path[PATH_MAX])
{
	const char *libexec = getenv("LIMPID_LIBEXEC");
	char directory[PATH_MAX];

	if (libexec && libexec[0])
		return found(libexec, "", file, path) ? 0 : -ENOENT;
	if (own_directory(directory) &&
	    (found(directory, beside, file, path) ||
	     found(directory, "/../libexec/limpid", file, path)))
		return 0;
	return found(LIMPID_LIBEXEC, "", file, path) ? 0 : -ENOENT;
}

int lp_helper_path(const char *name, char path[PATH_MAX])
{
	char file[NAME_MAX];
	int n = snprintf(file, sizeof(file), "limpid-%s", name);

	return n < (int)sizeof(file) ? find(file, "", path) : -ENOENT;
}

int lp_helper_preload(char path[PATH_MAX])
{
	return find("liblimpid-io.so", "/../io/preload", path);
}

int lp_helper_payload(char path[PATH_MAX])
{
	return find("limpid-payload.so", "/../lab/inject", path);
}
