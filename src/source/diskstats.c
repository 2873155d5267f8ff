/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/diskstats: what the kernel counts of each block device.
 *
 *    8       0 sda 25354637 34367663 1003346126 18492372 28444756 11134226 \
 *                  505697032 63877960 0 9653880 82621804 [4 of discards \
 *                  since Linux 4.18 [2 of flushes since 5.5]]
 *    8       1 sda1 250 2000 0 0                     (Linux before 2.6.25)
 *
 * Devices are known by name: NVMe multipath heads and their paths share the
 * number 0:0 on some kernels.
 */
#include "source/lines.h"

#include "base/number.h"

/* In the order of lp_class_disk. */
enum { RD_IOS, RD_SECTORS = 2, WR_IOS = 4, WR_SECTORS = 6 };
enum { PARTITION_FIELDS = 4, LEAST_FIELDS = 11, MOST_FIELDS = 17 };

static const uint8_t partition_columns[PARTITION_FIELDS] = { RD_IOS, RD_SECTORS,
							     WR_IOS,
							     WR_SECTORS };

static const char *skip_word(const char *at, const char *end)
{
	while (at < end && *at != ' ' && *at != '\t')
		at++;
	return at;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at;
}

/* Major and minor number, then the name; NULL: not there. */
static const char *scan_name(const char *at, const char *end,
			     struct lp_input_line *line)
{
	uint64_t major, minor;

	if (!lp_scan_u64(&at, end, &major) || !lp_scan_u64(&at, end, &minor))
		return NULL;
	line->name = skip_blanks(at, end);
	if (line->name == at || line->name == end)
		return NULL;
	at = skip_word(line->name, end);
	line->name_length = (size_t)(at - line->name);
	return at;
}

static enum lp_line_outcome understand(const char *at, const char *end,
				       struct lp_input_line *line)
{
	if (skip_blanks(at, end) == end)
		return LP_LINE_SKIP;
	at = scan_name(at, end, line);
	if (!at || !lp_line_numbers(at, end, line))
		return LP_LINE_BAD;
	line->columns = NULL;
	if (line->n_values == PARTITION_FIELDS)
		line->columns = partition_columns;
	else if (line->n_values < LEAST_FIELDS)
		return LP_LINE_BAD;
	if (line->n_values > MOST_FIELDS)
		line->n_values = MOST_FIELDS;
	return LP_LINE_OK;
}

const struct lp_line_format lp_format_diskstats = {
	.path = "proc/diskstats",
	.class = &lp_class_disk,
	.understand = understand,
};

static int open_diskstats(const struct lp_reader_context *context, void **state)
{
	return lp_lines_open(&lp_format_diskstats, context, state);
}

const struct lp_reader lp_reader_diskstats = {
	.name = "diskstats",
	.class = &lp_class_disk,
	.open = open_diskstats,
	.fetch = lp_lines_fetch,
	.parse = lp_lines_parse,
	.hold = lp_lines_hold,
	.catch_up = lp_lines_catch_up,
	.close = lp_lines_close,
	.instances = lp_lines_instances,
};
