/* SPDX-License-Identifier: Apache-2.0 */
#include "model/base_unit.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *unit, *class_name; /* NULL: of any class */
	const char *ending;            /* of names that say the unit */
	struct lp_base_unit base;
} units[] = {
	{ "ms", NULL, "_ms", { "seconds", 1, 1000 } },
	{ "us", NULL, "_us", { "seconds", 1, 1000000 } },
	{ "ticks", "host", "_ticks", { "seconds", 1, 100 } },
	{ "sectors", NULL, "_sectors", { "bytes", 512, 1 } },
	{ "4-byte words", NULL, "_words", { "bytes", 4, 1 } },
	{ "KiB", NULL, "_kb", { "bytes", 1024, 1 } },
	{ "B", NULL, "_bytes", { "bytes", 1, 1 } },
};

static size_t find(const char *class_name, const struct lp_column *column)
{
	size_t i;

	for (i = 0; i < lp_array_size(units); i++)
		if (strcmp(units[i].unit, column->unit) == 0 &&
		    (!units[i].class_name ||
		     strcmp(units[i].class_name, class_name) == 0))
			break;
	return i;
}

struct lp_base_unit lp_base_unit_of(const char *class_name,
				    const struct lp_column *column)
{
	size_t i = find(class_name, column);

	return i < lp_array_size(units) ? units[i].base
					: (struct lp_base_unit){ "", 1, 1 };
}

/* The length of the name without a unit at its end. */
static size_t stem(const char *name, const char *ending)
{
	size_t n = strlen(name), e = strlen(ending);

	return n > e && strcmp(name + n - e, ending) == 0 ? n - e : n;
}

void lp_base_name(const char *class_name, const struct lp_column *column,
		  char name[LP_BASE_NAME])
{
	size_t i = find(class_name, column);
	const char *from = column->name;
	bool percent = *from == '%', known = i < lp_array_size(units);
	int n;

	/* bytes_sent is limpid_tcp_sent_bytes. */
	if (known && strncmp(from, "bytes_", 6) == 0)
		from += 6;
	n = (int)(known ? stem(from, units[i].ending) : strlen(from));
	snprintf(name, LP_BASE_NAME, "limpid_%.64s_%.*s%s%s%s", class_name,
		 percent   ? n - 1
		 : n < 128 ? n
			   : 128,
		 from + percent, percent ? "_percent" : "", known ? "_" : "",
		 known ? units[i].base.name : "");
	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
}
