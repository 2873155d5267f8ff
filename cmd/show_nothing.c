/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing to show: what there would be.
 */
#include "show.h"

#include "base/visible.h"

#include <string.h>

#define MOST_NAMES 6
#define ROOM 400

/* "disk h sda" becomes "h/sda"; a host's name may hold blanks. */
static void put_name(const struct lp_overview *o, const char *key, char *text,
		     size_t size)
{
	const char *rest = strchr(key, ' ') + 1;

	for (uint32_t i = 0; i < o->hosts.count; i++) {
		size_t n = strlen(o->hosts.text[i]);

		if (strncmp(rest, o->hosts.text[i], n) != 0 || rest[n] != ' ')
			continue;
		snprintf(text, size, "%.*s/%s", (int)n, rest, rest + n + 1);
		return;
	}
	snprintf(text, size, "%s", rest);
}

/* The first few, and how many more there are. */
static void put_names(const struct lp_overview *o, char text[ROOM])
{
	size_t at = 0, n = o->components.count;
	char name[80];

	text[0] = '\0';
	for (size_t i = 0; i < n && i < MOST_NAMES; i++) {
		put_name(o, o->components.text[i], name, sizeof(name));
		at += (size_t)snprintf(text + at, ROOM - at, "%s%s",
				       i ? ", " : "", name);
		if (at >= ROOM)
			return;
	}
	if (n > MOST_NAMES)
		snprintf(text + at, ROOM - at, " and %zu more", n - MOST_NAMES);
}

static void say_span(const char *command, const struct lp_overview *all,
		     const struct lp_zone *zone)
{
	int64_t first = LP_TIME_MAX, last = LP_TIME_MIN;
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT];

	for (uint32_t i = 0; i < all->hosts.count; i++) {
		if (all->host[i].n_samples == 0)
			continue;
		first = all->host[i].first_ns < first ? all->host[i].first_ns
						      : first;
		last = all->host[i].last_ns > last ? all->host[i].last_ns
						   : last;
	}
	if (first > last)
		fprintf(stderr, "%s: there are no samples\n", command);
	else
		fprintf(stderr,
			"%s: no samples in this time; there are some from %s "
			"to %s\n",
			command, lp_zone_format(zone, first, a),
			lp_zone_format(zone, last, b));
}

static void say_names(const char *command, const struct lp_overview *o)
{
	char names[ROOM];

	put_names(o, names);
	if (names[0])
		fprintf(stderr, "%s: no component matches; there are %s\n",
			command, lp_shown(names));
	else
		fprintf(stderr,
			"%s: no component of these classes was recorded; "
			"--class all shows all classes\n",
			command);
}

/* More is read than was asked for: rates need the sample before. */
static bool is_all_before(const struct lp_overview *seen, int64_t since_ns)
{
	for (uint32_t i = 0; i < seen->hosts.count; i++)
		if (seen->host[i].n_samples > 0 &&
		    seen->host[i].last_ns >= since_ns)
			return false;
	return true;
}

void show_nothing(const char *command, const struct lp_overview *seen,
		  const struct lp_overview *all, int64_t since_ns,
		  const struct lp_zone *zone, size_t matched)
{
	if (is_all_before(seen, since_ns))
		say_span(command, all, zone);
	else if (matched == 0)
		say_names(command, seen);
	else
		fprintf(stderr,
			"%s: nothing to show: no component has two successive "
			"samples in this time\n",
			command);
}
