/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/meminfo:
 *
 * MemTotal:       24586432 kB
 * Dirty:               124 kB
 * HugePages_Total:       0
 */
#include "source/keyed.h"

#include <string.h>

static bool understand(const struct lp_keyed *keyed, size_t file,
		       const char *line, const char *end,
		       const struct lp_row *row)
{
	const char *colon = memchr(line, ':', (size_t)(end - line));

	(void)file;
	return !colon || lp_keyed_put(keyed, line, (size_t)(colon - line),
				      colon + 1, end, row);
}

static const struct lp_keyed_format format_meminfo = {
	.origin = "meminfo",
	.paths = (const char *const[]){ "proc/meminfo", NULL },
	.understand = understand,
};

static int open_meminfo(const struct lp_reader_context *context, void **state)
{
	return lp_keyed_open(&format_meminfo, context, state);
}

const struct lp_reader lp_reader_meminfo = {
	.name = "meminfo",
	.class = &lp_class_host,
	.open = open_meminfo,
	.fetch = lp_keyed_fetch,
	.parse = lp_keyed_parse,
	.close = lp_keyed_close,
};
