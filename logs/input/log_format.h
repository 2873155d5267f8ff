/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats of logs: how a line says when, how bad, who and what.
 *
 * To add one: a file logs/input/format_NAME.c with its struct lp_log_format,
 * declared below; one line in log_formats.c, before those that would take its
 * lines, too; its paragraph in limpid-logs(1); lines of it in
 * tests/unit/test_log_format.c and tests/fuzz/corpus/log_format/. Rules for it
 * go to rules/NAME.conf.
 */
#ifndef LP_LOGS_LOG_FORMAT_H
#define LP_LOGS_LOG_FORMAT_H

#include "base/zone.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lp_log_level {
	LP_LOG_DEBUG,
	LP_LOG_INFO,
	LP_LOG_NOTICE,
	LP_LOG_WARNING,
	LP_LOG_ERROR,
	LP_LOG_CRITICAL,
	LP_LOG_LEVELS,
};

const char *lp_log_level_name(enum lp_log_level level);
/* LP_LOG_LEVELS: there is none of that name. */
enum lp_log_level lp_log_level_find(const char *name, size_t n);

/* The line has no time, nor had one before it. */
#define LP_LOG_NO_TIME INT64_MIN

/* A piece of the line; it is not terminated. */
struct lp_log_text {
	const char *at;
	size_t n;
};

struct lp_log_line {
	int64_t time_ns;
	enum lp_log_level level;
	const struct lp_log_format *format; /* whose rules apply */
	struct lp_log_text function;        /* who says it; n 0: not told */
	struct lp_log_text message;
	struct lp_log_text host; /* n 0: not told */
};

/* What a parser remembers from line to line of a file. */
struct lp_log_memory {
	struct lp_zone zone; /* of times without one */
	int64_t written_ns;  /* when the file was last written */
	int64_t last_ns;     /* of the line before */
	int64_t day_ns;      /* midnight of the date below */
	char day[16];        /* a date as it was written last */
	char *record;        /* of formats with records of several lines */
	size_t record_n, record_capacity;
};

void lp_log_memory_init(struct lp_log_memory *memory,
			const struct lp_zone *zone, int64_t written_ns);
void lp_log_memory_done(struct lp_log_memory *memory);

struct lp_log_format {
	const char *name;  /* as in rules: "lustre" */
	const char *title; /* "Lustre debug buffer" */
	/*
	 * Take the line apart. False: it is none of this format; then `line`
	 * may hold anything. The texts point into the line or into the memory.
	 */
	bool (*parse)(struct lp_log_memory *memory, const char *text, size_t n,
		      struct lp_log_line *line);
	/*
	 * Of formats whose records are of several lines: add a line; true: the
	 * record is whole, and `line` has it. At the end of the file text is
	 * NULL. NULL: one line is one record.
	 */
	bool (*gather)(struct lp_log_memory *memory, const char *text, size_t n,
		       struct lp_log_line *line);
};

extern const struct lp_log_format lp_log_format_beegfs, lp_log_format_ceph,
	lp_log_format_ceph_cluster, lp_log_format_generic,
	lp_log_format_glusterfs, lp_log_format_journal_export,
	lp_log_format_journal_json, lp_log_format_kernel, lp_log_format_lustre,
	lp_log_format_lustre_console, lp_log_format_syslog;

/* All of them, ended by NULL; the last takes any line. */
extern const struct lp_log_format *const lp_log_formats[];

/* NULL: there is none. */
const struct lp_log_format *lp_log_format_find(const char *name);
/* The format of what begins with these bytes; never NULL. */
const struct lp_log_format *lp_log_format_tell(const char *bytes, size_t n);

/*
 * Take a line apart. One that is none of the format (a continuation, damage)
 * is generic and has the time of the one before. False: there is nothing to
 * look at yet. At the end of a file call it with NULL.
 */
bool lp_log_parse(const struct lp_log_format *format,
		  struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line);

/*
 * What a kernel's or syslog's message is in itself: lines of Lustre go on with
 * "LustreError: ".
 */
void lp_log_look_inside(struct lp_log_line *line);

#endif
