/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking over the blocks of a file.
 *
 * Blocks are read with pread into memory of our own, not mapped: a file that
 * another process truncates, or a disk that fails, then gives an error and no
 * SIGBUS, and a tail that is being rewritten cannot change between its check
 * and its use. The compressed bytes are few, so the copy costs little.
 */
#ifndef LP_ARCHIVE_SCAN_H
#define LP_ARCHIVE_SCAN_H

#include "archive/decode.h"

struct scan {
	int fd;
	char *path; /* for messages */
	uint64_t size, at;
	bool behind_open; /* the block before was still growing */
	bool tolerant;    /* damaged blocks are passed over, and counted */
	uint64_t n_lost, first_lost; /* how many, and where the first was */
	char lost[128];              /* that as a line */
	uint64_t n_skipped;          /* blocks that only a newer limpid knows */
};

enum scan_found {
	SCAN_EOF = 0,   /* exactly at the end */
	SCAN_BLOCK = 1, /* sound */
	SCAN_HEADER,    /* no block header here, or a damaged one */
	SCAN_SHORT,     /* a good header, but the file ends before the block */
	SCAN_PAYLOAD,   /* a good header, a damaged payload */
};

/* Takes the descriptor, whatever happens. Checks the file's head. */
int lp_scan_open_fd(struct scan *scan, int fd, const char *path,
		    struct lp_error *err);
int lp_scan_open(struct scan *scan, const char *path, struct lp_error *err);
/* The same for a file whose head may be damaged. */
int lp_scan_open_any(struct scan *scan, const char *path, struct lp_error *err);
/* Whether the file begins as an archive does: 0, -EBADMSG, -ENOTSUP. */
int lp_scan_head(struct scan *scan, struct lp_error *err);
void lp_scan_close(struct scan *scan);

/*
 * The header at scan->at, and whether the file holds the whole block: an enum
 * scan_found (SCAN_BLOCK: as far as the header tells), or -errno.
 */
int lp_scan_header(struct scan *scan, struct block_header *header,
		   struct lp_error *err);
/*
 * The same, then the payload into the buffer, checked. Does not move on. A
 * tail that is being rewritten is tried again.
 */
int lp_scan_block(struct scan *scan, struct block *block,
		  struct lp_buffer *payload, struct lp_error *err);
static inline void lp_scan_skip(struct scan *scan,
				const struct block_header *header)
{
	scan->at += lp_block_size(header);
	scan->behind_open = header->flags & BLOCK_OPEN;
}

/*
 * The offset of the first good header from `from` on; *found is scan->size
 * when there is none. 0 or -errno.
 */
int lp_scan_resync(struct scan *scan, uint64_t from, uint64_t *found,
		   struct lp_error *err);

/*
 * The next block that the query wants, moving on: 1; 0 at the end of the
 * stream, which an unfinished block at the end of the file is too, and
 * whatever a recorder has put behind a block that was still growing when it
 * was read; below 0 an error that names the offset.
 */
int lp_scan_next(struct scan *scan, const struct lp_query *query,
		 struct block *block, struct lp_buffer *payload,
		 struct lp_error *err);

/*
 * The block at an offset does not decode, with this code and why (decode.h).
 * 0: it was counted, since a newer limpid wrote it, or since it is damaged and
 * the scan is tolerant; else the error for it.
 */
int lp_scan_refused(struct scan *scan, uint64_t at, int code, const char *why,
		    struct lp_error *err);
/* What was passed over, as lp_stream_lost. */
const char *lp_scan_lost(const struct scan *scan);

#endif
