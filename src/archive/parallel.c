/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading with several threads: blocks are read one after another, decoded
 * side by side, and delivered in their order. A file of its own, since the
 * recorder must not need an OpenMP library.
 */
#include "archive/parallel.h"
#include "archive/scan.h"

#include <errno.h>
#include <stdlib.h>

/* More would only cost memory: each slot holds a decoded block. */
#define MOST_THREADS 64

struct slot {
	struct lp_buffer payload;
	struct block block;
	uint64_t at;
	struct decoder decoder;
	struct lp_item item;
	int code;
};

struct parallel {
	struct lp_stream stream;
	struct scan scan;
	struct lp_query query;
	struct slot *slots;
	size_t n_slots, filled, next;
	int scan_code; /* of the last scan, after the filled slots */
	struct lp_error scan_error;
};

static void fill(struct parallel *p)
{
	p->filled = p->next = 0;
	while (p->filled < p->n_slots && p->scan_code > 0) {
		struct slot *slot = &p->slots[p->filled];

		p->scan_code = lp_scan_next(&p->scan, &p->query, &slot->block,
					    &slot->payload, &p->scan_error);
		if (p->scan_code <= 0)
			break;
		slot->at = p->scan.at - lp_block_size(&slot->block.header);
		p->filled++;
	}
}

static void decode(struct parallel *p)
{
#pragma omp parallel for num_threads((int)p->n_slots) schedule(dynamic, 1)
	for (size_t i = 0; i < p->filled; i++) {
		struct slot *slot = &p->slots[i];

		slot->code = lp_decode_block(&slot->decoder, &slot->block,
					     &p->query, &slot->item);
	}
}

/* 1: an item; 0: its block was passed over; below 0: -errno. */
static int deliver(struct parallel *p, struct lp_item *item,
		   struct lp_error *err)
{
	struct slot *slot = &p->slots[p->next++];
	int code;

	if (slot->code == 0) {
		*item = slot->item;
		return 1;
	}
	code = lp_scan_refused(&p->scan, slot->at, slot->code,
			       slot->decoder.why, err);
	if (code < 0) {
		p->filled = p->next = 0;
		p->scan_code = 0;
	}
	return code;
}

static int parallel_next(struct lp_stream *stream, struct lp_item *item,
			 struct lp_error *err)
{
	struct parallel *p = (struct parallel *)stream;
	int code;

	for (;;) {
		if (p->next == p->filled) {
			fill(p);
			decode(p);
		}
		if (p->next == p->filled)
			break;
		code = deliver(p, item, err);
		if (code != 0)
			return code;
	}
	code = p->scan_code;
	p->scan_code = 0;
	return code < 0 ? lp_fail(err, -code, "%s", p->scan_error.text) : 0;
}

static void parallel_close(struct lp_stream *stream)
{
	struct parallel *p = (struct parallel *)stream;

	for (size_t i = 0; i < p->n_slots; i++) {
		lp_buffer_done(&p->slots[i].payload);
		lp_decoder_done(&p->slots[i].decoder);
	}
	lp_scan_close(&p->scan);
	free(p->slots);
	free(p);
}

static double parallel_progress(const struct lp_stream *stream)
{
	const struct parallel *p = (const struct parallel *)stream;

	return p->scan.size ? (double)p->scan.at / (double)p->scan.size : 1;
}

static const char *parallel_lost(const struct lp_stream *stream)
{
	return lp_scan_lost(&((const struct parallel *)stream)->scan);
}

static uint64_t parallel_skipped(const struct lp_stream *stream)
{
	return ((const struct parallel *)stream)->scan.n_skipped;
}

static const struct lp_stream_ops parallel_ops = {
	.next = parallel_next,
	.close = parallel_close,
	.progress = parallel_progress,
	.lost = parallel_lost,
	.skipped = parallel_skipped,
};

static struct parallel *parallel_new(size_t n_slots)
{
	struct parallel *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->slots = calloc(n_slots, sizeof(*p->slots));
	if (!p->slots) {
		free(p);
		return NULL;
	}
	p->stream.ops = &parallel_ops;
	p->n_slots = n_slots;
	p->scan_code = 1;
	p->scan.fd = -1;
	for (size_t i = 0; i < n_slots; i++)
		lp_decoder_init(&p->slots[i].decoder);
	return p;
}

/* The stream takes the scan, whatever happens. */
static int make_stream(struct scan *scan, size_t n_threads,
		       const struct lp_query *query, struct lp_stream **stream,
		       struct lp_error *err)
{
	struct parallel *p = parallel_new(n_threads);

	if (!p) {
		lp_scan_close(scan);
		return lp_fail_memory(err);
	}
	p->query = *query;
	p->scan = *scan;
	p->scan.tolerant = query->tolerant;
	*stream = &p->stream;
	return 0;
}

static unsigned threads_of(const struct lp_query *query)
{
	return query->threads < MOST_THREADS ? query->threads : MOST_THREADS;
}

int lp_archive_open_parallel(const char *path, const struct lp_query *query,
			     struct lp_stream **stream, struct lp_error *err)
{
	struct scan scan;
	int code;

	if (threads_of(query) <= 1)
		return lp_archive_open(path, query, stream, err);
	code = lp_scan_open(&scan, path, err);
	return code < 0 ? code
			: make_stream(&scan, threads_of(query), query, stream,
				      err);
}

int lp_archive_open_parallel_fd(int fd, const char *path,
				const struct lp_query *query,
				struct lp_stream **stream, struct lp_error *err)
{
	struct scan scan;
	int code;

	if (threads_of(query) <= 1)
		return lp_archive_open_fd(fd, path, query, stream, err);
	code = lp_scan_open_fd(&scan, fd, path, err);
	return code < 0 ? code
			: make_stream(&scan, threads_of(query), query, stream,
				      err);
}
