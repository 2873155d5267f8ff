/* SPDX-License-Identifier: Apache-2.0 */
#include "record/naming.h"

#include "archive/archive.h"
#include "base/timestamp.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Room for the stamp and the suffix in a file's name. */
#define MOST_HOST 200

void lp_host_for_file(const char *host, char text[NAME_MAX])
{
	size_t n = 0;

	for (; n < MOST_HOST && host[n]; n++) {
		unsigned char c = (unsigned char)host[n];
		bool plain = c > ' ' && c != '/' && c != 0x7f;

		text[n] = plain && !(n == 0 && c == '.') ? (char)c : '_';
	}
	text[n] = '\0';
}

char *lp_archive_path(const char *dir, const char *host, int64_t time_ns)
{
	char name[NAME_MAX], stamp[LP_TIME_TEXT], *path;

	lp_host_for_file(host, name);
	lp_time_format_compact(time_ns, stamp);
	if (asprintf(&path, "%s/%s-%s" LP_ARCHIVE_SUFFIX, dir, name, stamp) < 0)
		return NULL;
	return path;
}

/* '-', 8 digits, 'T', 6 digits, 'Z', and the suffix. */
static bool is_stamp(const char *text)
{
	static const char pattern[] = "-ddddddddTddddddZ";
	size_t i;

	for (i = 0; pattern[i]; i++) {
		bool fits = pattern[i] == 'd'
				    ? isdigit((unsigned char)text[i]) != 0
				    : text[i] == pattern[i];

		if (!fits)
			return false;
	}
	return strcmp(text + i, LP_ARCHIVE_SUFFIX) == 0;
}

bool lp_archive_is_of(const char *name, const char *host)
{
	char text[NAME_MAX];
	size_t n;

	lp_host_for_file(host, text);
	n = strlen(text);
	return strncmp(name, text, n) == 0 && is_stamp(name + n);
}
