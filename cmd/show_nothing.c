/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing to show: what there would be.
 */
#include "show.h"

#include "base/visible.h"

#include <string.h>

#define MOST_NAMES 6
#define ROOM 400

/* The first few, and how many more there are. */
static void put_names(const struct lp_roster *roster, char text[ROOM])
{
	size_t at = 0, n = 0;
	char name[80];

	text[0] = '\0';
	for (size_t i = 0; i < roster->n_items && at < ROOM; i++) {
		const struct lp_roster_item *item = &roster->items[i];

		if (item->n_samples == 0 || n++ >= MOST_NAMES)
			continue;
		snprintf(name, sizeof(name), "%s/%s",
			 roster->hosts[item->host].name, item->name);
		at += (size_t)snprintf(text + at, ROOM - at, "%s%s",
				       n > 1 ? ", " : "", name);
	}
	if (n > MOST_NAMES && at < ROOM)
		snprintf(text + at, ROOM - at, " and %zu more", n - MOST_NAMES);
}

static void say_span(const char *command, const struct lp_roster *all,
		     const struct lp_zone *zone)
{
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT];

	if (all->first_ns > all->last_ns)
		fprintf(stderr, "%s: there are no samples\n", command);
	else
		fprintf(stderr,
			"%s: no samples in this time; there are some from %s "
			"to %s\n",
			command, lp_zone_format(zone, all->first_ns, a),
			lp_zone_format(zone, all->last_ns, b));
}

static void say_names(const char *command, const struct lp_roster *roster)
{
	char names[ROOM];

	put_names(roster, names);
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
static bool is_all_before(const struct lp_roster *seen, int64_t since_ns)
{
	return seen->first_ns > seen->last_ns || seen->last_ns < since_ns;
}

void show_nothing(const char *command, const struct lp_roster *seen,
		  const struct lp_roster *all, int64_t since_ns,
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
