/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing an archive.
 *
 *     | head | sealed | sealed | ... | tail |
 *                                    ^ end  ^ end + tail.size == size
 *
 * The tail is kept in memory as well: an event that comes while it is open is
 * written in its place, and the tail again behind it.
 */
#include "archive/writer.h"
#include "archive/archive.h"
#include "archive/encode.h"
#include "archive/target.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * zstd's levels; measured in docs/decisions/0008-archive-format.md. A tail is
 * written over in ten seconds, and compressing it would cost more than all
 * the rest of it.
 */
#define LEVEL_TAIL LEVEL_PLAIN
#define LEVEL_LIVE 1
#define LEVEL_ATOMIC 3

struct lp_archive_writer {
	struct target target;
	struct encoder encoder;
	uint64_t end;  /* of the sealed blocks */
	uint64_t size; /* of the file */
	struct lp_buffer tail, staged, joined;
	int64_t first_ns, last_ns;
	int level;
};

/* As drawn above, whenever a call begins. */
static void assert_layout(const struct lp_archive_writer *w)
{
	assert(w->end + w->tail.size == w->size);
}

/* Put bytes at the end of the sealed blocks and let the file end there. */
static int place(struct lp_archive_writer *w, const uint8_t *bytes, size_t n,
		 struct lp_error *err)
{
	int code = lp_target_reserve(&w->target, w->end, n, w->size);

	if (code == 0)
		code = lp_target_write(&w->target, bytes, n, w->end);
	if (code < 0)
		return lp_fail_errno(err, -code, "%s: cannot write",
				     w->target.path);
	if (w->end + n < w->size)
		code = lp_target_cut(&w->target, w->end + n);
	if (code < 0)
		return lp_fail_errno(err, -code, "%s: cannot truncate",
				     w->target.path);
	w->size = w->end + n;
	return 0;
}

static struct lp_archive_writer *writer_new(int level)
{
	struct lp_archive_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->target.fd = -1;
	w->first_ns = LP_TIME_MAX;
	w->last_ns = LP_TIME_MIN;
	w->level = level;
	lp_encoder_init(&w->encoder);
	return w;
}

static int create(const char *path, enum target_mode mode,
		  struct lp_archive_writer **writer, struct lp_error *err)
{
	bool live = mode == TARGET_LIVE;
	struct lp_archive_writer *w =
		writer_new(live ? LEVEL_LIVE : LEVEL_ATOMIC);
	int code;

	if (!w)
		return lp_fail_memory(err);
	code = lp_target_open(&w->target, path, mode, err);
	if (code == 0)
		code = place(w, lp_archive_head, FILE_HEAD_SIZE, err);
	if (code < 0) {
		if (live && w->target.fd >= 0)
			unlink(w->target.path); /* ours, and empty */
		lp_archive_abandon(w);
		return code;
	}
	w->end = w->size;
	*writer = w;
	return 0;
}

int lp_archive_create(const char *path, enum lp_archive_mode mode,
		      struct lp_archive_writer **writer, struct lp_error *err)
{
	return create(path,
		      mode == LP_ARCHIVE_LIVE ? TARGET_LIVE : TARGET_ATOMIC,
		      writer, err);
}

int lp_writer_create(const char *path, bool replace_any,
		     struct lp_archive_writer **writer, struct lp_error *err)
{
	return create(path, replace_any ? TARGET_REPLACE : TARGET_ATOMIC,
		      writer, err);
}

int lp_archive_create_fd(int fd, const char *name,
			 struct lp_archive_writer **writer,
			 struct lp_error *err)
{
	struct lp_archive_writer *w = writer_new(LEVEL_LIVE);
	int code;

	if (!w) {
		close(fd);
		return lp_fail_memory(err);
	}
	code = lp_target_adopt(&w->target, fd, name, err);
	if (code == 0)
		code = place(w, lp_archive_head, FILE_HEAD_SIZE, err);
	if (code < 0) {
		lp_archive_abandon(w);
		return code;
	}
	w->end = w->size;
	*writer = w;
	return 0;
}

static void note_time(struct lp_archive_writer *w, int64_t t)
{
	w->first_ns = t < w->first_ns ? t : w->first_ns;
	w->last_ns = t > w->last_ns ? t : w->last_ns;
}

static void note_span(struct lp_archive_writer *w, const struct lp_chunk *chunk)
{
	for (size_t i = 0; i < chunk->n_samples; i++)
		note_time(w, chunk->time_ns[i]);
}

/* An encoder that ran out of memory begins anew. */
static int encode_failed(struct lp_archive_writer *w, int code,
			 struct lp_error *err)
{
	lp_encoder_done(&w->encoder);
	lp_encoder_init(&w->encoder);
	if (code == -ENOMEM)
		return lp_fail_memory(err);
	return lp_fail(err, -code, "%s: %s", w->target.path,
		       code == -EFBIG ? "an item too large for a block"
				      : "an item that contradicts itself");
}

/* Values that a sample of the chunk can hold. */
static uint64_t cells_per_sample(const struct lp_chunk *chunk)
{
	uint64_t cells = 0;

	for (size_t p = 0; p < chunk->n_panels; p++) {
		const struct lp_panel *panel = &chunk->panels[p];

		for (size_t s = 0; s < panel->n_series; s++)
			for (size_t c = 0; c < panel->n_columns; c++)
				cells +=
					panel->series[s].values[c].bits != NULL;
	}
	return cells;
}

/* Whether a block of one sample of it can be read again. */
static bool fits_block(const struct lp_chunk *chunk)
{
	uint64_t table = 0, sections = 1;

	for (size_t p = 0; p < chunk->n_panels; p++) {
		const struct lp_panel *panel = &chunk->panels[p];

		table += (uint64_t)panel->n_series * panel->n_columns;
		sections += 1 + panel->n_columns;
	}
	return table <= MAX_VALUES_TABLE && sections <= MAX_SECTIONS &&
	       chunk->n_texts <= MAX_TEXTS;
}

static int put_samples(struct lp_archive_writer *w,
		       const struct lp_chunk *chunk, size_t from, size_t to,
		       struct lp_error *err)
{
	const uint8_t *bytes;
	size_t n;
	int code = lp_encode_samples(&w->encoder, chunk, from, to, 0, w->level,
				     &bytes, &n);

	if (code < 0)
		return encode_failed(w, code, err);
	code = place(w, bytes, n, err);
	if (code < 0)
		return code;
	w->tail.size = 0;
	w->end = w->size;
	return 0;
}

/* Samples of the chunk that a block is to hold. */
static size_t samples_per_block(const struct lp_chunk *chunk)
{
	uint64_t cells = cells_per_sample(chunk);

	if (cells == 0 || SPLIT_CELLS / cells >= MAX_SAMPLES)
		return MAX_SAMPLES;
	return cells < SPLIT_CELLS ? SPLIT_CELLS / cells : 1;
}

int lp_archive_put_chunk(struct lp_archive_writer *w,
			 const struct lp_chunk *chunk, struct lp_error *err)
{
	size_t step = samples_per_block(chunk);

	assert_layout(w);
	if (!fits_block(chunk))
		return encode_failed(w, -EFBIG, err);
	for (size_t from = 0; from < chunk->n_samples; from += step) {
		size_t left = chunk->n_samples - from;
		int code = put_samples(w, chunk, from,
				       from + (left < step ? left : step), err);

		if (code < 0)
			return code;
	}
	note_span(w, chunk);
	return 0;
}

int lp_archive_stage(struct lp_archive_writer *w, const struct lp_chunk *chunk,
		     bool sealed, struct lp_error *err)
{
	const uint8_t *bytes;
	size_t n;
	int code;

	w->staged.size = 0;
	if (chunk->n_samples == 0)
		return 0;
	if (!fits_block(chunk) ||
	    (sealed && chunk->n_samples > samples_per_block(chunk)))
		return encode_failed(w, -EFBIG, err);
	code = lp_encode_samples(&w->encoder, chunk, 0, chunk->n_samples,
				 sealed ? 0 : BLOCK_OPEN,
				 sealed ? w->level : LEVEL_TAIL, &bytes, &n);
	if (code < 0)
		return encode_failed(w, code, err);
	lp_encoder_take(&w->encoder, &w->staged);
	return 0;
}

int lp_archive_put_staged(struct lp_archive_writer *w, struct lp_error *err)
{
	struct lp_buffer before = w->tail;
	struct block_header header;
	int code;

	assert_layout(w);
	if (w->staged.size == 0)
		return 0;
	code = place(w, w->staged.data, w->staged.size, err);
	if (code < 0)
		return code;
	lp_block_header_unpack(w->staged.data, &header);
	note_time(w, header.first_ns);
	note_time(w, header.last_ns);
	w->tail = w->staged;
	w->staged = before;
	w->staged.size = 0;
	if (!(header.flags & BLOCK_OPEN)) {
		w->tail.size = 0;
		w->end = w->size;
	}
	return 0;
}

int lp_archive_put_tail(struct lp_archive_writer *w,
			const struct lp_chunk *chunk, struct lp_error *err)
{
	int code = lp_archive_stage(w, chunk, false, err);

	return code < 0 ? code : lp_archive_put_staged(w, err);
}

/* A small sealed block, before the tail if there is one. */
static int put_small(struct lp_archive_writer *w, int code,
		     const uint8_t *bytes, size_t n, struct lp_error *err)
{
	assert_layout(w);
	if (code < 0)
		return encode_failed(w, code, err);
	w->joined.size = 0;
	lp_buffer_put(&w->joined, bytes, n);
	lp_buffer_put(&w->joined, w->tail.data, w->tail.size);
	if (w->joined.failed) {
		lp_buffer_done(&w->joined);
		return lp_fail_memory(err);
	}
	code = place(w, w->joined.data, w->joined.size, err);
	if (code == 0)
		w->end += n;
	return code;
}

int lp_archive_put_inventory(struct lp_archive_writer *w,
			     const struct lp_inventory *inventory,
			     struct lp_error *err)
{
	const uint8_t *bytes;
	size_t n;
	int code = lp_encode_inventory(&w->encoder, inventory, &bytes, &n);

	return put_small(w, code, bytes, n, err);
}

int lp_archive_put_event(struct lp_archive_writer *w,
			 const struct lp_event *event, struct lp_error *err)
{
	const uint8_t *bytes;
	size_t n;
	int code = lp_encode_event(&w->encoder, event, &bytes, &n);

	return put_small(w, code, bytes, n, err);
}

int lp_archive_put_counts(struct lp_archive_writer *w,
			  const struct lp_counts *counts, struct lp_error *err)
{
	const uint8_t *bytes;
	size_t n;
	int code = lp_encode_counts(&w->encoder, counts, &bytes, &n);

	return put_small(w, code, bytes, n, err);
}

int lp_archive_put_item(struct lp_archive_writer *w, const struct lp_item *item,
			struct lp_error *err)
{
	switch (item->kind) {
	case LP_ITEM_CHUNK:
		return lp_archive_put_chunk(w, item->chunk, err);
	case LP_ITEM_INVENTORY:
		return lp_archive_put_inventory(w, item->inventory, err);
	case LP_ITEM_EVENT:
		return lp_archive_put_event(w, item->event, err);
	case LP_ITEM_COUNTS:
		return lp_archive_put_counts(w, item->counts, err);
	}
	return lp_fail(err, EINVAL, "an item of an unknown kind");
}

int lp_writer_encode_counts(struct lp_archive_writer *w,
			    const struct lp_counts *counts,
			    struct lp_buffer *out, struct lp_error *err)
{
	const uint8_t *bytes;
	size_t n;
	int code = lp_encode_counts(&w->encoder, counts, &bytes, &n);

	if (code < 0)
		return encode_failed(w, code, err);
	lp_buffer_put(out, bytes, n);
	return out->failed ? lp_fail_memory(err) : 0;
}

int lp_writer_put_bytes(struct lp_archive_writer *w, const uint8_t *bytes,
			size_t n, struct lp_error *err)
{
	return put_small(w, 0, bytes, n, err);
}

int lp_writer_put_block(struct lp_archive_writer *w, const struct block *block,
			struct lp_error *err)
{
	struct block_header header = block->header;
	uint8_t bytes[BLOCK_HEADER_SIZE];
	int code;

	header.flags &= (uint8_t)~BLOCK_OPEN;
	lp_block_header_pack(&header, bytes);
	code = place(w, bytes, sizeof(bytes), err);
	w->end = w->size;
	if (code == 0)
		code = place(w, block->payload, header.payload, err);
	w->end = w->size;
	if (header.type == BLOCK_SAMPLES) {
		note_time(w, header.first_ns);
		note_time(w, header.last_ns);
	}
	return code;
}

int lp_archive_sync(struct lp_archive_writer *w, struct lp_error *err)
{
	int code = lp_target_sync(&w->target);

	return code < 0 ? lp_fail_errno(err, -code, "%s: cannot sync",
					w->target.path)
			: 0;
}

uint64_t lp_archive_size(const struct lp_archive_writer *w)
{
	return w->size;
}

/* The tail stays as it is, but for its flag. */
static int seal_tail(struct lp_archive_writer *w, struct lp_error *err)
{
	struct block_header header;
	uint64_t end = w->end + w->tail.size;
	int code;

	assert_layout(w);
	if (w->tail.size == 0)
		return 0;
	lp_block_header_unpack(w->tail.data, &header);
	header.flags &= (uint8_t)~BLOCK_OPEN;
	lp_block_header_pack(&header, w->tail.data);
	code = lp_target_write(&w->target, w->tail.data, BLOCK_HEADER_SIZE,
			       w->end);
	if (code < 0)
		return lp_fail_errno(err, -code, "%s: cannot write",
				     w->target.path);
	w->tail.size = 0;
	w->end = end;
	return 0;
}

static int put_end(struct lp_archive_writer *w, struct lp_error *err)
{
	const uint8_t *bytes;
	size_t n;
	int code =
		lp_encode_end(&w->encoder, w->first_ns, w->last_ns, &bytes, &n);

	if (code < 0)
		return encode_failed(w, code, err);
	return place(w, bytes, n, err);
}

static void free_writer(struct lp_archive_writer *w)
{
	lp_encoder_done(&w->encoder);
	lp_buffer_done(&w->tail);
	lp_buffer_done(&w->staged);
	lp_buffer_done(&w->joined);
	free(w);
}

int lp_archive_finish(struct lp_archive_writer *w, struct lp_error *err)
{
	int code = seal_tail(w, err);

	if (code == 0)
		code = put_end(w, err);
	if (code < 0) {
		lp_archive_abandon(w);
		return code;
	}
	code = lp_target_finish(&w->target, err);
	free_writer(w);
	return code;
}

void lp_archive_abandon(struct lp_archive_writer *w)
{
	if (!w)
		return;
	lp_target_abandon(&w->target);
	free_writer(w);
}
