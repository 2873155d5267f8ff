/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/pressure/{cpu,io,memory}, since Linux 4.20:
 *
 * some avg10=0.10 avg60=2.00 avg300=3.85 total=15
 * full avg10=0.20 avg60=3.00 avg300=4.95 total=25
 *
 * Only the totals (microseconds) are kept, as the keys cpu.some, io.full ...
 */
#include "source/keyed.h"

#include <string.h>

#define TOTAL "total="

static const char *const prefix[] = { "cpu.", "io.", "memory." };

static bool understand(const struct lp_keyed *keyed, size_t file,
		       const char *line, const char *end,
		       const struct lp_row *row)
{
	const char *blank = memchr(line, ' ', (size_t)(end - line));
	const char *total =
		memmem(line, (size_t)(end - line), TOTAL, sizeof(TOTAL) - 1);
	size_t n = strlen(prefix[file]), word;
	char key[32];

	if (!blank)
		return line == end;
	word = (size_t)(blank - line);
	if (word > sizeof(key) - n)
		return false;
	memcpy(key, prefix[file], n);
	memcpy(key + n, line, word);
	if (!total)
		return lp_keyed_column(keyed, key, n + word) < 0;
	return lp_keyed_put(keyed, key, n + word, total + sizeof(TOTAL) - 1,
			    end, row);
}

static const struct lp_keyed_format format_pressure = {
	.origin = "pressure",
	.paths = (const char *const[]){ "proc/pressure/cpu", "proc/pressure/io",
					"proc/pressure/memory", NULL },
	.understand = understand,
};

static int open_pressure(const struct lp_reader_context *context, void **state)
{
	return lp_keyed_open(&format_pressure, context, state);
}

const struct lp_reader lp_reader_pressure = {
	.name = "pressure",
	.class = &lp_class_host,
	.open = open_pressure,
	.fetch = lp_keyed_fetch,
	.parse = lp_keyed_parse,
	.close = lp_keyed_close,
};
