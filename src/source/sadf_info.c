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

/* "Linux 6.1.0-18-amd64 (oss1) \t..." */
static void take_host(struct lp_sadf_info *info, const char *text, size_t n)
{
	const char *end = text + n, *open, *close, *release;

	open = memmem(text, n, " (", 2);
	if (!open)
		return;
	close = memmem(open, (size_t)(end - open), ") ", 2);
	if (!close)
		return;
	copy(info->host, sizeof(info->host), open + 2,
	     (size_t)(close - open - 2));
	release = memchr(text, ' ', (size_t)(open - text));
	release = release ? release + 1 : text;
	copy(info->kernel, sizeof(info->kernel), release,
	     (size_t)(open - release));
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
	const char *at;

	if (n > strlen(HOST) && memcmp(line, HOST, strlen(HOST)) == 0)
		take_host(info, line + strlen(HOST), n - strlen(HOST));
	at = memmem(line, n, CREATOR, strlen(CREATOR));
	if (at) {
		at += strlen(CREATOR);
		copy(info->version, sizeof(info->version), at,
		     (size_t)(line + n - at));
	}
	at = memmem(line, n, " A_", 3);
	if (at)
		take_activity(info, at + 1, (size_t)(line + n - at - 1));
}
