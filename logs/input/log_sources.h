/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are read, and of which node each is.
 *
 * The first folder below a given directory is a node; what lies directly in
 * the directory is of the node that the directory is named after. A file that
 * is given by itself is named after itself. Lines that name a host themselves
 * (syslog, the journal) are of that host, unless a folder said otherwise.
 */
#ifndef LP_LOGS_LOG_SOURCES_H
#define LP_LOGS_LOG_SOURCES_H

#include "base/memory.h"
#include "base/names.h"
#include "logs/input/log_format.h"

struct lp_log_source {
	const char *path; /* "-": standard input */
	uint32_t node;
	bool lines_know;   /* a host in the line goes before `node` */
	const char *phase; /* name of the file, without what compresses it */
};

/* Zero-initialise to begin. */
struct lp_log_sources {
	struct lp_arena arena;
	struct lp_names nodes;
	struct lp_log_source *all;
	size_t n, capacity;
};

/*
 * A file, a directory or "-". Files of a directory come in the order of their
 * names, rotated ones ("log.2.gz") before what followed them.
 */
int lp_log_sources_add(struct lp_log_sources *sources, const char *path,
		       struct lp_error *err);
void lp_log_sources_done(struct lp_log_sources *sources);

/* ---- reading ---- */

struct lp_log_record {
	const struct lp_log_source *source;
	uint32_t node;
	uint64_t number; /* of the line in its file */
	const struct lp_log_line *line;
	struct lp_log_text whole; /* the line as it stands there */
};

/* 0 to go on, or -errno. */
typedef int lp_log_take_record(void *user, const struct lp_log_record *record);

/* What a file was. */
struct lp_log_seen {
	const struct lp_log_format *format;
	uint64_t lines;
	bool empty;
	char lost[512]; /* why it was not read to its end; "": it was */
};

/*
 * Give all lines of a file. A file that is damaged is read as far as it goes;
 * one that cannot be opened is -errno.
 */
int lp_log_source_read(struct lp_log_sources *sources, size_t which,
		       const struct lp_zone *zone, lp_log_take_record *take,
		       void *user, struct lp_log_seen *seen,
		       struct lp_error *err);

#endif
