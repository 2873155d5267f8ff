/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/input/log_lines.h"
#include "logs/input/log_sources.h"

#include <errno.h>
#include <stdio.h>

struct reading {
	struct lp_log_sources *sources;
	const struct lp_log_source *source;
	struct lp_log_lines *lines;
	const struct lp_log_format *format;
	struct lp_log_memory memory;
	lp_log_take_record *take;
	void *user;
};

static uint32_t node_of(struct reading *r, const struct lp_log_line *line)
{
	if (!r->source->lines_know || line->host.n == 0)
		return r->source->node;
	return lp_names_add_n(&r->sources->nodes, line->host.at, line->host.n);
}

static int give(struct reading *r, const char *text, size_t n)
{
	struct lp_log_line line;
	struct lp_log_record record = {
		.source = r->source,
		.number = lp_log_lines_number(r->lines),
		.line = &line,
	};

	if (!lp_log_parse(r->format, &r->memory, text, n, &line))
		return 0;
	record.whole = r->format->gather || !text
			       ? line.message
			       : (struct lp_log_text){ text, n };
	record.node = node_of(r, &line);
	return record.node == LP_NAME_NONE ? -ENOMEM
					   : r->take(r->user, &record);
}

static int give_all(struct reading *r, struct lp_log_seen *seen)
{
	const char *text;
	size_t n;
	int status = 0;

	while (status == 0 && lp_log_lines_next(r->lines, &text, &n)) {
		seen->lines++;
		status = give(r, text, n);
	}
	return status ? status : give(r, NULL, 0);
}

int lp_log_source_read(struct lp_log_sources *sources, size_t which,
		       const struct lp_zone *zone, lp_log_take_record *take,
		       void *user, struct lp_log_seen *seen,
		       struct lp_error *err)
{
	/* `all` may grow no more once lines are read; nodes do. */
	struct reading r = { .sources = sources,
			     .source = &sources->all[which],
			     .take = take,
			     .user = user };
	const char *head;
	size_t n;
	int status = lp_log_lines_open(r.source->path, &r.lines, err);

	if (status < 0)
		return status;
	n = lp_log_lines_peek(r.lines, &head);
	r.format = lp_log_format_tell(head, n);
	*seen = (struct lp_log_seen){ .format = r.format, .empty = n == 0 };
	lp_log_memory_init(&r.memory, zone, lp_log_lines_written_ns(r.lines));
	status = give_all(&r, seen);
	if (lp_log_lines_lost(r.lines))
		snprintf(seen->lost, sizeof(seen->lost), "%s",
			 lp_log_lines_lost(r.lines));
	lp_log_memory_done(&r.memory);
	lp_log_lines_close(r.lines);
	return status == -ENOMEM ? lp_fail_memory(err) : status;
}
