/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV files, limpid-csv(5), as a source: which files are CSV, and whose.
 */
#include "base/memory.h"
#include "source/csvlexer.h"
#include "source/csvstream.h"
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

/* "a/oss1/2022-07-18.csv" -> "oss1" */
static char *directory_name(const char *path)
{
	lp_auto_free char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (!slash)
		return strdup("localhost"); /* opening it will say why */
	*slash = '\0';
	slash = strrchr(real, '/');
	return strdup(slash && slash[1] ? slash + 1 : "localhost");
}

/* "a/oss1.csv" -> "oss1" */
static char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path);
	size_t n = name ? strlen(name) : 0;

	if (n > 4 && strcmp(name + n - 4, ".csv") == 0)
		name[n - 4] = '\0';
	return name;
}

static char *default_host(const char *path,
			  const struct lp_source_options *options)
{
	if (options->host)
		return strdup(options->host);
	return options->host_from_path ? directory_name(path) : file_name(path);
}

static int csv_open(const char *path, const struct lp_source_options *options,
		    const struct lp_query *query, struct lp_stream **stream,
		    struct lp_error *err)
{
	lp_auto_free char *host = default_host(path, options);

	if (!host)
		return lp_fail_memory(err);
	return lp_csv_stream_open(path, host, options->map, query, stream, err);
}

static bool ends_in(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n >= m && strcmp(path + n - m, suffix) == 0;
}

/* Text whose first line has a column "time", or a file named .csv. */
static bool csv_recognise(const char *path, const uint8_t *head, size_t n)
{
	struct lp_csv_lexer lexer;
	const char *what;
	bool found = false;

	if (memchr(head, '\0', n))
		return false;
	if (ends_in(path, ".csv"))
		return true;
	lp_csv_lexer_init(&lexer, (const char *)head, n);
	if (lp_csv_lexer_next(&lexer, &what) > 0)
		for (size_t i = 0; i < lexer.n_fields && lexer.n_fields > 1;
		     i++)
			found |= lexer.fields[i].n == 4 &&
				 memcmp(lexer.fields[i].text, "time", 4) == 0;
	lp_csv_lexer_done(&lexer);
	return found;
}

const struct lp_source lp_source_csv = {
	.name = "csv",
	.summary = "comma-separated values, limpid-csv(5)",
	.recognise = csv_recognise,
	.open = csv_open,
};
