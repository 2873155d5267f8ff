/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of a samples block: names and shapes, and where the sections
 * stand. What the query does not want is read over.
 */
#include "archive/decode.h"

#include <errno.h>

/* The least that a class, a column and a series can take in the directory. */
#define CLASS_BYTES 3
#define COLUMN_BYTES 6
#define SERIES_BYTES 1

const char *lp_decode_string(struct decoder *d, struct lp_cursor *in)
{
	size_t n;
	const char *text = lp_cursor_string(in, &n);

	return text ? lp_arena_string_n(&d->arena, text, n) : NULL;
}

/* Why lp_decode_string gave nothing. */
static int no_string(struct decoder *d, const struct lp_cursor *in)
{
	return in->failed ? lp_decode_bad(d, "the directory is too short")
			  : -ENOMEM;
}

static int read_texts(struct decoder *d, struct lp_cursor *in)
{
	uint64_t n = lp_cursor_varint(in);

	if (in->failed || n > lp_cursor_left(in) || n > MAX_TEXTS)
		return lp_decode_bad(d, "more texts than there is room for");
	d->chunk.texts =
		lp_arena_alloc_raw(&d->arena, n * sizeof(*d->chunk.texts));
	if (!d->chunk.texts)
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++) {
		d->chunk.texts[i] = lp_decode_string(d, in);
		if (!d->chunk.texts[i])
			return no_string(d, in);
	}
	d->chunk.n_texts = n;
	return 0;
}

static int read_column(struct decoder *d, struct lp_cursor *in,
		       struct lp_column *c)
{
	uint8_t kind, type, flags;

	c->name = lp_decode_string(d, in);
	c->unit = c->name ? lp_decode_string(d, in) : NULL;
	if (!c->unit)
		return no_string(d, in);
	kind = lp_cursor_u8(in);
	type = lp_cursor_u8(in);
	c->width = lp_cursor_u8(in);
	flags = lp_cursor_u8(in);
	if (flags & COLUMN_PARTNER) {
		c->partner = lp_decode_string(d, in);
		if (!c->partner)
			return no_string(d, in);
	}
	if (flags & COLUMN_BOUND)
		c->bound = lp_bits_double(lp_cursor_u64(in));
	if (in->failed)
		return no_string(d, in);
	if (kind >= LP_KINDS || type >= LP_TYPES)
		return lp_decode_bad(d, "a column of a kind that this limpid "
					"does not know");
	c->kind = (enum lp_kind)kind;
	c->type = (enum lp_type)type;
	c->optional = flags & COLUMN_OPTIONAL;
	return 0;
}

static int read_columns(struct decoder *d, struct lp_cursor *in,
			const struct lp_query *query, struct panel_entry *p)
{
	bool class_wanted = lp_query_wants_class(query, p->out.class_name);

	for (size_t c = 0; c < p->n_columns; c++) {
		int status = read_column(d, in, &p->columns[c]);

		if (status < 0)
			return status;
		p->wanted[c] = class_wanted &&
			       lp_query_wants_column(query, p->columns[c].name);
		if (p->wanted[c])
			p->out.columns[p->out.n_columns++] = p->columns[c];
	}
	return 0;
}

/* Names are kept only of series that are wanted. */
static int read_series(struct decoder *d, struct lp_cursor *in,
		       struct panel_entry *p)
{
	size_t n = p->out.n_columns ? p->n_series : 0, skipped;
	size_t columns = p->out.n_columns;
	struct lp_values *values =
		lp_arena_alloc(&d->arena, n * columns * sizeof(*values));

	p->out.series =
		lp_arena_alloc_raw(&d->arena, n * sizeof(*p->out.series));
	if (!values || !p->out.series)
		return -ENOMEM;
	p->out.n_series = n;
	for (size_t s = 0; s < n; s++) {
		p->out.series[s] = (struct lp_series){
			.name = lp_decode_string(d, in),
			.values = values + s * columns,
		};
		if (!p->out.series[s].name)
			return no_string(d, in);
	}
	for (size_t s = n; s < p->n_series; s++)
		lp_cursor_string(in, &skipped);
	return in->failed ? no_string(d, in) : 0;
}

static int read_panel(struct decoder *d, struct lp_cursor *in,
		      const struct lp_query *query, struct panel_entry *p)
{
	uint64_t n_columns, n_series;
	int status;

	*p = (struct panel_entry){ 0 };
	p->out.class_name = lp_decode_string(d, in);
	if (!p->out.class_name)
		return no_string(d, in);
	p->out.class = lp_class_find(p->out.class_name);
	n_columns = lp_cursor_varint(in);
	n_series = lp_cursor_varint(in);
	if (in->failed || n_columns > lp_cursor_left(in) / COLUMN_BYTES ||
	    n_series > lp_cursor_left(in) / SERIES_BYTES ||
	    d->n_sections + n_columns >= MAX_SECTIONS ||
	    n_columns * n_series > MAX_VALUES_TABLE - d->table)
		return lp_decode_bad(d, "more columns or series than there is "
					"room for");
	d->table += n_columns * n_series;
	p->n_columns = n_columns;
	p->n_series = n_series;
	p->columns = lp_arena_alloc(&d->arena, n_columns * sizeof(*p->columns));
	p->out.columns =
		lp_arena_alloc(&d->arena, n_columns * sizeof(*p->columns));
	p->wanted = lp_arena_alloc(&d->arena, n_columns);
	if (!p->columns || !p->out.columns || !p->wanted)
		return -ENOMEM;
	status = read_columns(d, in, query, p);
	return status < 0 ? status : read_series(d, in, p);
}

static int read_panels(struct decoder *d, struct lp_cursor *in,
		       const struct lp_query *query)
{
	uint64_t n = lp_cursor_varint(in);

	if (in->failed || n > lp_cursor_left(in) / CLASS_BYTES ||
	    n >= MAX_SECTIONS)
		return lp_decode_bad(d, "more classes than there is room for");
	if (lp_grow(&d->panels, &d->panels_capacity, n, sizeof(*d->panels)) < 0)
		return -ENOMEM;
	d->n_panels = 0;
	d->table = 0;
	d->n_sections = 1; /* times */
	for (uint64_t i = 0; i < n; i++) {
		struct panel_entry *p = &d->panels[i];
		int status = read_panel(d, in, query, p);

		if (status < 0)
			return status;
		p->presence = d->n_sections;
		d->n_sections += 1 + p->n_columns;
		d->n_panels++;
	}
	return 0;
}

static int read_sections(struct decoder *d, struct lp_cursor *in)
{
	uint64_t total = 0;

	if (lp_grow(&d->sections, &d->sections_capacity, d->n_sections,
		    sizeof(*d->sections)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < d->n_sections; i++) {
		uint64_t raw = lp_cursor_varint(in);

		total += raw;
		if (in->failed || raw > MAX_RAW || total > MAX_RAW)
			return lp_decode_bad(d, "a section that is too large");
		d->sections[i].raw = raw;
	}
	return 0;
}

static int read_frame(struct decoder *d, struct lp_cursor *in, size_t index,
		      size_t *section, size_t *at, size_t payload)
{
	uint64_t n = lp_cursor_varint(in), stored = lp_cursor_varint(in);
	struct frame *frame = &d->frames[index];

	if (in->failed || n > d->n_sections - *section ||
	    stored > payload - *at)
		return lp_decode_bad(d, "a frame that is too large");
	*frame = (struct frame){ .at = *at, .stored = stored };
	for (uint64_t i = 0; i < n; i++, ++*section) {
		d->sections[*section].frame = index;
		d->sections[*section].at = frame->raw;
		frame->raw += d->sections[*section].raw;
	}
	*at += stored;
	return 0;
}

static int read_frames(struct decoder *d, struct lp_cursor *in,
		       const struct block_header *h)
{
	uint64_t n = lp_cursor_varint(in);
	size_t section = 0, at = h->directory_stored;

	if (in->failed || n > d->n_sections)
		return lp_decode_bad(d, "more frames than sections");
	if (lp_grow(&d->frames, &d->frames_capacity, n, sizeof(*d->frames)) < 0)
		return -ENOMEM;
	d->n_frames = n;
	for (size_t i = 0; i < n; i++) {
		int status = read_frame(d, in, i, &section, &at, h->payload);

		if (status < 0)
			return status;
	}
	if (section != d->n_sections || lp_cursor_left(in) != 0 ||
	    h->payload - at >= BLOCK_ALIGN)
		return lp_decode_bad(d, "a directory that does not fit its "
					"frames");
	return 0;
}

int lp_decode_directory(struct decoder *d, const struct block *block,
			const struct lp_query *query)
{
	struct lp_cursor in = { 0 };
	int status = lp_decode_directory_bytes(d, block);

	if (status < 0)
		return status;
	in.at = d->directory.data;
	/* Nothing of nothing: an empty block has no memory. */
	in.end = in.at ? in.at + d->directory.size : NULL;
	d->chunk = (struct lp_chunk){ .host = lp_decode_string(d, &in) };
	if (!d->chunk.host)
		return no_string(d, &in);
	status = read_texts(d, &in);
	if (status == 0)
		status = read_panels(d, &in, query);
	if (status == 0)
		status = read_sections(d, &in);
	if (status == 0)
		status = read_frames(d, &in, &block->header);
	return status;
}
