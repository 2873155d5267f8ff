/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf -H:
 *
 *   System activity data file: sa15 (0x2175)
 *   File created by sar/sadc from sysstat version 12.6.1
 *   Genuine sa datafile: yes (0)
 *   Host: Linux 6.1.0-18-amd64 (oss1) 	11/15/26 	_x86_64_	(2 CPU)
 *   ...
 *   List of activities:
 *   01: [8b] A_CPU                Y:   3	(10,0,0)
 *   11: [8c] A_DISK               Y:   1	(3,3,8)
 */
#include "source/sadf.h"

#include <string.h>

#define HOST "Host: "
#define CREATOR " from sysstat version "

static void copy(char *to, size_t room, const char *from, size_t n)
{
	if (n >= room)
		n = room - 1;
	memcpy(to, from, n);
	to[n] = '\0';
}

/* Behind the word in [text, end); NULL: it is not there. */
static const char *behind(const char *text, const char *end, const char *word)
{
	size_t n = strlen(word);

	for (; text < end && (size_t)(end - text) >= n; text++)
		if (memcmp(text, word, n) == 0)
			return text + n;
	return NULL;
}

/* "Host: Linux 6.1.0-18-amd64 (oss1) \t..." */
static void take_host(struct lp_sadf_info *info, const char *line,
		      const char *end)
{
	const char *release = behind(line, end, HOST "Linux ");
	const char *name = release ? behind(release, end, " (") : NULL;
	const char *rest = name ? behind(name, end, ") ") : NULL;

	if (!rest)
		return;
	copy(info->host, sizeof(info->host), name, (size_t)(rest - 2 - name));
	copy(info->kernel, sizeof(info->kernel), release,
	     (size_t)(name - 2 - release));
}

static void take_activity(struct lp_sadf_info *info, const char *text, size_t n)
{
	for (unsigned i = 0; i < LP_SADF_ACTIVITIES; i++) {
		const char *name = lp_sadf_activities[i].name;
		size_t length = strlen(name);

		if (n > length && memcmp(text, name, length) == 0 &&
		    text[length] == ' ')
			info->activities |= 1u << i;
	}
}

void lp_sadf_info_line(struct lp_sadf_info *info, const char *line, size_t n)
{
	const char *end = line + n, *at;

	take_host(info, line, end);
	at = behind(line, end, CREATOR);
	if (at)
		copy(info->version, sizeof(info->version), at,
		     (size_t)(end - at));
	at = behind(line, end, "A_");
	if (at)
		take_activity(info, at - 2, (size_t)(end - at + 2));
}
