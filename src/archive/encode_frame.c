/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections gather into frames of about 64 KiB, each compressed on its own: a
 * short block has one frame or a few, a long one has about one per column, and
 * reading one column decompresses only its frame.
 */
#include "archive/encode.h"

#include <zstd.h>

#define FRAME_BYTES 65536
/* Smaller than this, a frame of its own costs more than it saves. */
#define PART_BYTES 8192

void lp_framer_reset(struct framer *f, int level)
{
	f->raw.size = f->stored.size = 0;
	f->sections.size = f->frames.size = 0;
	f->n_frames = f->n_sections = f->frame_sections = 0;
	f->section_begin = 0;
	f->level = level;
	f->failed = false;
	if (!f->compressor)
		f->compressor = ZSTD_createCCtx();
	if (!f->compressor)
		f->failed = true;
}

void lp_framer_done(struct framer *f)
{
	lp_buffer_done(&f->raw);
	lp_buffer_done(&f->stored);
	lp_buffer_done(&f->sections);
	lp_buffer_done(&f->frames);
	ZSTD_freeCCtx(f->compressor);
}

size_t lp_framer_compress(struct framer *f, const void *bytes, size_t n,
			  struct lp_buffer *out)
{
	size_t before = out->size, stored;
	uint8_t *room;

	if (f->level == LEVEL_PLAIN) {
		lp_buffer_put(out, bytes, n);
		return n;
	}
	room = lp_buffer_extend(out, ZSTD_compressBound(n));
	if (!room || f->failed) {
		f->failed = true;
		return 0;
	}
	stored = ZSTD_compressCCtx(f->compressor, room, ZSTD_compressBound(n),
				   bytes, n, f->level);
	out->size = before;
	if (ZSTD_isError(stored) || stored >= n) {
		lp_buffer_put(out, bytes, n);
		return n;
	}
	out->size += stored;
	return stored;
}

/* A single plain frame is not copied. */
static size_t take_plain(struct framer *f)
{
	struct lp_buffer before = f->stored;

	f->stored = f->raw;
	f->raw = before;
	return f->stored.size;
}

void lp_framer_flush(struct framer *f)
{
	size_t stored;

	if (f->frame_sections == 0)
		return;
	if (f->level == LEVEL_PLAIN && f->stored.size == 0)
		stored = take_plain(f);
	else
		stored = lp_framer_compress(f, f->raw.data, f->raw.size,
					    &f->stored);
	lp_buffer_varint(&f->frames, f->frame_sections);
	lp_buffer_varint(&f->frames, stored);
	f->n_frames++;
	f->frame_sections = 0;
	f->raw.size = f->section_begin = 0;
}

void lp_framer_part(struct framer *f)
{
	if (f->raw.size >= PART_BYTES)
		lp_framer_flush(f);
}

void lp_framer_section(struct framer *f)
{
	if (f->raw.failed || f->sections.failed || f->frames.failed)
		f->failed = true;
	lp_buffer_varint(&f->sections, f->raw.size - f->section_begin);
	f->section_begin = f->raw.size;
	f->frame_sections++;
	f->n_sections++;
	if (f->raw.size >= FRAME_BYTES)
		lp_framer_flush(f);
}
