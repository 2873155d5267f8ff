/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A foreign recording, read once and kept: an archive without a name, in memory
 * or in a temporary file. Its streams give what the recording gave: the same
 * items, what was lost, and the error that it ended with.
 */
#ifndef LP_TABLE_KEPT_H
#define LP_TABLE_KEPT_H

#include "source/source.h"

/* Zero-initialise. */
struct lp_kept {
	bool made;
	uint8_t *bytes; /* of the archive; NULL: in the file */
	size_t size;    /* of the bytes in memory */
	int fd;         /* the file, while `filed` */
	bool filed;
	char *lost; /* as lp_stream_lost at the end; NULL: nothing */
	/* How it ended: 0, or the error; not even opened: nothing else is. */
	bool opened;
	int code;
	struct lp_error why;
};

/* The recording, as lp_input_open takes it, and where it is kept. */
struct lp_kept_order {
	const char *path, *format;
	const struct lp_source_options *options;
	bool tolerant; /* of the query */
	/* Of what is remote, which is fetched for these times. */
	int64_t since_ns, until_ns;
	bool in_memory; /* else in a temporary file */
	/* How far it is, 0 to 1, now and then; NULL: nobody asks. */
	void (*progress)(void *context, double part);
	void *context;
};

/*
 * Whether a recording can be kept for this query: it is no archive, and what it
 * gives does not depend on the query's times, or it is remote. An archive is
 * read as it is.
 */
bool lp_kept_suits(const char *path, const char *format,
		   const struct lp_source_options *options,
		   const struct lp_query *query);
/*
 * Read all of it. A recording that is bad is kept as well, with its error: 0.
 * Below 0 there was no room, and nothing is kept.
 */
int lp_kept_make(struct lp_kept *kept, const struct lp_kept_order *order,
		 struct lp_error *err);
/* As lp_input_open on the recording. What is kept must stay. */
int lp_kept_open(const struct lp_kept *kept, const char *path,
		 const struct lp_query *query, struct lp_stream **stream,
		 struct lp_error *err);
void lp_kept_done(struct lp_kept *kept);

#endif
