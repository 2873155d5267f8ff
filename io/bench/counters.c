/* SPDX-License-Identifier: Apache-2.0 */
#include "io/bench/counters.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put(struct lp_counters *counters, const char *file, const char *key,
	       int64_t value)
{
	char name[256];
	uint32_t number;

	snprintf(name, sizeof(name), "%s.%s", file, key);
	number = lp_names_add(&counters->names, name);
	if (number == LP_NAME_NONE ||
	    lp_grow(&counters->value, &counters->capacity, number + 1u,
		    sizeof(*counters->value)) < 0)
		return -ENOMEM;
	counters->value[number] = value;
	return 0;
}

/*
 * Lines that begin with a word and a number:
 *
 *     rchar: 3207
 *     pgpgin 81021
 *     MemFree:        22012244 kB
 *     read_bytes                1048 samples [bytes] 4096 1048576 5017452544
 *
 * Of the last kind, Lustre's, also the seventh word: the sum.
 */
static int read_line(struct lp_counters *counters, const char *file,
		     const char *line)
{
	char key[128], sum_key[160];
	long long value, sum;
	int status;

	if (sscanf(line, "%127[^: \t]%*[: \t]%lld", key, &value) != 2)
		return 0;
	status = put(counters, file, key, value);
	if (status == 0 &&
	    sscanf(line, "%*s %*d samples %*s %*d %*d %lld", &sum) == 1) {
		snprintf(sum_key, sizeof(sum_key), "%s_sum", key);
		status = put(counters, file, sum_key, sum);
	}
	return status;
}

static int read_pairs(struct lp_counters *counters, const char *path,
		      const char *name)
{
	lp_auto_fclose FILE *in = fopen(path, "r");
	char line[512];
	int status = 0;

	while (in && status == 0 && fgets(line, sizeof(line), in))
		status = read_line(counters, name, line);
	return status;
}

/* "   8       0 sda 4083 0 319 ..." */
static int read_disk(struct lp_counters *counters, const char *path,
		     unsigned major, unsigned minor)
{
	static const char *const fields[] = {
		"reads",     "reads_merged",  "sectors_read",    "read_ms",
		"writes",    "writes_merged", "sectors_written", "write_ms",
		"in_flight", "busy_ms",       "weighted_ms",
	};
	lp_auto_fclose FILE *in = fopen(path, "r");
	char line[512];

	while (in && fgets(line, sizeof(line), in)) {
		char *at = line;
		unsigned long a = strtoul(at, &at, 10);
		unsigned long b = strtoul(at, &at, 10);

		if (a != major || b != minor)
			continue;
		at += strspn(at, " ");
		at += strcspn(at, " ");
		for (size_t i = 0; i < lp_array_size(fields); i++)
			if (put(counters, "diskstats", fields[i],
				strtoll(at, &at, 10)) < 0)
				return -ENOMEM;
	}
	return 0;
}

static int read_matching(struct lp_counters *counters, const char *pattern,
			 const char *name)
{
	glob_t found;
	int status = 0;

	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	for (size_t i = 0; i < found.gl_pathc && status == 0; i++)
		status = read_pairs(counters, found.gl_pathv[i], name);
	globfree(&found);
	return status;
}

/* Older releases have them in /proc, newer ones in debugfs. */
static int read_lustre(struct lp_counters *counters, const char *root)
{
	static const char *const places[] = { "proc/fs", "sys/kernel/debug" };
	static const char *const files[] = { "stats", "read_ahead_stats" };
	int status = 0;

	for (size_t p = 0; p < lp_array_size(places); p++)
		for (size_t f = 0; f < lp_array_size(files) && status == 0;
		     f++) {
			char pattern[PATH_MAX], name[64];

			snprintf(pattern, sizeof(pattern),
				 "%s/%s/lustre/llite/*/%s", root, places[p],
				 files[f]);
			snprintf(name, sizeof(name), "llite.%s", files[f]);
			status = read_matching(counters, pattern, name);
		}
	return status;
}

int lp_counters_read(struct lp_counters *counters, const char *root,
		     unsigned major, unsigned minor)
{
	static const char *const files[] = { "self/io", "meminfo", "vmstat" };
	char path[PATH_MAX];
	int status = 0;

	for (size_t i = 0; i < lp_array_size(files) && status == 0; i++) {
		snprintf(path, sizeof(path), "%s/proc/%s", root, files[i]);
		status = read_pairs(counters, path, files[i]);
	}
	snprintf(path, sizeof(path), "%s/proc/diskstats", root);
	if (status == 0)
		status = read_disk(counters, path, major, minor);
	return status == 0 ? read_lustre(counters, root) : status;
}

void lp_counters_done(struct lp_counters *counters)
{
	lp_names_done(&counters->names);
	free(counters->value);
	*counters = (struct lp_counters){ 0 };
}

bool lp_counters_difference(const struct lp_counters *before,
			    const struct lp_counters *after, uint32_t number,
			    int64_t *difference)
{
	uint32_t old = lp_names_find(&before->names, after->names.text[number]);

	if (old == LP_NAME_NONE)
		return false;
	*difference = (int64_t)((uint64_t)after->value[number] -
				(uint64_t)before->value[old]);
	return true;
}
