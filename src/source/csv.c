/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV files, limpid-csv(5), as a source: which files are CSV, and whose.
 */
#include "base/memory.h"
#include "base/unpack.h"
#include "source/csvlexer.h"
#include "source/csvstream.h"
#include "source/pathhost.h"
#include "source/source.h"

#include <string.h>

static const char *const suffixes[] = { ".csv", NULL };

static int csv_open(const char *path, const struct lp_source_options *options,
		    const struct lp_query *query, struct lp_stream **stream,
		    struct lp_error *err)
{
	lp_auto_free char *host = lp_path_host(path, options, suffixes);

	if (!host)
		return lp_fail_memory(err);
	return lp_csv_stream_open(path, host, options, query, stream, err);
}

/* "x.csv", "x.csv.gz" */
static bool is_named_csv(const char *path)
{
	return lp_path_stem(path, suffixes) < lp_packing_stem(path);
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
