/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/net/dev: what the kernel counts of each network interface.
 *
 * Inter-|   Receive                            |  Transmit
 *  face |bytes    packets errs drop fifo frame |bytes    packets errs ...
 *     lo:    3267      29    0    0    0     0          0         0     ...
 *   eth0:1664039048 1566805    0    0    0     0          0         0   ...
 *
 * Older kernels leave no blank behind the colon. A name may hold colons itself
 * (the alias eth0:1), so the last one counts.
 */
#include "source/lines.h"

#include <string.h>

enum { FIELDS = 16 };

static enum lp_line_outcome understand(const char *at, const char *end,
				       struct lp_input_line *line)
{
	const char *colon;

	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	if (at == end || memchr(at, '|', (size_t)(end - at)))
		return LP_LINE_SKIP;
	colon = memrchr(at, ':', (size_t)(end - at));
	if (!colon || colon == at)
		return LP_LINE_BAD;
	line->name = at;
	line->name_length = (size_t)(colon - at);
	line->columns = NULL;
	if (!lp_line_numbers(colon + 1, end, line) || line->n_values < FIELDS)
		return LP_LINE_BAD;
	line->n_values = FIELDS;
	return LP_LINE_OK;
}

const struct lp_line_format lp_format_net_dev = {
	.path = "proc/net/dev",
	.class = &lp_class_net,
	.understand = understand,
};

static int open_net_dev(const struct lp_reader_context *context, void **state)
{
	return lp_lines_open(&lp_format_net_dev, context, state);
}

const struct lp_reader lp_reader_net_dev = {
	.name = "net_dev",
	.class = &lp_class_net,
	.open = open_net_dev,
	.fetch = lp_lines_fetch,
	.parse = lp_lines_parse,
	.hold = lp_lines_hold,
	.catch_up = lp_lines_catch_up,
	.close = lp_lines_close,
	.instances = lp_lines_instances,
};
