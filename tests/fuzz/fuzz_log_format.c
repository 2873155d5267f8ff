/* SPDX-License-Identifier: Apache-2.0 */
/* Logs: any bytes, taken by every format; and what lines there are. */
#include "logs/input/log_format.h"
#include "logs/input/log_lines.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The pieces are within what may be read. */
static void touch(struct lp_log_text text)
{
	volatile char sum = 0;

	for (size_t i = 0; i < text.n; i++)
		sum = (char)(sum ^ text.at[i]);
}

static void read_as(const struct lp_log_format *format, const uint8_t *data,
		    size_t size)
{
	static const struct lp_zone utc = { .kind = LP_ZONE_UTC };
	struct lp_log_lines *lines = lp_log_lines_of((const char *)data, size);
	struct lp_log_memory memory;
	struct lp_log_line line;
	const char *text;
	bool more;
	size_t n;

	if (!lines)
		return;
	lp_log_memory_init(&memory, &utc, 1768867200 * LP_NS_PER_S);
	do {
		more = lp_log_lines_next(lines, &text, &n);
		if (lp_log_parse(format, &memory, more ? text : NULL,
				 more ? n : 0, &line)) {
			touch(line.message);
			touch(line.function);
			touch(line.host);
		}
	} while (more);
	lp_log_memory_done(&memory);
	lp_log_lines_close(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	lp_log_format_tell((const char *)data, size);
	for (size_t i = 0; lp_log_formats[i]; i++)
		read_as(lp_log_formats[i], data, size);
	return 0;
}
