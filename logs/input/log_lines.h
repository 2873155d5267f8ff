/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a log file: plain, compressed or standard input, of any length
 * and any bytes, in one buffer.
 */
#ifndef LP_LOGS_LOG_LINES_H
#define LP_LOGS_LOG_LINES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is longer is cut off there; the rest of the line is skipped. */
#define LP_LOG_LINE_MOST ((size_t)64 << 10)

struct lp_log_lines;

/* A file, or "-". */
int lp_log_lines_open(const char *path, struct lp_log_lines **lines,
		      struct lp_error *err);
/* The lines of bytes in memory, which stay the caller's. NULL: no memory. */
struct lp_log_lines *lp_log_lines_of(const char *bytes, size_t n);
/* Accepts NULL. */
void lp_log_lines_close(struct lp_log_lines *lines);

/*
 * The next line without its end, until the next call. False: that was all, or
 * the rest cannot be read (see below). An open file may grow meanwhile.
 */
bool lp_log_lines_next(struct lp_log_lines *lines, const char **text,
		       size_t *n);
/* Its number, from 1. */
uint64_t lp_log_lines_number(const struct lp_log_lines *lines);
/* Whether the last one was cut off. */
bool lp_log_lines_is_cut(const struct lp_log_lines *lines);
/* The first bytes of the file, before any line is taken. */
size_t lp_log_lines_peek(struct lp_log_lines *lines, const char **bytes);
/* Why it ended early, a line for people; NULL: it did not. */
const char *lp_log_lines_lost(const struct lp_log_lines *lines);
/* When the file was last written; LP_TIME_MAX: nobody knows. */
int64_t lp_log_lines_written_ns(const struct lp_log_lines *lines);

#endif
