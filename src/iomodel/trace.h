/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces as files: read whatever format it is in, and write them as text.
 */
#ifndef LP_IOMODEL_TRACE_H
#define LP_IOMODEL_TRACE_H

#include "base/error.h"
#include "iomodel/operation.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Read a trace of limpid, finished or not, or the text of darshan-dxt-parser;
 * which it is, its first bytes say. You now own *trace. What is damaged is left
 * out and counted in it; -EINVAL: nothing of the file could be read.
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
 * without unused room, every block with its checksum.
 */
int lp_io_trace_finish(const char *path, struct lp_error *err);

#endif
