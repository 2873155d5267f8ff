/* SPDX-License-Identifier: Apache-2.0 */
#include "base/zone.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DATABASE "/usr/share/zoneinfo"
#define DAY_NS (86400 * LP_NS_PER_S)

/* "+01:00", "-0530", "+1": as the end of a time that has one. */
static bool is_offset(const char *name, int32_t *offset_s)
{
	char text[LP_TIME_TEXT];
	int64_t time_ns;
	bool one_digit = name[0] && name[1] && !name[2];

	if ((name[0] != '+' && name[0] != '-') || strlen(name) > 6)
		return false;
	snprintf(text, sizeof(text), "1970-01-01T00:00%c%s%s", name[0],
		 one_digit ? "0" : "", name + 1);
	if (lp_time_parse(text, strlen(text), &time_ns) < 0)
		return false;
	*offset_s = (int32_t)(-time_ns / LP_NS_PER_S);
	return true;
}

/* The C library takes whatever it does not know for UTC. */
static bool is_in_database(const char *name)
{
	const char *directory = getenv("TZDIR");
	char path[PATH_MAX], magic[4];
	FILE *file;
	bool is;

	if (!name[0] || name[0] == '/' || name[0] == ':' || strstr(name, ".."))
		return false;
	if (snprintf(path, sizeof(path), "%s/%s",
		     directory ? directory : DATABASE,
		     name) >= (int)sizeof(path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	is = fread(magic, sizeof(magic), 1, file) == 1 &&
	     memcmp(magic, "TZif", sizeof(magic)) == 0;
	fclose(file);
	return is;
}

/* "CET-1CEST", "<+03>-3": the rules themselves. */
static bool is_rule(const char *name)
{
	size_t n = name[0] == '<' ? strcspn(name, ">") + 1
				  : strcspn(name, "0123456789+-,<>/_");

	return n >= 3 && n < strlen(name) && strchr("0123456789+-", name[n]) &&
	       strpbrk(name + n, "0123456789");
}

/* Whether TZ names what nobody knows: the C library would show it as UTC. */
static bool is_local_unknown(void)
{
	const char *name = getenv("TZ");

	if (name && name[0] == ':')
		name++;
	return name && name[0] && name[0] != '/' && !is_in_database(name) &&
	       !is_rule(name);
}

int lp_zone_find(const char *name, struct lp_zone *zone, struct lp_error *err)
{
	int32_t offset_s;

	if (strcmp(name, "UTC") == 0 || strcmp(name, "Z") == 0) {
		*zone = (struct lp_zone){ .kind = LP_ZONE_UTC };
		return 0;
	}
	if (is_offset(name, &offset_s)) {
		*zone = (struct lp_zone){ .kind = LP_ZONE_FIXED,
					  .offset_s = offset_s };
		return 0;
	}
	if (strcmp(name, "local") != 0) {
		if (!is_in_database(name))
			return lp_fail(err, EINVAL,
				       "no time zone '%s'; expected a name "
				       "such as Europe/Berlin, an offset such "
				       "as +01:00, UTC or local",
				       name);
		if (setenv("TZ", name, 1) < 0)
			return lp_fail_memory(err);
	}
	tzset();
	*zone = (struct lp_zone){ .kind = is_local_unknown() ? LP_ZONE_UTC
							     : LP_ZONE_LOCAL };
	return 0;
}

static int64_t whole_seconds(int64_t time_ns)
{
	return time_ns / LP_NS_PER_S - (time_ns % LP_NS_PER_S < 0);
}

static int32_t local_offset(int64_t time_ns, char name[LP_ZONE_TEXT])
{
	time_t seconds = (time_t)whole_seconds(time_ns);
	struct tm tm;

	if (!localtime_r(&seconds, &tm)) {
		snprintf(name, LP_ZONE_TEXT, "UTC");
		return 0;
	}
	snprintf(name, LP_ZONE_TEXT, "%s", tm.tm_zone ? tm.tm_zone : "");
	return (int32_t)tm.tm_gmtoff;
}

int32_t lp_zone_offset(const struct lp_zone *zone, int64_t time_ns,
		       char name[LP_ZONE_TEXT])
{
	int32_t minutes = abs(zone->offset_s) / 60;

	if (zone->kind == LP_ZONE_LOCAL)
		return local_offset(time_ns, name);
	if (zone->kind == LP_ZONE_UTC) {
		snprintf(name, LP_ZONE_TEXT, "UTC");
		return 0;
	}
	snprintf(name, LP_ZONE_TEXT, "%c%02d:%02d",
		 zone->offset_s < 0 ? '-' : '+', minutes / 60 % 100,
		 minutes % 60);
	return zone->offset_s;
}

static int64_t offset_ns(const struct lp_zone *zone, int64_t time_ns)
{
	char name[LP_ZONE_TEXT];

	return lp_zone_offset(zone, time_ns, name) * LP_NS_PER_S;
}

int64_t lp_zone_clocks(const struct lp_zone *zone, int64_t time_ns)
{
	return lp_time_add(time_ns, offset_ns(zone, time_ns));
}

/*
 * Clocks are set at most once in two days: what holds a day before and a day
 * after are all the offsets that come into question.
 */
size_t lp_zone_times(const struct lp_zone *zone, int64_t clocks_ns,
		     int64_t time_ns[2])
{
	int64_t before = offset_ns(zone, lp_time_add(clocks_ns, -DAY_NS));
	int64_t after = offset_ns(zone, lp_time_add(clocks_ns, DAY_NS));
	int64_t a = lp_time_add(clocks_ns, -before),
		b = lp_time_add(clocks_ns, -after);
	bool first = offset_ns(zone, a) == before;
	bool second = before != after && offset_ns(zone, b) == after;

	time_ns[0] = first || !second ? a : b;
	time_ns[1] = b;
	return (size_t)first + second;
}

const char *lp_zone_format(const struct lp_zone *zone, int64_t time_ns,
			   char text[LP_TIME_TEXT])
{
	char name[LP_ZONE_TEXT];
	size_t n;

	if (zone->kind == LP_ZONE_UTC)
		return lp_time_format(time_ns, text);
	lp_time_format(lp_zone_clocks(zone, time_ns), text);
	lp_zone_offset(zone, time_ns, name);
	text[10] = ' ';
	n = strlen(text) - 1; /* instead of the Z */
	snprintf(text + n, LP_TIME_TEXT - n, " %s", name);
	return text;
}
