/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of every block, and the small ones: inventory, event, counts,
 * end.
 */
#include "archive/encode.h"

#include "base/crc32c.h"

#include <errno.h>

#define SMALL_LEVEL 3

static bool ran_out(const struct encoder *e)
{
	return e->block.failed || e->directory.failed || e->texts.failed ||
	       e->framer.failed || e->framer.stored.failed ||
	       e->planes.failed || e->presence.failed;
}

int lp_encode_block(struct encoder *e, struct block_header *h,
		    const uint8_t **bytes, size_t *n)
{
	static const uint8_t zeroes[BLOCK_ALIGN];
	struct lp_buffer *out = &e->block;
	size_t payload;

	out->size = 0;
	lp_buffer_extend(out, BLOCK_HEADER_SIZE);
	h->directory_raw = (uint32_t)e->directory.size;
	h->directory_stored = (uint32_t)lp_framer_compress(
		&e->framer, e->directory.data, e->directory.size, out);
	lp_buffer_put(out, e->framer.stored.data, e->framer.stored.size);
	lp_buffer_put(out, zeroes, -out->size % BLOCK_ALIGN);
	if (ran_out(e))
		return -ENOMEM;
	payload = out->size - BLOCK_HEADER_SIZE;
	if (payload > MAX_PAYLOAD || e->directory.size > MAX_RAW)
		return -EFBIG;
	h->payload = payload;
	h->payload_crc = lp_crc32c(0, out->data + BLOCK_HEADER_SIZE, payload);
	lp_block_header_pack(h, out->data);
	*bytes = out->data;
	*n = out->size;
	return 0;
}

static void put_pairs(struct lp_buffer *out, const struct lp_label *pairs,
		      size_t n)
{
	lp_buffer_varint(out, n);
	for (size_t i = 0; i < n; i++) {
		lp_buffer_string(out, pairs[i].key);
		lp_buffer_string(out, pairs[i].value);
	}
}

int lp_encode_inventory(struct encoder *e, const struct lp_inventory *inventory,
			const uint8_t **bytes, size_t *n)
{
	struct lp_buffer *out = &e->directory;
	struct block_header header = {
		.type = BLOCK_INVENTORY,
		.first_ns = inventory->time_ns,
		.last_ns = inventory->time_ns,
	};

	out->size = 0;
	lp_framer_reset(&e->framer, SMALL_LEVEL);
	lp_buffer_string(out, inventory->host);
	put_pairs(out, inventory->labels.items, inventory->labels.count);
	lp_buffer_varint(out, inventory->n_components);
	for (size_t i = 0; i < inventory->n_components; i++) {
		const struct lp_component *c = &inventory->components[i];

		lp_buffer_string(out, c->class_name);
		lp_buffer_string(out, c->name);
		put_pairs(out, c->labels.items, c->labels.count);
	}
	return lp_encode_block(e, &header, bytes, n);
}

int lp_encode_event(struct encoder *e, const struct lp_event *event,
		    const uint8_t **bytes, size_t *n)
{
	struct lp_buffer *out = &e->directory;
	struct block_header header = {
		.type = BLOCK_EVENT,
		.first_ns = event->time_ns,
		.last_ns = event->time_ns,
	};

	out->size = 0;
	lp_framer_reset(&e->framer, SMALL_LEVEL);
	lp_buffer_string(out, event->host);
	lp_buffer_varint(out, (uint64_t)event->kind);
	lp_buffer_u8(out, (uint8_t)event->severity);
	lp_buffer_string(out, event->source);
	lp_buffer_string(out, event->class_name);
	lp_buffer_string(out, event->component);
	put_pairs(out, event->pairs, event->n_pairs);
	return lp_encode_block(e, &header, bytes, n);
}

/* The texts first: ids and counts cannot be read without their number. */
int lp_encode_counts(struct encoder *e, const struct lp_counts *c,
		     const uint8_t **bytes, size_t *n)
{
	struct lp_buffer *out = &e->directory;
	struct block_header header = {
		.type = BLOCK_COUNTS,
		.first_ns = c->from_ns,
		.last_ns = c->to_ns,
	};

	if (!lp_counts_valid(c))
		return -EINVAL;
	if (c->n_texts > MAX_TEXTS)
		return -EFBIG;
	out->size = 0;
	lp_framer_reset(&e->framer, SMALL_LEVEL);
	lp_buffer_string(out, c->kind);
	lp_buffer_string(out, c->host);
	lp_buffer_string(out, c->class_name);
	lp_buffer_string(out, c->component);
	lp_buffer_varint(out, c->n_texts);
	for (size_t i = 0; i < c->n_texts; i++)
		lp_buffer_string(out, c->texts[i]);
	lp_buffer_varint(out, c->n_counts);
	for (size_t i = 0; i < c->n_counts; i++)
		lp_buffer_varint(out, i == 0 ? c->ids[0]
					     : c->ids[i] - c->ids[i - 1] - 1);
	for (size_t i = 0; i < c->n_counts; i++)
		lp_buffer_varint(out, c->counts[i]);
	return lp_encode_block(e, &header, bytes, n);
}

int lp_encode_end(struct encoder *e, int64_t first_ns, int64_t last_ns,
		  const uint8_t **bytes, size_t *n)
{
	struct block_header header = {
		.type = BLOCK_END,
		.first_ns = first_ns,
		.last_ns = last_ns,
	};

	e->directory.size = 0;
	lp_framer_reset(&e->framer, SMALL_LEVEL);
	return lp_encode_block(e, &header, bytes, n);
}
