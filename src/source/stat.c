/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/stat:
 *
 * cpu  301854 612 111922 8979004 3552 2 3944 0 0 0
 * cpu0 44490 19 21045 1087069 220 1 3410 0 0 0
 * intr 8885917 17 0 ...
 * ctxt 38014093
 * processes 26442
 * procs_running 2
 *
 * The fields of the line of all CPUs are the keys cpu.0, cpu.1 ...; the lines
 * of single CPUs and of interrupts are passed over.
 */
#include "source/keyed.h"

#include "base/number.h"

#include <string.h>

enum { MOST_CPU_FIELDS = 10 };

/* False: not one number. */
static bool put_cpu(const struct lp_keyed *keyed, const char *at,
		    const char *end, const struct lp_row *row)
{
	char key[] = "cpu.0";
	size_t fields = 0;
	uint64_t v;

	for (; fields < MOST_CPU_FIELDS && lp_scan_u64(&at, end, &v);
	     fields++) {
		int column;

		key[sizeof(key) - 2] = (char)('0' + fields);
		column = lp_keyed_column(keyed, key, sizeof(key) - 1);
		if (column >= 0)
			lp_row_u64(row, (size_t)column, v);
	}
	return fields > 0;
}

static bool understand(const struct lp_keyed *keyed, size_t file,
		       const char *line, const char *end,
		       const struct lp_row *row)
{
	const char *blank = memchr(line, ' ', (size_t)(end - line));

	(void)file;
	if (!blank)
		return true;
	if (blank - line == 3 && memcmp(line, "cpu", 3) == 0)
		return put_cpu(keyed, blank, end, row);
	return lp_keyed_put(keyed, line, (size_t)(blank - line), blank, end,
			    row);
}

static const struct lp_keyed_format format_stat = {
	.origin = "stat",
	.paths = (const char *const[]){ "proc/stat", NULL },
	.understand = understand,
};

static int open_stat(const struct lp_reader_context *context, void **state)
{
	return lp_keyed_open(&format_stat, context, state);
}

const struct lp_reader lp_reader_stat = {
	.name = "stat",
	.class = &lp_class_host,
	.open = open_stat,
	.fetch = lp_keyed_fetch,
	.parse = lp_keyed_parse,
	.close = lp_keyed_close,
};
