/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompressing directories and frames, each only when it is asked for.
 */
#include "archive/decode.h"

#include <errno.h>
#include <zstd.h>

/* `raw` bytes from `stored` ones into out; equal lengths: they are plain. */
static int expand(struct decoder *d, const uint8_t *bytes, size_t stored,
		  size_t raw, struct lp_buffer *out)
{
	uint8_t *room;

	out->size = 0;
	room = lp_buffer_extend(out, raw);
	if (!room) {
		out->failed = false;
		return raw ? -ENOMEM : 0;
	}
	if (stored == raw) {
		memcpy(room, bytes, raw);
		return 0;
	}
	if (!d->decompressor)
		d->decompressor = ZSTD_createDCtx();
	if (!d->decompressor)
		return -ENOMEM;
	if (ZSTD_decompressDCtx(d->decompressor, room, raw, bytes, stored) !=
	    raw)
		return lp_decode_bad(d, "a frame does not decompress");
	return 0;
}

int lp_decode_directory_bytes(struct decoder *d, const struct block *block)
{
	const struct block_header *h = &block->header;

	return expand(d, block->payload, h->directory_stored, h->directory_raw,
		      &d->directory);
}

int lp_decode_section(struct decoder *d, const struct block *block,
		      size_t index, struct lp_cursor *cursor)
{
	const struct section *section = &d->sections[index];
	const struct frame *frame = &d->frames[section->frame];

	if (d->current_frame != section->frame) {
		int status;

		d->current_frame = SIZE_MAX;
		status = expand(d, block->payload + frame->at, frame->stored,
				frame->raw, &d->frame);
		if (status < 0)
			return status;
		d->current_frame = section->frame;
	}
	*cursor = (struct lp_cursor){ .at = d->frame.data + section->at };
	cursor->end = cursor->at + section->raw;
	return 0;
}
