/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small archive with an item of every kind, and where its blocks are.
 */
#ifndef LP_TESTS_SMALL_ARCHIVE_H
#define LP_TESTS_SMALL_ARCHIVE_H

#include "archive_file.h"

#include "archive/format.h"

#define MOST_BLOCKS 16
#define CHUNKS 2
/* An event, an inventory, the chunks, and counts. */
#define ITEMS (3 + CHUNKS)
#define NONE SIZE_MAX

/*
 * A small archive: what was put into it, and its blocks: where each is, and
 * its checksum. Block i holds item i; the last is the end mark.
 */
struct small {
	const char *path;
	struct lp_event event;
	struct lp_inventory *inventory;
	struct lp_builder *chunks[CHUNKS];
	uint8_t *bytes;
	size_t n;
	struct {
		size_t at, end;
		uint32_t crc;
	} blocks[MOST_BLOCKS];
	size_t n_blocks;
};

static inline void find_blocks(struct small *s)
{
	struct block_header header;

	s->bytes = read_file(s->path, &s->n);
	for (size_t at = FILE_HEAD_SIZE; at < s->n;
	     at += lp_block_size(&header)) {
		assert_true(lp_block_header_unpack(s->bytes + at, &header));
		s->blocks[s->n_blocks].at = at;
		s->blocks[s->n_blocks].end = at + lp_block_size(&header);
		s->blocks[s->n_blocks++].crc = header.payload_crc;
	}
	assert_int_equal(s->n_blocks, ITEMS + 1);
}

static const struct lp_label pairs[] = { { "text", "slow" }, { "n", "7" } };
static const char *const texts[] = { "read;wait", "", "write", "fsync" };
static const uint32_t ids[] = { 0, 2, 3 };
static const uint64_t numbers[] = { 41, UINT64_MAX, 0 };
static const struct lp_counts some_counts = {
	.kind = "profile",
	.host = "host-1",
	.class_name = "disk",
	.component = "sda",
	.from_ns = 10,
	.to_ns = 20,
	.texts = texts,
	.n_texts = 4,
	.ids = ids,
	.counts = numbers,
	.n_counts = 3,
};

static inline void make_small(struct small *s)
{
	struct lp_archive_writer *w;
	struct lp_error err;

	*s = (struct small){
		.path = in_directory("small.limpid"),
		.event = { .host = "host-1",
			   .time_ns = 5,
			   .kind = LP_EVENT_START,
			   .source = "limpid",
			   .severity = LP_SEVERITY_ERROR,
			   .class_name = "disk",
			   .component = "sda",
			   .pairs = pairs,
			   .n_pairs = 2 },
		.inventory = some_inventory("host-1"),
		.chunks = { random_builder(
				    1, (struct random_shape){ 3, 2, 1, 10 }),
			    random_builder(
				    4, (struct random_shape){ 9, 2, 1, 10 }) },
	};
	w = new_archive(s->path, LP_ARCHIVE_ATOMIC);
	ok(lp_archive_put_event(w, &s->event, &err), &err);
	ok(lp_archive_put_inventory(w, s->inventory, &err), &err);
	for (size_t i = 0; i < CHUNKS; i++)
		ok(lp_archive_put_chunk(w, lp_builder_chunk(s->chunks[i]),
					&err),
		   &err);
	ok(lp_archive_put_counts(w, &some_counts, &err), &err);
	ok(lp_archive_finish(w, &err), &err);
	find_blocks(s);
}

static inline void free_small(struct small *s)
{
	lp_inventory_free(s->inventory);
	for (size_t i = 0; i < CHUNKS; i++)
		lp_builder_free(s->chunks[i]);
	free(s->bytes);
}

/* The block that this byte is in; NONE: the head of the file. */
static inline size_t block_at(const struct small *s, size_t at)
{
	for (size_t i = 0; i < s->n_blocks; i++)
		if (at >= s->blocks[i].at && at < s->blocks[i].end)
			return i;
	return NONE;
}

static inline bool is_item(const struct small *s, size_t i,
			   const struct lp_item *item)
{
	switch (item->kind) {
	case LP_ITEM_EVENT:
		return i == 0 && lp_event_equal(item->event, &s->event);
	case LP_ITEM_INVENTORY:
		return i == 1 &&
		       item->inventory->time_ns == s->inventory->time_ns &&
		       lp_inventory_same(item->inventory, s->inventory);
	case LP_ITEM_CHUNK:
		return i >= 2 && i < 2 + CHUNKS &&
		       lp_chunk_equal(item->chunk,
				      lp_builder_chunk(s->chunks[i - 2]));
	case LP_ITEM_COUNTS:
		return i == 2 + CHUNKS &&
		       lp_counts_equal(item->counts, &some_counts);
	}
	return false;
}

#endif
