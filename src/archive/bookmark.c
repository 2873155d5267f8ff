/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/bookmark.h"

#include "archive/scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct lp_bookmarks {
	struct decoder decoder;
	struct lp_buffer payload;
};

struct lp_bookmarks *lp_bookmarks_new(void)
{
	struct lp_bookmarks *shared = calloc(1, sizeof(*shared));

	if (shared)
		lp_decoder_init(&shared->decoder);
	return shared;
}

void lp_bookmarks_free(struct lp_bookmarks *shared)
{
	if (!shared)
		return;
	lp_decoder_done(&shared->decoder);
	lp_buffer_done(&shared->payload);
	free(shared);
}

/* ---- where to begin ---- */

/* Whether the block that was read last still stands where it stood. */
static bool still_there(const struct scan *scan, const struct lp_bookmark *mark)
{
	uint8_t header[BLOCK_HEADER_SIZE];

	if (mark->at > scan->size)
		return false;
	if (!mark->before)
		return true;
	return pread(scan->fd, header, sizeof(header), (off_t)mark->before) ==
		       (ssize_t)sizeof(header) &&
	       memcmp(header, mark->header, sizeof(header)) == 0;
}

static void begin(struct scan *scan, struct lp_bookmark *mark)
{
	mark->again = false;
	if (mark->at && !still_there(scan, mark))
		*mark = (struct lp_bookmark){ .again = true };
	if (!mark->at)
		mark->at = FILE_HEAD_SIZE;
	scan->at = mark->at;
	scan->tolerant = true;
}

/* 1: opened; 0: there is nothing yet. */
static int open_scan(struct scan *scan, const char *path, struct lp_error *err)
{
	int status = lp_scan_open_any(scan, path, err);

	if (status < 0)
		return status;
	if (scan->size < FILE_HEAD_SIZE + BLOCK_HEADER_SIZE) {
		lp_scan_close(scan);
		return 0;
	}
	status = lp_scan_head(scan, err);
	if (status < 0)
		lp_scan_close(scan);
	return status < 0 ? status : 1;
}

/* ---- reading ---- */

static void move_on(const struct scan *scan, struct lp_bookmark *mark,
		    const struct block_header *header)
{
	mark->before = scan->at - lp_block_size(header);
	lp_block_header_pack(header, mark->header);
	mark->at = scan->at;
}

/* Samples of the block that were given when it was still growing. */
static size_t known_of(struct lp_bookmark *mark,
		       const struct block_header *header)
{
	uint64_t n = header->n_samples;
	uint64_t known = mark->ahead < n ? mark->ahead : n;

	if (header->type != BLOCK_SAMPLES)
		return 0;
	if (header->flags & BLOCK_OPEN)
		mark->ahead = n > mark->ahead ? n : mark->ahead;
	else
		mark->ahead -= known;
	return (size_t)known;
}

static int give(struct lp_bookmarks *shared, struct scan *scan,
		const struct block *block, const struct lp_query *query,
		size_t from, lp_bookmark_sink *sink, void *user,
		struct lp_error *err)
{
	uint64_t at = scan->at - lp_block_size(&block->header);
	struct lp_item item = { 0 };
	int status;

	if (block->header.type == BLOCK_SAMPLES &&
	    from >= block->header.n_samples)
		return 0;
	status = lp_decode_block(&shared->decoder, block, query, &item);
	if (status < 0)
		return lp_scan_refused(scan, at, status, shared->decoder.why,
				       err);
	return sink(user, &item, from, err);
}

/* The sink's word ends it: what it refused is not given again. */
static int read_blocks(struct lp_bookmarks *shared, struct scan *scan,
		       const struct lp_query *query, struct lp_bookmark *mark,
		       lp_bookmark_sink *sink, void *user, struct lp_error *err)
{
	struct block block;
	int status;

	while ((status = lp_scan_next(scan, query, &block, &shared->payload,
				      err)) > 0) {
		bool growing = block.header.flags & BLOCK_OPEN;
		size_t from = known_of(mark, &block.header);

		/* What is no block at the end may become one. */
		mark->n_lost += scan->n_lost;
		scan->n_lost = 0;

		if (!growing)
			move_on(scan, mark, &block.header);
		status = give(shared, scan, &block, query, from, sink, user,
			      err);
		/* Whatever stands behind it now, it will move. */
		if (status || growing)
			return status;
	}
	return status;
}

/* What ends a file that was closed in order is no item. */
static bool ends_in_order(struct scan *scan, const struct lp_bookmark *mark)
{
	struct block_header header;
	struct scan end = *scan;

	end.at = mark->at;
	while (lp_scan_header(&end, &header, NULL) == SCAN_BLOCK) {
		if (header.type == BLOCK_END)
			return true;
		lp_scan_skip(&end, &header);
	}
	return false;
}

int lp_bookmark_read(struct lp_bookmarks *shared, const char *path,
		     const struct lp_query *query, struct lp_bookmark *mark,
		     lp_bookmark_sink *sink, void *user, struct lp_error *err)
{
	struct scan scan;
	int status = open_scan(&scan, path, err);

	if (status <= 0)
		return status;
	begin(&scan, mark);
	status = read_blocks(shared, &scan, query, mark, sink, user, err);
	mark->closed = status == 0 && ends_in_order(&scan, mark);
	lp_scan_close(&scan);
	return status;
}

int lp_bookmark_span(const char *path, int64_t *first_ns, int64_t *last_ns,
		     struct lp_error *err)
{
	struct block_header header;
	struct scan scan;
	int status = open_scan(&scan, path, err);

	*first_ns = LP_TIME_MAX;
	*last_ns = LP_TIME_MIN;
	if (status <= 0)
		return status;
	while ((status = lp_scan_header(&scan, &header, err)) == SCAN_BLOCK) {
		bool samples = header.type == BLOCK_SAMPLES;

		if (samples && header.first_ns < *first_ns)
			*first_ns = header.first_ns;
		if (samples && header.last_ns > *last_ns)
			*last_ns = header.last_ns;
		lp_scan_skip(&scan, &header);
	}
	lp_scan_close(&scan);
	return status < 0 ? status : 0;
}
