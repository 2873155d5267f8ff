/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV files, limpid-csv(5), as a source: which files are CSV, and whose.
 */
#include "base/memory.h"
#include "base/unpack.h"
#include "source/csvlexer.h"
#include "source/csvstream.h"
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

/* A pipe has no name that says anything: "-", "/dev/fd/63". */
static bool is_nameless(const char *path)
{
	return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0 ||
	       strncmp(path, "/dev/fd/", 8) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

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

/* "a/oss1.csv", "a/oss1.csv.gz" -> "oss1" */
static char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t n = lp_packing_stem(name);

	if (n > 4 && memcmp(name + n - 4, ".csv", 4) == 0)
		n -= 4;
	return strndup(name, n);
}

static char *default_host(const char *path,
			  const struct lp_source_options *options)
{
	if (options->host)
		return strdup(options->host);
	if (is_nameless(path))
		return strdup("localhost");
	return options->host_from_path ? directory_name(path) : file_name(path);
}

static int csv_open(const char *path, const struct lp_source_options *options,
		    const struct lp_query *query, struct lp_stream **stream,
		    struct lp_error *err)
{
	lp_auto_free char *host = default_host(path, options);

	if (!host)
		return lp_fail_memory(err);
	return lp_csv_stream_open(path, host, options, query, stream, err);
}

/* "x.csv", "x.csv.gz" */
static bool is_named_csv(const char *path)
{
	size_t n = lp_packing_stem(path);

	return n >= 4 && memcmp(path + n - 4, ".csv", 4) == 0;
}

/* A header with a column for the time: "time", or sadf's "timestamp". */
static bool has_time(const uint8_t *head, size_t n, char separator)
{
	struct lp_csv_lexer lexer;
	const char *what;
	bool found = false;

	lp_csv_lexer_init(&lexer, (const char *)head, n);
	lexer.separator = separator;
	if (lp_csv_lexer_next(&lexer, &what) > 0)
		for (size_t i = 0; i < lexer.n_fields && lexer.n_fields > 1;
		     i++)
			found |= (lexer.fields[i].n == 4 &&
				  memcmp(lexer.fields[i].text, "time", 4) ==
					  0) ||
				 (separator == ';' && lexer.fields[i].n == 9 &&
				  memcmp(lexer.fields[i].text, "timestamp",
					 9) == 0);
	lp_csv_lexer_done(&lexer);
	return found;
}

/* Text whose first line has a column for the time, or a file named .csv. */
static bool csv_recognise(const char *path, const uint8_t *head, size_t n)
{
	if (memchr(head, '\0', n))
		return false;
	return is_named_csv(path) || has_time(head, n, ',') ||
	       has_time(head, n, ';') || has_time(head, n, '\t');
}

const struct lp_source lp_source_csv = {
	.name = "csv",
	.summary = "comma-separated values, limpid-csv(5)",
	.recognise = csv_recognise,
	.by_time = true,
	.open = csv_open,
};
