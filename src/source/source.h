/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources: what other collectors recorded, as streams.
 *
 * To add one: a file with its struct lp_source, one line in sources.c, a
 * paragraph in limpid-import(1), and real recordings in the tests.
 */
#ifndef LP_SOURCE_SOURCE_H
#define LP_SOURCE_SOURCE_H

#include "base/option.h"
#include "model/stream.h"

/* Zero-initialise for the defaults. */
struct lp_source_options {
	const char *host;    /* of a file that names none; NULL: a guess */
	bool host_from_path; /* the name of the file's directory is the host */
	const char *map;     /* CSV: "time=ts,device=disk_id"; NULL: none */
	struct lp_option_list prometheus; /* settings, NAME=VALUE */
	/*
	 * Where the bytes are if not at the path, which then only names them:
	 * of a pipe, or of a file that had to be unpacked. NULL: at the path.
	 */
	const char *content;
};

/* What a recording could not tell: for lp_stream_lost. */
#define LP_LOST_TEXT 256

struct lp_source {
	const char *name; /* of -f */
	const char *summary;
	/* Whether this file, which begins with these bytes, is ours. */
	bool (*recognise)(const char *path, const uint8_t *head, size_t n);
	/*
	 * How many bytes of a path that is ours name the recording: files with
	 * the same are parts of one, and any of them opens it. NULL: every
	 * file is a recording.
	 */
	size_t (*stem)(const char *path);
	/* What is outside of the query's times is left out, row by row. */
	bool by_time;
	/* It is fetched over a network: once, for the query's times. */
	bool remote;
	int (*open)(const char *path, const struct lp_source_options *options,
		    const struct lp_query *query, struct lp_stream **stream,
		    struct lp_error *err);
	/*
	 * Instead of open (which is NULL then), where a helper reads the
	 * format and writes an archive into fd, an empty file of yours that is
	 * read from its beginning afterwards. lost gets what could not be read,
	 * or "". Never gets a content.
	 */
	int (*convert)(const char *path,
		       const struct lp_source_options *options,
		       const struct lp_query *query, int fd,
		       char lost[LP_LOST_TEXT], struct lp_error *err);
};

extern const struct lp_source lp_source_csv, lp_source_sysstat, lp_source_pcp,
	lp_source_openmetrics, lp_source_prometheus;

/* All sources, in the order in which they are asked; ended by NULL. */
extern const struct lp_source *const lp_sources[];

/* NULL: no such source. */
const struct lp_source *lp_source_find(const char *name);
/* The first that recognises the file; NULL: none does. */
const struct lp_source *lp_source_guess(const char *path, const uint8_t *head,
					size_t n);

#endif
