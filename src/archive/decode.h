/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding: from the bytes of a block to an item.
 *
 * The checksum says that the bytes are those that were written, not that the
 * writer was honest: no size is trusted, every allocation is bounded. A
 * decoder keeps its memory from one block to the next; what it gave out is
 * valid until its next call.
 */
#ifndef LP_ARCHIVE_DECODE_H
#define LP_ARCHIVE_DECODE_H

#include "archive/constants.h"
#include "archive/format.h"
#include "archive/pool.h"
#include "model/stream.h"

/* A block in memory. */
struct block {
	struct block_header header;
	const uint8_t *payload;
};

struct section {
	size_t raw;   /* bytes */
	size_t frame; /* its index */
	size_t at;    /* in the decompressed frame */
};

struct frame {
	size_t at, stored, raw;
};

/* A panel as the directory has it; `out` shows what the query wants of it. */
struct panel_entry {
	struct lp_panel out;
	struct lp_column *columns; /* all of them */
	size_t n_columns;
	size_t n_series;
	bool *wanted;    /* [n_columns] */
	size_t presence; /* its section; the columns follow */
};

struct presence_map {
	uint8_t *present; /* [n_samples] */
	size_t count;
};

/* What stands before the planes of one series. */
struct series_head {
	enum mode mode;
	unsigned width, shift;
	uint8_t scale;
	size_t presence; /* 0: all; else the map's index + 1 */
	size_t n;        /* values */
	size_t entries;  /* in each plane */
	uint64_t base;
};

struct decoder {
	struct lp_arena arena;
	struct pool pool;
	struct lp_buffer directory, frame; /* decompressed */
	size_t current_frame;
	void *decompressor; /* ZSTD_DCtx */
	struct section *sections;
	size_t n_sections, sections_capacity;
	struct frame *frames;
	size_t n_frames, frames_capacity;
	struct panel_entry *panels;
	size_t n_panels, panels_capacity;
	struct presence_map *presence;
	size_t n_presence, presence_capacity;
	struct series_head *heads;
	size_t heads_capacity;
	uint64_t *scratch; /* present values, before they are spread */
	size_t scratch_capacity;
	struct constants constants; /* shared by series that stay the same */
	uint64_t table;             /* series * columns of all panels */
	uint64_t cells, n_values;
	struct lp_chunk chunk;
	struct lp_inventory *inventory;
	struct lp_event event;
	struct lp_counts counts;
	const char *why; /* what is wrong, after -EBADMSG */
};

void lp_decoder_init(struct decoder *decoder);
void lp_decoder_done(struct decoder *decoder);

/*
 * 0, -ENOMEM, -EBADMSG with decoder->why, or -ENOTSUP: a type of block or a
 * kind of event that only a newer limpid knows.
 */
int lp_decode_samples(struct decoder *decoder, const struct block *block,
		      const struct lp_query *query);
int lp_decode_inventory(struct decoder *decoder, const struct block *block);
int lp_decode_counts(struct decoder *decoder, const struct block *block);
/* Whatever the block holds, as an item. */
int lp_decode_block(struct decoder *decoder, const struct block *block,
		    const struct lp_query *query, struct lp_item *item);
/* All of it; a header that contradicts what it stands before is bad, too. */
int lp_decode_whole(struct decoder *decoder, const struct block *block,
		    struct lp_item *item);

/* Set why; returns -EBADMSG. */
int lp_decode_bad(struct decoder *decoder, const char *why);

/* decode_small.c */

/* A block that has only a directory: its bytes. */
int lp_decode_begin(struct decoder *decoder, const struct block *block,
		    struct lp_cursor *cursor);
/* A string in the arena; NULL for "", which is how NULL is written. */
int lp_decode_name(struct decoder *decoder, struct lp_cursor *cursor,
		   const char **name);
/* Why lp_decode_string gave nothing, as a code. */
int lp_decode_no_string(struct decoder *decoder,
			const struct lp_cursor *cursor);

/* decode_frame.c */

int lp_decode_directory_bytes(struct decoder *decoder,
			      const struct block *block);
/* The section's bytes, valid until another frame is needed. */
int lp_decode_section(struct decoder *decoder, const struct block *block,
		      size_t section, struct lp_cursor *cursor);

/* decode_directory.c */

int lp_decode_directory(struct decoder *decoder, const struct block *block,
			const struct lp_query *query);
/* A string in the arena; NULL sets cursor->failed or decoder->why. */
const char *lp_decode_string(struct decoder *decoder, struct lp_cursor *cursor);

/* decode_planes.c */

/* Where each plane of a section stands. */
struct plane_cursor {
	const uint8_t *at[8];
};

/* Read what stands before the planes; n_samples is for presence 0. */
int lp_decode_heads(struct decoder *decoder, struct lp_cursor *cursor,
		    size_t n_series, bool scales, size_t n_samples,
		    struct plane_cursor *planes);
/* The head->n values of the next series; out has room for them. */
void lp_decode_series(const struct series_head *head,
		      struct plane_cursor *planes, uint64_t *out);

/* decode_times.c */

int lp_decode_times(struct decoder *decoder, struct lp_cursor *cursor,
		    size_t n);

#endif
