/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces as files: read whatever format it is in, and write them as text.
 */
#ifndef LP_IO_MODEL_TRACE_H
#define LP_IO_MODEL_TRACE_H

#include "base/error.h"
#include "io/model/operation.h"

#include <stdbool.h>
#include <stdio.h>

#define LP_IO_LINE_MOST (1 << 20) /* bytes of a line of text */

/*
 * Read a trace of limpid, finished or not, or the text of darshan-dxt-parser;
 * which it is, its first bytes say. "-" is standard input. You now own *trace.
 * What is damaged is left out and counted in it; -EINVAL: nothing of the file
 * could be read.
 */
int lp_io_trace_read(const char *path, struct lp_io_trace **trace,
		     struct lp_error *err);
/* Accepts NULL. */
void lp_io_trace_free(struct lp_io_trace *trace);

/* The same for bytes in memory; name stands in messages. */
int lp_io_trace_parse(const char *name, const uint8_t *bytes, size_t n,
		      struct lp_io_trace **trace, struct lp_error *err);

/* "read", "buffered write" ...; "?" for a number that is none. */
const char *lp_io_kind_name(unsigned kind);

/* A line of titles, then one a line; errors are the stream's. */
void lp_io_trace_csv(const struct lp_io_trace *trace, FILE *out);
/* A path in CSV, which may hold what CSV uses. */
void lp_io_csv_text(const char *text, FILE *out);

/*
 * Make a trace that programs have written to into a finished one, in place:
 * without unused room, every block with its checksum; with what the kernel
 * counted, if that is known.
 */
int lp_io_trace_finish(const char *path, const struct lp_io_account *account,
		       struct lp_error *err);

/*
 * The kernel's counts of a process and of the children that it waited for; root
 * is "/proc". Opened while it lives, since the file of a zombie is root's, and
 * read before somebody takes its status. NULL, which read accepts: the kernel
 * does not count, or not for us. read closes.
 */
FILE *lp_io_account_open(const char *root, int64_t process);
void lp_io_account_read(FILE *in, struct lp_io_account *account);

#endif
