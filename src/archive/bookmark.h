/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bookmark in an archive that grows: what came since one looked last.
 *
 *     head | sealed | sealed | growing          first look: all of it
 *                              ^ at, ahead = 40 samples of it were given
 *     head | sealed | sealed | event | growing, longer
 *                              ^ the next look begins here, and leaves 40
 *                                samples out
 *
 * Only sealed blocks have a place. The header of the last one that was read is
 * kept: if other bytes stand there now, the file is another one (a day that was
 * compacted, a copy that was made anew), and reading begins again; then `again`
 * is set, and whoever reads must know by their times which samples it had.
 */
#ifndef LP_ARCHIVE_BOOKMARK_H
#define LP_ARCHIVE_BOOKMARK_H

#include "archive/format.h"
#include "model/stream.h"

/* Zero-initialise: nothing was read. */
struct lp_bookmark {
	uint64_t at;     /* behind the last sealed block; 0: nothing yet */
	uint64_t before; /* where that begins; 0: there is none */
	uint8_t header[BLOCK_HEADER_SIZE]; /* of it */
	uint64_t ahead; /* samples behind `at` that were given */
	bool again;     /* this look is from the beginning, after another one */
	bool closed;    /* the file was closed in order */
	uint64_t n_lost; /* damaged blocks that were passed over */
};

struct lp_bookmarks;

/* What all bookmarks share: memory for a block. NULL: out of memory. */
struct lp_bookmarks *lp_bookmarks_new(void);
void lp_bookmarks_free(struct lp_bookmarks *shared);

/* from: the first sample of a chunk that is new; 0 of other items. */
typedef int lp_bookmark_sink(void *user, const struct lp_item *item,
			     size_t from, struct lp_error *err);

/*
 * Give what is new behind the bookmark, and move it on. A file that is too
 * short to begin with is empty for now. 0; -errno of the file, with the mark
 * behind the last block that was given; or what the sink says, if not 0.
 */
int lp_bookmark_read(struct lp_bookmarks *shared, const char *path,
		     const struct lp_query *query, struct lp_bookmark *mark,
		     lp_bookmark_sink *sink, void *user, struct lp_error *err);

/*
 * When the samples of a file begin and end, by the headers of its blocks;
 * first > last: it has none.
 */
int lp_bookmark_span(const char *path, int64_t *first_ns, int64_t *last_ns,
		     struct lp_error *err);

#endif
