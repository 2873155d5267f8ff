/* SPDX-License-Identifier: Apache-2.0 */
#include "source/pathhost.h"

#include "base/memory.h"
#include "base/unpack.h"

#include <stdlib.h>
#include <string.h>

/* A pipe has no name that says anything: "-", "/dev/fd/63". */
static bool is_nameless(const char *path)
{
	return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0 ||
	       strncmp(path, "/dev/fd/", 8) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

/* "a/oss1/2022-07-18.csv" -> "oss1" */
static char *directory_name(const char *path)
{
	lp_auto_free char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (!slash)
		return strdup("localhost"); /* opening it will say why */
	*slash = '\0';
	slash = strrchr(real, '/');
	return strdup(slash && slash[1] ? slash + 1 : "localhost");
}

size_t lp_path_stem(const char *path, const char *const *suffixes)
{
	size_t n = lp_packing_stem(path);

	for (; *suffixes; suffixes++) {
		size_t s = strlen(*suffixes);

		if (n >= s && memcmp(path + n - s, *suffixes, s) == 0)
			return n - s;
	}
	return n;
}

char *lp_path_host(const char *path, const struct lp_source_options *options,
		   const char *const *suffixes)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t n;

	if (options->host)
		return strdup(options->host);
	if (is_nameless(path))
		return strdup("localhost");
	if (options->host_from_path)
		return directory_name(path);
	n = lp_path_stem(name, suffixes);
	return n ? strndup(name, n) : strdup(name);
}
