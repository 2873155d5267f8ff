/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/log.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
/* "2026-11-15 20:45:14" */
#define SECONDS 19
/* A thread's address has at least so many digits. */
#define THREAD_LEAST 8

/*
 * [2026-11-15 20:45:14.003571 +0000] W [MSGID: 122040] [ec-common.c:1262:...
 * 2026-11-16T15:10:23.515+0000 7f9453fff6c0 -1 osd.0 27 heartbeat_check: ...
 */
static bool line_time(const char *line, int64_t *time_ns)
{
	char text[64];
	const char *zone;
	size_t n;

	line += line[0] == '[';
	if (strnlen(line, SECONDS) < SECONDS || line[4] != '-' ||
	    !strchr(" T", line[10]))
		return false;
	n = SECONDS + strspn(line + SECONDS, "." DIGITS);
	if (n + 5 > sizeof(text))
		return false;
	memcpy(text, line, n);
	zone = line + n + (line[n] == ' ');
	if (strchr("+-", *zone) && strspn(zone + 1, DIGITS) == 4) {
		memcpy(text + n, zone, 5);
		n += 5;
	}
	return lp_time_parse(text, n, time_ns) == 0;
}

/* Ceph's daemons: time, thread, level; below 0 is what went wrong. */
static bool is_ceph_error(const char *line)
{
	int64_t time_ns;
	char thread[17];
	int level;

	return line[0] != '[' && line_time(line, &time_ns) &&
	       sscanf(line, "%*s %16[0-9a-f] %d", thread, &level) == 2 &&
	       strlen(thread) >= THREAD_LEAST && level < 0;
}

static bool is_warning(const char *line)
{
	static const char *const marks[] = { "] W [", "] E [", "] C [",
					     "] A [", "[WRN]", "[ERR]",
					     "WARN",  "ERROR", "warning",
					     "error:" };

	for (size_t i = 0; i < lp_array_size(marks); i++)
		if (strstr(line, marks[i]))
			return true;
	return is_ceph_error(line);
}

/* The first in the order of files, not of time: one is enough. */
static void complain(struct lab_log *log, const char *name, const char *line,
		     int64_t time_ns)
{
	if (*log->complaint || time_ns >= log->until_ns)
		return;
	for (const struct lab_log_mark *m = log->missed; m && m->text; m++)
		if (fnmatch(m->file, name, 0) == 0 && strstr(line, m->text))
			snprintf(log->complaint, sizeof(log->complaint),
				 "%.80s: %.*s", name, (int)strcspn(line, "\n"),
				 line);
}

static bool keep(struct lab_log *log, const char *name, const char *line,
		 size_t *of_file, FILE *out)
{
	size_t n = strlen(name) + 2 + strlen(line);

	if (*of_file + n > LAB_LOG_FILE_MOST || log->kept + n > LAB_LOG_MOST)
		return false;
	*of_file += n;
	log->kept += n;
	fprintf(out, "%s: %s%s", name, line, strchr(line, '\n') ? "" : "\n");
	return true;
}

void lab_log_filter(struct lab_log *log, const char *name, FILE *in, FILE *out)
{
	lp_auto_free char *line = NULL;
	size_t room = 0, of_file = 0, left_out = 0;
	int64_t time_ns = log->since_ns;

	/* A line that says no time is of the time of the one before. */
	while (getline(&line, &room, in) >= 0) {
		line_time(line, &time_ns);
		if (time_ns < log->since_ns)
			continue;
		complain(log, name, line, time_ns);
		/* Not this one, and so none behind it: it stays in order. */
		if (is_warning(line) &&
		    (left_out > 0 || !keep(log, name, line, &of_file, out)))
			left_out++;
	}
	if (left_out > 0)
		fprintf(out, "%s: %zu more lines are left out\n", name,
			left_out);
}
