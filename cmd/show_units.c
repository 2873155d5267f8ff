/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as a table shows them: plain, or with -H in human units.
 */
#include "show.h"

#include <math.h>
#include <string.h>

/* What a unit is in terms of one that K, M and G are put before. */
static const struct unit {
	const char *name, *base;
	double factor, thousand;
} units[] = {
	{ "sectors/s", "B/s", 512, 1024 },
	{ "kB/s", "B/s", 1024, 1024 },
	{ "B/s", "B/s", 1, 1024 },
	{ "sectors", "B", 512, 1024 },
	{ "kB", "B", 1024, 1024 },
	{ "KiB", "B", 1024, 1024 },
	{ "B", "B", 1, 1024 },
	{ "requests/s", NULL, 1, 1000 },
	{ "req/s", NULL, 1, 1000 },
	{ "packets/s", NULL, 1, 1000 },
	{ "pkt/s", NULL, 1, 1000 },
	{ "switches/s", NULL, 1, 1000 },
	{ "/s", NULL, 1, 1000 },
	{ "events/s", NULL, 1, 1000 },
	{ "ticks/s", NULL, 1, 1000 },
};

static const struct unit *find(const char *name)
{
	for (size_t i = 0; i < lp_array_size(units); i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

const char *show_unit(const struct show_item *item, bool human)
{
	const struct unit *unit = human ? find(item->unit) : NULL;

	return unit && unit->base ? unit->base : item->unit;
}

static void put_plain(char text[SHOW_NUMBER_TEXT], double v)
{
	double size = fabs(v);

	snprintf(text, SHOW_NUMBER_TEXT, "%.*f",
		 size >= 1e5   ? 0
		 : size >= 1e3 ? 1
			       : 2,
		 v);
}

/* "1.2G", "35M": two digits at least. */
static void put_scaled(char text[SHOW_NUMBER_TEXT], double v, double thousand)
{
	const char *prefix = thousand > 1000 ? " KMGTPE" : " kMGTPE";
	size_t i = 0;

	for (; fabs(v) >= thousand - 0.5 && prefix[i + 1]; i++)
		v /= thousand;
	if (i == 0)
		snprintf(text, SHOW_NUMBER_TEXT, "%.*f",
			 v != 0 && fabs(v) < 9.95, v);
	else
		snprintf(text, SHOW_NUMBER_TEXT, "%.*f%c", fabs(v) < 9.95, v,
			 prefix[i]);
}

const char *show_number(const struct show_item *item, bool human, double v,
			char text[SHOW_NUMBER_TEXT])
{
	const struct unit *unit = human ? find(item->unit) : NULL;

	if (isnan(v))
		snprintf(text, SHOW_NUMBER_TEXT, "-");
	else if (unit)
		put_scaled(text, v * unit->factor, unit->thousand);
	else
		put_plain(text, v);
	return text;
}
