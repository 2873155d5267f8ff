/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PCP's archives. limpid itself does not link libpcp: the helper limpid-pcp
 * reads them and writes an archive into the file that it is given.
 *
 * A recording is several files, NAME.meta, NAME.index and NAME.0, NAME.1 ...,
 * perhaps compressed; libpcp takes any of them, NAME alone, or a directory.
 */
#include "source/convert.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Every file of a recording begins with its label:
 *
 *     00 00 00 84  50 05 26 02  ...    length, magic and version (2 or 3)
 */
static bool has_magic(const uint8_t *head, size_t n)
{
	static const uint8_t magic[3] = { 0x50, 0x05, 0x26 };

	return n >= 8 && memcmp(head + 4, magic, sizeof(magic)) == 0 &&
	       (head[7] == 2 || head[7] == 3);
}

/* Where the last dot before `end` is; NULL: nowhere. */
static const char *suffix(const char *name, const char *end)
{
	while (end > name && end[-1] != '.')
		end--;
	return end > name ? end - 1 : NULL;
}

static bool is_compression(const char *text)
{
	static const char *const known[] = { ".xz",  ".zst",  ".gz",
					     ".bz2", ".lzma", ".Z" };

	for (size_t i = 0; i < lp_array_size(known); i++)
		if (strcmp(text, known[i]) == 0)
			return true;
	return false;
}

/* "20261115.meta.xz", "20261115.0.zst": their bytes say nothing. */
static bool is_compressed_part(const char *name)
{
	const char *packing = suffix(name, name + strlen(name)), *part;
	size_t n;

	if (!packing || !is_compression(packing))
		return false;
	part = suffix(name, packing);
	if (!part)
		return false;
	n = (size_t)(packing - part);
	if ((n == 5 && memcmp(part, ".meta", n) == 0) ||
	    (n == 6 && memcmp(part, ".index", n) == 0))
		return true;
	return n > 1 && strspn(part + 1, "0123456789") == n - 1;
}

static bool is_part_name(const char *name)
{
	const char *end = suffix(name, name + strlen(name));

	return (end && (strcmp(end, ".meta") == 0)) || is_compressed_part(name);
}

static bool holds_recordings(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	bool found = false;

	if (!directory)
		return false;
	while (!found && (entry = readdir(directory)))
		found = is_part_name(entry->d_name);
	closedir(directory);
	return found;
}

/* NAME, where there is NAME.meta or NAME.meta.xz. */
static bool is_base_name(const char *path)
{
	static const char *const metas[] = { ".meta", ".meta.xz", ".meta.zst",
					     ".meta.gz", ".meta.bz2" };

	for (size_t i = 0; i < lp_array_size(metas); i++) {
		lp_auto_free char *meta = NULL;

		if (asprintf(&meta, "%s%s", path, metas[i]) < 0) {
			meta = NULL;
			return false;
		}
		if (access(meta, F_OK) == 0)
			return true;
	}
	return false;
}

/* A part that is compressed is known by its name if nobody can unpack it. */
static bool recognise(const char *path, const uint8_t *head, size_t n)
{
	const char *slash = strrchr(path, '/');
	struct stat status;

	if (has_magic(head, n))
		return true;
	if (n > 0)
		return false;
	if (stat(path, &status) < 0)
		return is_base_name(path);
	if (S_ISDIR(status.st_mode))
		return holds_recordings(path);
	return is_compressed_part(slash ? slash + 1 : path);
}

/* NAME of "NAME.0", "NAME.meta.xz"; all of what is no file itself. */
static size_t stem(const char *path)
{
	size_t whole = strlen(path);
	const char *end = path + whole, *dot = suffix(path, end);
	struct stat status;

	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
		return whole;
	if (dot && is_compression(dot))
		end = dot;
	dot = suffix(path, end);
	return dot ? (size_t)(dot - path) : whole;
}

/* "/var/log/pcp/pmlogger/oss1/20261115.0" is of oss1. NULL: no directory. */
static char *directory_name(const char *path)
{
	const char *end = strrchr(path, '/'), *begin;

	if (!end || end == path)
		return NULL;
	for (begin = end; begin > path && begin[-1] != '/'; begin--)
		;
	return strndup(begin, (size_t)(end - begin));
}

static int convert(const char *path, const struct lp_source_options *options,
		   const struct lp_query *query, int fd,
		   char lost[LP_LOST_TEXT], struct lp_error *err)
{
	struct lp_convert c = { 0 };
	lp_auto_free char *directory = NULL;
	const char *host = NULL, *named;
	struct lp_error said;
	int status;

	if (lp_convert_begin(&c, "pcp") < 0)
		return lp_fail(err, ENOENT,
			       "%s: reading PCP archives needs %s, which is "
			       "not installed: build limpid with libpcp "
			       "(Debian: apt-get install libpcp3-dev)",
			       path, c.program);
	if (options->host_from_path)
		host = directory = directory_name(path);
	if (host)
		lp_convert_option(&c, "--host", host);
	lp_convert_period(&c, query);
	status = lp_convert_run(&c, path, fd, lost, &said);
	if (status == 0)
		return 0;
	/*
	 * The helper names the file in what it says when it fails. Where it
	 * does not, libpcp has ended it: a damaged archive can crash libpcp,
	 * which is one more reason to let another process read it.
	 */
	named = strstr(said.text, path);
	if (named)
		return lp_fail(err, -status, "%s", named);
	return lp_fail(err, -status,
		       "%s: cannot be read, probably damaged ('pmlogcheck' "
		       "says where): %s",
		       path, said.text);
}

const struct lp_source lp_source_pcp = {
	.name = "pcp",
	.summary = "archives of pmlogger (Performance Co-Pilot)",
	.recognise = recognise,
	.stem = stem,
	.by_time = true,
	.convert = convert,
};
