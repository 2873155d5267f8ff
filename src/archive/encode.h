/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoding: from chunks, inventories and events to the bytes of a block. The
 * encoder keeps its buffers and its compressor from one block to the next.
 */
#ifndef LP_ARCHIVE_ENCODE_H
#define LP_ARCHIVE_ENCODE_H

#include "archive/format.h"
#include "model/stream.h"

#define PLANES 8
/* Instead of a level of zstd: do not compress at all. */
#define LEVEL_PLAIN 0

/*
 * Series of integers, on their way into a section: the codes and heads of
 * each, and the byte planes of all.
 */
struct plane_set {
	struct lp_buffer codes, scales, heads, planes[PLANES];
	uint64_t *scratch; /* what goes into the planes */
	size_t scratch_capacity;
	bool failed; /* out of memory */
};

/* Sections gather in `raw`; full frames are compressed to `stored`. */
struct framer {
	struct lp_buffer raw, stored;
	struct lp_buffer sections; /* varint raw sizes */
	struct lp_buffer frames;   /* varint sections, varint stored bytes */
	uint64_t n_frames, n_sections;
	size_t section_begin;    /* in raw */
	uint64_t frame_sections; /* in the frame being filled */
	void *compressor;        /* ZSTD_CCtx */
	int level;
	bool failed;
};

/*
 * Which samples of a series have values: the distinct bitmaps of a panel.
 */
struct presence_set {
	struct lp_buffer bitmaps; /* one behind the other */
	size_t n_samples, bitmap_bytes;
	uint32_t count;
	uint32_t *slots; /* open addressing; index + 1, or 0 */
	size_t n_slots, slots_capacity;
	bool failed;
};

#define PRESENCE_ALL 0 /* else the bitmap's index + 1 */
#define PRESENCE_NONE UINT32_MAX

/* What a panel looks like without what has no value in this block. */
struct panel_plan {
	const struct lp_panel *panel;
	uint32_t *presence; /* [series * panel->n_columns + column] */
	bool *series_used, *column_used;
	size_t n_series, n_columns; /* used */
};

struct encoder {
	struct plane_set planes;
	struct framer framer;
	struct lp_buffer directory, block;
	struct presence_set presence;
	struct panel_plan *plans;
	size_t plans_capacity, n_plans;
	uint32_t *text_map; /* of the chunk's texts; LP_NAME_NONE: not used */
	size_t text_map_capacity;
	struct lp_buffer texts; /* those used */
	uint32_t n_texts;
	uint64_t n_values;
	struct lp_arena arena; /* of one block */
	uint64_t *gathered;    /* the present values of a series */
	size_t gathered_capacity;
};

void lp_encoder_init(struct encoder *encoder);
void lp_encoder_done(struct encoder *encoder);

/*
 * The samples [from, to) of a chunk as a whole block: *bytes, valid until the
 * next call. `level` is zstd's. 0, -ENOMEM, or -EINVAL for a chunk that
 * contradicts itself.
 */
int lp_encode_samples(struct encoder *encoder, const struct lp_chunk *chunk,
		      size_t from, size_t to, unsigned flags, int level,
		      const uint8_t **bytes, size_t *n);
/* What was encoded last changes places with another buffer, not copied. */
void lp_encoder_take(struct encoder *encoder, struct lp_buffer *block);
int lp_encode_inventory(struct encoder *encoder,
			const struct lp_inventory *inventory,
			const uint8_t **bytes, size_t *n);
int lp_encode_event(struct encoder *encoder, const struct lp_event *event,
		    const uint8_t **bytes, size_t *n);
int lp_encode_counts(struct encoder *encoder, const struct lp_counts *counts,
		     const uint8_t **bytes, size_t *n);
int lp_encode_end(struct encoder *encoder, int64_t first_ns, int64_t last_ns,
		  const uint8_t **bytes, size_t *n);

/*
 * The block of encoder->directory and encoder->framer.stored; completes the
 * header.
 */
int lp_encode_block(struct encoder *encoder, struct block_header *header,
		    const uint8_t **bytes, size_t *n);

/* encode_frame.c */

void lp_framer_reset(struct framer *framer, int level);
void lp_framer_done(struct framer *framer);
/* The bytes put into raw since the last call are a section. */
void lp_framer_section(struct framer *framer);
/* A panel ends; the next one begins a new frame if this one is worth it. */
void lp_framer_part(struct framer *framer);
/* Compress what is there; the next section begins a new frame. */
void lp_framer_flush(struct framer *framer);
/* Compress n bytes behind `out`, or put them plain. The bytes added. */
size_t lp_framer_compress(struct framer *framer, const void *bytes, size_t n,
			  struct lp_buffer *out);

/* encode_planes.c */

void lp_planes_reset(struct plane_set *set);
void lp_planes_done(struct plane_set *set);
void lp_planes_absent(struct plane_set *set);
/* One series; presence 0: all samples have values. */
/* The same value in all samples. */
void lp_planes_put_same(struct plane_set *set, uint64_t v, uint64_t presence);
void lp_planes_put(struct plane_set *set, const uint64_t *values, size_t n,
		   uint64_t presence);
/* The same, as XOR of the bits before. */
void lp_planes_put_xor(struct plane_set *set, const uint64_t *values, size_t n,
		       uint64_t presence);
/* All of it, as the bytes of a section, behind `out`. */
void lp_planes_finish(struct plane_set *set, struct lp_buffer *out);

/* encode_presence.c */

void lp_presence_reset(struct presence_set *set, size_t n_samples);
void lp_presence_done(struct presence_set *set);
/* PRESENCE_ALL, PRESENCE_NONE, or the bitmap's index + 1. */
uint32_t lp_presence_add(struct presence_set *set, const uint8_t *present);
/* As the bytes of a section, behind `out`. */
void lp_presence_finish(struct presence_set *set, struct lp_buffer *out);

/* encode_directory.c */

void lp_encode_directory(struct encoder *encoder, const char *host);

/* encode_double.c */

/*
 * The doubles whose bits these are as integers of 10^-scale, exactly; or
 * false. The integers replace the bits.
 */
bool lp_decimal_encode(uint64_t *bits, size_t n, uint8_t *scale);

/* encode_times.c */

void lp_encode_times(struct plane_set *set, const int64_t *time_ns, size_t n,
		     struct lp_buffer *out);

#endif
