/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An archive as a stream: block by block, decoded as far as the query wants.
 */
#include "archive/archive.h"
#include "archive/scan.h"

#include <errno.h>
#include <stdlib.h>

struct reader {
	struct lp_stream stream;
	struct scan scan;
	struct lp_query query;
	struct lp_buffer payload;
	struct decoder decoder;
	bool ended;
};

static int read_item(struct reader *r, struct lp_item *item,
		     struct lp_error *err)
{
	struct block block;
	uint64_t at;
	int code;

	while ((code = lp_scan_next(&r->scan, &r->query, &block, &r->payload,
				    err)) > 0) {
		at = r->scan.at - lp_block_size(&block.header);
		code = lp_decode_block(&r->decoder, &block, &r->query, item);
		if (code == 0)
			return 1;
		code = lp_scan_refused(&r->scan, at, code, r->decoder.why, err);
		if (code < 0)
			return code;
		*item = (struct lp_item){ 0 };
	}
	return code;
}

static int reader_next(struct lp_stream *stream, struct lp_item *item,
		       struct lp_error *err)
{
	struct reader *r = (struct reader *)stream;
	int code = r->ended ? 0 : read_item(r, item, err);

	r->ended = code <= 0;
	return code;
}

static void reader_close(struct lp_stream *stream)
{
	struct reader *r = (struct reader *)stream;

	lp_scan_close(&r->scan);
	lp_buffer_done(&r->payload);
	lp_decoder_done(&r->decoder);
	free(r);
}

static double reader_progress(const struct lp_stream *stream)
{
	const struct reader *r = (const struct reader *)stream;

	return r->scan.size ? (double)r->scan.at / (double)r->scan.size : 1;
}

static const char *reader_lost(const struct lp_stream *stream)
{
	return lp_scan_lost(&((const struct reader *)stream)->scan);
}

static uint64_t reader_skipped(const struct lp_stream *stream)
{
	return ((const struct reader *)stream)->scan.n_skipped;
}

static const struct lp_stream_ops reader_ops = {
	.next = reader_next,
	.close = reader_close,
	.progress = reader_progress,
	.lost = reader_lost,
	.skipped = reader_skipped,
};

/* The stream takes the scan, whatever happens. */
static int make_stream(struct scan *scan, const struct lp_query *query,
		       struct lp_stream **stream, struct lp_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r) {
		lp_scan_close(scan);
		return lp_fail_memory(err);
	}
	r->stream.ops = &reader_ops;
	r->scan = *scan;
	r->scan.tolerant = query->tolerant;
	r->query = *query;
	lp_decoder_init(&r->decoder);
	*stream = &r->stream;
	return 0;
}

int lp_archive_open_fd(int fd, const char *path, const struct lp_query *query,
		       struct lp_stream **stream, struct lp_error *err)
{
	struct scan scan;
	int code = lp_scan_open_fd(&scan, fd, path, err);

	return code < 0 ? code : make_stream(&scan, query, stream, err);
}

int lp_archive_open(const char *path, const struct lp_query *query,
		    struct lp_stream **stream, struct lp_error *err)
{
	struct scan scan;
	int code = lp_scan_open(&scan, path, err);

	return code < 0 ? code : make_stream(&scan, query, stream, err);
}
