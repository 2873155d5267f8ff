/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/input/log_scan.h"

#include <stdlib.h>

const struct lp_log_format *const lp_log_formats[] = {
	&lp_log_format_lustre,         &lp_log_format_beegfs,
	&lp_log_format_glusterfs,      &lp_log_format_ceph_cluster,
	&lp_log_format_ceph,           &lp_log_format_lustre_console,
	&lp_log_format_kernel,         &lp_log_format_journal_json,
	&lp_log_format_journal_export, &lp_log_format_syslog,
	&lp_log_format_generic,        NULL,
};

/* So many lines are looked at, and this share of them must be of a format. */
#define LOOKED_AT 200
#define SHARE_OF 4

static const char *const levels[LP_LOG_LEVELS] = {
	[LP_LOG_DEBUG] = "debug",   [LP_LOG_INFO] = "info",
	[LP_LOG_NOTICE] = "notice", [LP_LOG_WARNING] = "warning",
	[LP_LOG_ERROR] = "error",   [LP_LOG_CRITICAL] = "critical",
};

const char *lp_log_level_name(enum lp_log_level level)
{
	return levels[level];
}

enum lp_log_level lp_log_level_find(const char *name, size_t n)
{
	enum lp_log_level level = LP_LOG_DEBUG;

	while (level < LP_LOG_LEVELS && (strlen(levels[level]) != n ||
					 memcmp(levels[level], name, n) != 0))
		level++;
	return level;
}

void lp_log_memory_init(struct lp_log_memory *memory,
			const struct lp_zone *zone, int64_t written_ns)
{
	*memory = (struct lp_log_memory){
		.zone = *zone,
		.written_ns =
			written_ns == LP_TIME_MAX ? lp_time_now() : written_ns,
		.last_ns = LP_LOG_NO_TIME,
	};
}

void lp_log_memory_done(struct lp_log_memory *memory)
{
	free(memory->record);
	memory->record = NULL;
}

const struct lp_log_format *lp_log_format_find(const char *name)
{
	for (size_t i = 0; lp_log_formats[i]; i++)
		if (strcmp(lp_log_formats[i]->name, name) == 0)
			return lp_log_formats[i];
	return NULL;
}

/* How many of the first lines are of the format; *n: how many there are. */
static size_t count_of(const struct lp_log_format *format, const char *bytes,
		       size_t length, size_t *n)
{
	static const struct lp_zone utc = { .kind = LP_ZONE_UTC };
	const char *at = bytes, *end = bytes + length;
	struct lp_log_memory memory;
	struct lp_log_line line;
	size_t fit = 0;

	lp_log_memory_init(&memory, &utc, 0);
	for (*n = 0; at < end && *n < LOOKED_AT; ++*n) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			stop = end;
		fit += format->parse(&memory, at, (size_t)(stop - at), &line);
		at = stop + 1;
	}
	lp_log_memory_done(&memory);
	return fit;
}

const struct lp_log_format *lp_log_format_tell(const char *bytes, size_t n)
{
	const struct lp_log_format *best = &lp_log_format_generic;
	size_t most = 0;

	for (size_t i = 0; lp_log_formats[i + 1]; i++) {
		size_t lines,
			fit = count_of(lp_log_formats[i], bytes, n, &lines);

		if (fit > most && fit * SHARE_OF >= lines) {
			most = fit;
			best = lp_log_formats[i];
		}
		if (fit == lines && lines > 0)
			break;
	}
	return best;
}

static void as_generic(struct lp_log_memory *memory, const char *text, size_t n,
		       struct lp_log_line *line)
{
	*line = (struct lp_log_line){ .time_ns = LP_LOG_NO_TIME };
	lp_log_format_generic.parse(memory, text, n, line);
	line->format = &lp_log_format_generic;
}

bool lp_log_parse(const struct lp_log_format *format,
		  struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line)
{
	*line = (struct lp_log_line){ .time_ns = LP_LOG_NO_TIME,
				      .level = LP_LOG_INFO,
				      .format = format };
	if (format->gather) {
		if (!format->gather(memory, text, n, line))
			return false;
	} else if (!text) {
		return false;
	} else if (!format->parse(memory, text, n, line)) {
		as_generic(memory, text, n, line);
	}
	if (line->time_ns == LP_LOG_NO_TIME)
		line->time_ns = memory->last_ns;
	memory->last_ns = line->time_ns;
	return true;
}

void lp_log_look_inside(struct lp_log_line *line)
{
	struct lp_log_line inner = *line;

	if (lp_log_format_lustre_console.parse(NULL, line->message.at,
					       line->message.n, &inner)) {
		inner.format = &lp_log_format_lustre;
		*line = inner;
	}
}
