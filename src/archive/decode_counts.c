/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A block of counts. Every text, id and count takes a byte of the directory at
 * the least, which bounds what is allocated.
 */
#include "archive/decode.h"

#include <errno.h>

static int read_texts(struct decoder *d, struct lp_cursor *in)
{
	uint64_t n = lp_cursor_varint(in);
	const char **texts;

	if (in->failed || n > lp_cursor_left(in) || n > MAX_TEXTS)
		return lp_decode_bad(d, "more texts than there is room for");
	texts = lp_arena_alloc_raw(&d->arena, n * sizeof(*texts));
	if (!texts)
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++) {
		texts[i] = lp_decode_string(d, in);
		if (!texts[i])
			return lp_decode_no_string(d, in);
	}
	d->counts.texts = texts;
	d->counts.n_texts = n;
	return 0;
}

/* What stands between an id and the one before it, so that they ascend. */
static int read_ids(struct decoder *d, struct lp_cursor *in, uint32_t *ids,
		    size_t n)
{
	uint64_t next = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t gap = lp_cursor_varint(in);

		if (in->failed || gap >= d->counts.n_texts - next)
			return lp_decode_bad(d, "a count without its text");
		ids[i] = (uint32_t)(next + gap);
		next += gap + 1;
	}
	return 0;
}

static int read_counts(struct decoder *d, struct lp_cursor *in)
{
	uint64_t n = lp_cursor_varint(in);
	uint32_t *ids;
	uint64_t *counts;
	int status;

	if (in->failed || n > d->counts.n_texts || n > lp_cursor_left(in) / 2)
		return lp_decode_bad(d, "more counts than there is room for");
	ids = lp_arena_alloc_raw(&d->arena, n * sizeof(*ids));
	counts = lp_arena_alloc_raw(&d->arena, n * sizeof(*counts));
	if (!ids || !counts)
		return -ENOMEM;
	status = read_ids(d, in, ids, n);
	if (status < 0)
		return status;
	for (uint64_t i = 0; i < n; i++)
		counts[i] = lp_cursor_varint(in);
	if (in->failed || lp_cursor_left(in))
		return lp_decode_bad(d, "counts that do not fill their block");
	d->counts.ids = ids;
	d->counts.counts = counts;
	d->counts.n_counts = n;
	return 0;
}

/* Of what, and of whom. */
static int read_names(struct decoder *d, struct lp_cursor *in)
{
	struct lp_counts *c = &d->counts;
	int status = lp_decode_name(d, in, &c->kind);

	if (status < 0)
		return status;
	c->host = lp_decode_string(d, in);
	if (!c->host)
		return lp_decode_no_string(d, in);
	status = lp_decode_name(d, in, &c->class_name);
	return status < 0 ? status : lp_decode_name(d, in, &c->component);
}

int lp_decode_counts(struct decoder *d, const struct block *block)
{
	struct lp_cursor in;
	int status = lp_decode_begin(d, block, &in);

	d->counts = (struct lp_counts){
		.from_ns = block->header.first_ns,
		.to_ns = block->header.last_ns,
	};
	if (status == 0)
		status = read_names(d, &in);
	if (status == 0)
		status = read_texts(d, &in);
	if (status == 0)
		status = read_counts(d, &in);
	if (status == 0 && !lp_counts_valid(&d->counts))
		return lp_decode_bad(d, "counts of no kind, or of no time");
	return status;
}
