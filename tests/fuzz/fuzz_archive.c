/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The archive reader, in two ways. The first byte picks: a whole file, whose
 * checksums the fuzzer must guess; or blocks whose checksums are mended, so
 * that it gets at the decoders.
 *
 *     'f' bytes of a file
 *     'b' then for each block: type, samples (1 byte), directory stored and
 *         raw (2 bytes each), payload length (2 bytes), payload
 */
#include "archive/archive.h"
#include "archive/decode.h"
#include "archive/encode.h"
#include "archive/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_stream(int fd, bool tolerant)
{
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;
	const char *lost;

	lp_query_init(&query);
	query.tolerant = tolerant;
	if (lp_archive_open_fd(fd, "fuzz", &query, &stream, NULL) < 0)
		return;
	while (lp_stream_next(stream, &item, NULL) > 0)
		;
	/* Who is not tolerant may still find that the end is missing. */
	lost = lp_stream_lost(stream);
	if (!tolerant && lost && strncmp(lost, "cut off", 7) != 0)
		abort();
	lp_stream_close(stream);
}

static void whole_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct lp_archive_state verdict;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	lp_archive_verify(path, NULL, &verdict, NULL);
	read_stream(dup(fd), true);
	read_stream(fd, false); /* closes it */
}

static size_t two_bytes(struct lp_cursor *in)
{
	size_t low = lp_cursor_u8(in);

	return low | (size_t)lp_cursor_u8(in) << 8;
}

/* A header that a writer could have written, as the reader checks it. */
static bool next_block(struct lp_cursor *in, struct block *block)
{
	struct block_header *h = &block->header;

	*h = (struct block_header){ .type = lp_cursor_u8(in) };
	h->n_samples = lp_cursor_u8(in);
	h->directory_stored = (uint32_t)two_bytes(in);
	h->directory_raw = (uint32_t)two_bytes(in);
	h->payload = two_bytes(in);
	block->payload = lp_cursor_take(in, h->payload);
	return block->payload && h->directory_stored <= h->payload;
}

/* Events and counts that could be read can be written and read again. */
static void write_again(const struct lp_item *item)
{
	struct lp_query query;
	struct encoder encoder;
	struct decoder decoder;
	struct lp_item again;
	struct block block;
	const uint8_t *bytes;
	size_t n;

	lp_query_init(&query);
	lp_encoder_init(&encoder);
	lp_decoder_init(&decoder);
	if ((item->event ? lp_encode_event(&encoder, item->event, &bytes, &n)
			 : lp_encode_counts(&encoder, item->counts, &bytes,
					    &n)) < 0 ||
	    !lp_block_header_unpack(bytes, &block.header))
		abort();
	block.payload = bytes + BLOCK_HEADER_SIZE;
	if (lp_decode_block(&decoder, &block, &query, &again) < 0 ||
	    again.kind != item->kind ||
	    !(item->event ? lp_event_equal(item->event, again.event)
			  : lp_counts_equal(item->counts, again.counts)))
		abort();
	lp_encoder_done(&encoder);
	lp_decoder_done(&decoder);
}

static void mended_blocks(const uint8_t *data, size_t size)
{
	struct lp_cursor in = { .at = data, .end = data + size };
	struct decoder decoder;
	struct lp_query query;
	struct lp_item item;
	struct block block;

	lp_query_init(&query);
	lp_decoder_init(&decoder);
	while (next_block(&in, &block))
		if (lp_decode_block(&decoder, &block, &query, &item) == 0 &&
		    (item.event || item.counts))
			write_again(&item);
	lp_decoder_done(&decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] == 'f')
		whole_file(data + 1, size - 1);
	else
		mended_blocks(data + 1, size - 1);
	return 0;
}
