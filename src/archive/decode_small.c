/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inventories and events, and the choice by type.
 */
#include "archive/decode.h"
#include "archive/prose.h"

#include <errno.h>

/* The least that a pair can take. */
#define PAIR_BYTES 2

int lp_decode_begin(struct decoder *d, const struct block *block,
		    struct lp_cursor *in)
{
	int status = lp_decode_directory_bytes(d, block);

	if (status < 0)
		return status;
	lp_arena_reset(&d->arena);
	*in = (struct lp_cursor){ .at = d->directory.data };
	/* Nothing of nothing: an empty block has no memory. */
	in->end = in->at ? in->at + d->directory.size : NULL;
	return 0;
}

int lp_decode_no_string(struct decoder *d, const struct lp_cursor *in)
{
	return in->failed ? lp_decode_bad(d, "the block is too short")
			  : -ENOMEM;
}

int lp_decode_name(struct decoder *d, struct lp_cursor *in, const char **name)
{
	const char *text = lp_decode_string(d, in);

	if (!text)
		return lp_decode_no_string(d, in);
	*name = *text ? text : NULL;
	return 0;
}

static int read_labels(struct decoder *d, struct lp_cursor *in,
		       struct lp_labels *labels)
{
	uint64_t n = lp_cursor_varint(in);

	for (uint64_t i = 0; i < n; i++) {
		const char *key = lp_decode_string(d, in);
		const char *value = key ? lp_decode_string(d, in) : NULL;

		if (!value)
			return lp_decode_no_string(d, in);
		if (lp_inventory_label(d->inventory, labels, key, value) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int read_component(struct decoder *d, struct lp_cursor *in)
{
	const char *class_name = lp_decode_string(d, in);
	const char *name = class_name ? lp_decode_string(d, in) : NULL;
	struct lp_component *component;

	if (!name)
		return lp_decode_no_string(d, in);
	component = lp_inventory_add(d->inventory, class_name, name);
	if (!component)
		return -ENOMEM;
	return read_labels(d, in, &component->labels);
}

int lp_decode_inventory(struct decoder *d, const struct block *block)
{
	struct lp_cursor in;
	const char *host;
	uint64_t n;
	int status = lp_decode_begin(d, block, &in);

	if (status < 0)
		return status;
	host = lp_decode_string(d, &in);
	if (!host)
		return lp_decode_no_string(d, &in);
	lp_inventory_free(d->inventory);
	d->inventory = lp_inventory_new(host, block->header.first_ns);
	if (!d->inventory)
		return -ENOMEM;
	status = read_labels(d, &in, &d->inventory->labels);
	n = lp_cursor_varint(&in);
	for (uint64_t i = 0; status == 0 && i < n; i++)
		status = read_component(d, &in);
	if (status == 0 && (in.failed || lp_cursor_left(&in)))
		return lp_decode_bad(d, "an inventory that does not fill its "
					"block");
	return status;
}

/* What events of all versions begin with. */
static int begin_event(struct decoder *d, const struct block *block,
		       struct lp_cursor *in)
{
	uint64_t kind;
	int status = lp_decode_begin(d, block, in);

	if (status < 0)
		return status;
	d->event = (struct lp_event){ .time_ns = block->header.first_ns };
	d->event.host = lp_decode_string(d, in);
	if (!d->event.host)
		return lp_decode_no_string(d, in);
	kind = lp_cursor_varint(in);
	if (in->failed)
		return lp_decode_bad(d, "the block is too short");
	if (kind >= LP_EVENT_KINDS)
		return -ENOTSUP;
	d->event.kind = (enum lp_event_kind)kind;
	return 0;
}

static int decode_prose(struct decoder *d, const struct block *block)
{
	struct lp_cursor in;
	const char *text;
	int status = begin_event(d, block, &in);

	if (status < 0)
		return status;
	text = lp_decode_string(d, &in);
	if (!text)
		return lp_decode_no_string(d, &in);
	if (lp_cursor_left(&in))
		return lp_decode_bad(d, "an event that does not fill its "
					"block");
	return lp_prose_event(&d->event, text, &d->arena);
}

static int read_pairs(struct decoder *d, struct lp_cursor *in)
{
	uint64_t n = lp_cursor_varint(in);
	struct lp_label *pairs;

	if (in->failed || n > lp_cursor_left(in) / PAIR_BYTES)
		return lp_decode_bad(d, "more pairs than there is room for");
	pairs = lp_arena_alloc_raw(&d->arena, n * sizeof(*pairs));
	if (!pairs)
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++) {
		pairs[i].key = lp_decode_string(d, in);
		pairs[i].value = pairs[i].key ? lp_decode_string(d, in) : NULL;
		if (!pairs[i].value)
			return lp_decode_no_string(d, in);
	}
	d->event.pairs = pairs;
	d->event.n_pairs = n;
	return 0;
}

static int decode_event(struct decoder *d, const struct block *block)
{
	struct lp_event *event = &d->event;
	struct lp_cursor in;
	uint8_t severity;
	int status = begin_event(d, block, &in);

	if (status < 0)
		return status;
	severity = lp_cursor_u8(&in);
	event->severity = severity < LP_SEVERITIES ? (enum lp_severity)severity
						   : LP_SEVERITY_CRITICAL;
	status = lp_decode_name(d, &in, &event->source);
	if (status == 0)
		status = lp_decode_name(d, &in, &event->class_name);
	if (status == 0)
		status = lp_decode_name(d, &in, &event->component);
	if (status == 0)
		status = read_pairs(d, &in);
	if (status == 0 && lp_cursor_left(&in))
		return lp_decode_bad(d, "an event that does not fill its "
					"block");
	return status;
}

int lp_decode_block(struct decoder *d, const struct block *block,
		    const struct lp_query *query, struct lp_item *item)
{
	int status;

	d->why = NULL;
	*item = (struct lp_item){ 0 };
	switch (block->header.type) {
	case BLOCK_SAMPLES:
		status = lp_decode_samples(d, block, query);
		item->kind = LP_ITEM_CHUNK;
		item->chunk = &d->chunk;
		break;
	case BLOCK_INVENTORY:
		status = lp_decode_inventory(d, block);
		item->kind = LP_ITEM_INVENTORY;
		item->inventory = d->inventory;
		break;
	case BLOCK_PROSE:
	case BLOCK_EVENT:
		status = block->header.type == BLOCK_EVENT
				 ? decode_event(d, block)
				 : decode_prose(d, block);
		item->kind = LP_ITEM_EVENT;
		item->event = &d->event;
		break;
	case BLOCK_COUNTS:
		status = lp_decode_counts(d, block);
		item->kind = LP_ITEM_COUNTS;
		item->counts = &d->counts;
		break;
	default:
		status = -ENOTSUP;
	}
	return status;
}

static bool times_agree(const struct lp_chunk *chunk,
			const struct block_header *h)
{
	for (size_t i = 0; i < chunk->n_samples; i++)
		if (chunk->time_ns[i] < h->first_ns ||
		    chunk->time_ns[i] > h->last_ns)
			return false;
	return true;
}

int lp_decode_whole(struct decoder *d, const struct block *block,
		    struct lp_item *item)
{
	struct lp_query all;
	int status;

	lp_query_init(&all);
	status = lp_decode_block(d, block, &all, item);
	if (status == 0 && item->kind == LP_ITEM_CHUNK &&
	    (d->n_values != block->header.n_values ||
	     !times_agree(item->chunk, &block->header)))
		return lp_decode_bad(d, "its header contradicts its content");
	return status;
}
