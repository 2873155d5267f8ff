/* SPDX-License-Identifier: Apache-2.0 */
#include "source/csvmap.h"

#include "base/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 4096

void lp_csv_names_done(struct lp_csv_names *names)
{
	lp_arena_done(&names->arena);
}

static int copy_names(struct lp_csv_names *names,
		      const struct lp_csv_field *fields, size_t n)
{
	names->n = n;
	names->text = lp_arena_alloc(&names->arena, n * sizeof(*names->text));
	names->chosen = lp_arena_alloc(&names->arena, n);
	if (!names->text || !names->chosen)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		names->text[i] = lp_arena_string_n(&names->arena,
						   fields[i].text, fields[i].n);
		if (!names->text[i])
			return -ENOMEM;
	}
	return 0;
}

/*
 * Columns without a name are left out: spreadsheets leave such behind, and
 * row numbers (pandas) have none.
 */
static int check_names(struct lp_csv_names *names, struct lp_error *err)
{
	for (size_t i = 0; i < names->n; i++) {
		if (names->text[i] && !names->text[i][0])
			names->text[i] = NULL;
		for (size_t k = 0; names->text[i] && k < i; k++)
			if (names->text[k] &&
			    strcmp(names->text[k], names->text[i]) == 0)
				return lp_fail(err, EINVAL,
					       "two columns are '%s'",
					       names->text[i]);
	}
	return 0;
}

static bool is_field(const struct lp_csv_field *field, const char *name)
{
	return strlen(name) == field->n &&
	       memcmp(name, field->text, field->n) == 0;
}

/*
 * "# hostname;interval;timestamp;DEV;tps;..." is what sadf -d begins with. Its
 * names stand for ours unless --map says something else of them.
 */
static void translate_sadf(struct lp_csv_names *names,
			   const struct lp_csv_field *fields)
{
	static const char *const pairs[][2] = {
		{ "# hostname", "host" }, { "timestamp", "time" },
		{ "DEV", "device" },      { "IFACE", "interface" },
		{ "interval", "" },
	};

	if (names->n == 0 || !is_field(&fields[0], pairs[0][0]))
		return;
	names->from_sadf = true;
	for (size_t i = 0; i < names->n; i++)
		for (size_t k = 0; k < lp_array_size(pairs); k++)
			if (names->text[i] && !names->chosen[i] &&
			    strcmp(names->text[i], pairs[k][0]) == 0)
				names->text[i] = (char *)pairs[k][1];
}

static int missing_column(const struct lp_csv_field *fields, size_t n,
			  const char *column, struct lp_error *err)
{
	char list[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < n && used < sizeof(list); i++)
		used += (size_t)snprintf(
			list + used, sizeof(list) - used, "%s%.*s",
			i ? ", " : "",
			(int)(fields[i].n < 64 ? fields[i].n : 64),
			fields[i].text);
	return lp_fail(err, EINVAL,
		       "no column '%s', which --map names; the header has: %s",
		       column, list);
}

static int malformed(const char *pair, int n, struct lp_error *err)
{
	return lp_fail(err, EINVAL,
		       "--map '%.*s' is not NAME=COLUMN (NAME=- leaves a "
		       "column out)",
		       n, pair);
}

int lp_csv_map_check(const char *map, struct lp_error *err)
{
	for (;;) {
		size_t n = strcspn(map, ",");
		const char *column = memchr(map, '=', n);

		if (!column || column == map || column + 1 == map + n)
			return malformed(map, (int)n, err);
		if (!map[n])
			return 0;
		map += n + 1;
	}
}

/* "await=latency": the column latency is called await. */
static int map_pair(struct lp_csv_names *names,
		    const struct lp_csv_field *fields, char *pair,
		    struct lp_error *err)
{
	char *column = strchr(pair, '=');
	bool drop, found = false;

	if (!column || column == pair || !column[1])
		return malformed(pair, (int)strlen(pair), err);
	*column++ = '\0';
	drop = strcmp(column, "-") == 0;
	for (size_t i = 0; i < names->n; i++) {
		bool wanted = is_field(&fields[i], drop ? pair : column);

		found |= wanted;
		if (wanted && !drop) {
			names->text[i] = pair;
			names->chosen[i] = true;
		} else if (is_field(&fields[i], pair) && !names->chosen[i]) {
			names->text[i] = NULL;
		}
	}
	return found ? 0 : missing_column(fields, names->n, column, err);
}

static int map_names(struct lp_csv_names *names,
		     const struct lp_csv_field *fields, const char *map,
		     struct lp_error *err)
{
	char *copy = lp_arena_string(&names->arena, map), *rest = copy, *pair;

	if (!copy)
		return lp_fail_memory(err);
	while ((pair = strsep(&rest, ",")) != NULL) {
		int status = map_pair(names, fields, pair, err);

		if (status < 0)
			return status;
	}
	return 0;
}

int lp_csv_names_init(struct lp_csv_names *names,
		      const struct lp_csv_field *fields, size_t n,
		      const char *map, struct lp_error *err)
{
	int status;

	*names = (struct lp_csv_names){ 0 };
	if (n > MOST_COLUMNS)
		return lp_fail(err, EINVAL,
			       "%zu columns; at most %d can be read", n,
			       MOST_COLUMNS);
	if (copy_names(names, fields, n) < 0)
		return lp_fail_memory(err);
	status = map ? map_names(names, fields, map, err) : 0;
	translate_sadf(names, fields);
	return status < 0 ? status : check_names(names, err);
}

const char *lp_csv_nearest(const struct lp_class *class, const char *name)
{
	struct lp_nearest nearest = lp_nearest_begin(name);

	lp_nearest_offer(&nearest, "time");
	lp_nearest_offer(&nearest, "host");
	for (size_t i = 0; lp_classes[i]; i++)
		if (lp_classes[i] == class || lp_class_is_host(class))
			lp_nearest_offer(&nearest, lp_classes[i]->noun);
	for (size_t i = 0; i < class->n_columns; i++)
		lp_nearest_offer(&nearest, class->columns[i].name);
	for (size_t i = 0; i < class->n_metrics; i++)
		lp_nearest_offer(&nearest, class->metrics[i].name);
	return nearest.best;
}
