/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A builder gathers samples, one tick after another, into a chunk.
 *
 *     lp_builder_tick(b, now);
 *     lp_builder_row(b, &lp_class_disk, "sda", 3, &row);
 *     lp_row_u64(&row, LP_DISK_RD_IOS, 36371);
 *     ...
 *     chunk = lp_builder_chunk(b);
 *     lp_builder_clear(b);
 *
 * What is not set in a tick is missing in it. When memory runs out, the
 * builder remembers it, drops what it cannot keep, and lp_builder_tick says
 * -ENOMEM once.
 */
#ifndef LP_MODEL_BUILDER_H
#define LP_MODEL_BUILDER_H

#include "model/chunk.h"

struct lp_builder;

/* A series in the current tick. Valid until the builder is cleared. */
struct lp_row {
	struct lp_builder *builder;
	size_t panel, series;
};

struct lp_builder *lp_builder_new(const char *host);
void lp_builder_free(struct lp_builder *builder);

/* Begin a new sample. 0, or -ENOMEM if something was lost since the last. */
int lp_builder_tick(struct lp_builder *builder, int64_t time_ns);
size_t lp_builder_samples(const struct lp_builder *builder);
/*
 * Rows that follow are of an earlier sample, counted from 1, until the next
 * turn or tick; those of one series come in the order of their samples.
 */
void lp_builder_turn(struct lp_builder *builder, size_t sample);
/* The sample that rows are of: the newest one, unless turned. */
size_t lp_builder_now(const struct lp_builder *builder);
/*
 * Another number whenever samples were cleared or dropped: samples are counted
 * anew then, and a series may have another index.
 */
uint64_t lp_builder_epoch(const struct lp_builder *builder);

/*
 * The panel of a class; made, with all the class's columns in the catalogue's
 * order, if it is new. LP_BUILDER_NONE: out of memory.
 */
#define LP_BUILDER_NONE ((size_t)-1)
size_t lp_builder_panel(struct lp_builder *builder,
			const struct lp_class *class);
/*
 * The same by the class's name, and a new one has no columns yet: for sources
 * that hold a few of them, or other columns of the same names.
 */
size_t lp_builder_bare_panel(struct lp_builder *builder,
			     const char *class_name);
/*
 * The index of a column by its name; added (its strings are copied) if new.
 */
size_t lp_builder_column(struct lp_builder *builder, size_t panel,
			 const struct lp_column *column);

/*
 * The row of an instance in the current tick. Cheapest when instances are
 * asked for in the same order in every tick. False: out of memory.
 */
bool lp_builder_row(struct lp_builder *builder, size_t panel, const char *name,
		    size_t name_length, struct lp_row *row);

/*
 * A row of the sample before is the same now: much cheaper than to set it,
 * since nothing is copied yet. False, nothing done: the sample before had no
 * such row, or it was asked for more than once; then set it.
 */
bool lp_row_repeat(const struct lp_row *row);

void lp_row_u64(const struct lp_row *row, size_t column, uint64_t v);
/*
 * Several columns at once, those of the mask, as they are kept: u64 as it is,
 * the bits of a double (not NaN), the number of a text.
 */
void lp_row_bits(const struct lp_row *row, const uint64_t *bits, uint64_t mask);
/* The first n columns (at most 64) at once. */
static inline void lp_row_u64s(const struct lp_row *row, const uint64_t *v,
			       size_t n)
{
	lp_row_bits(row, v, n ? UINT64_MAX >> (64 - n) : 0);
}
/* The number of a text as lp_row_bits takes it. False: out of memory. */
bool lp_builder_text(struct lp_builder *builder, const char *text,
		     uint64_t *bits);
/* NaN is the same as not set. */
void lp_row_f64(const struct lp_row *row, size_t column, double v);
void lp_row_text(const struct lp_row *row, size_t column, const char *text);
/* Whether the column was set in the current tick. */
bool lp_row_has(const struct lp_row *row, size_t column);

/*
 * Append the samples [from, to) of another chunk, of any host, whatever its
 * classes and columns. 0 or -ENOMEM.
 */
int lp_builder_append(struct lp_builder *builder, const struct lp_chunk *chunk,
		      size_t from, size_t to);

/* What was gathered so far. Valid until the next call on the builder. */
const struct lp_chunk *lp_builder_chunk(struct lp_builder *builder);
/*
 * The same in short: a series that was only repeated since the first sample is
 * one row. For the archive's writer and nobody else; most devices of a server
 * are idle, and it need not read what is known.
 */
const struct lp_chunk *lp_builder_brief(struct lp_builder *builder);
/*
 * The same in the midst of a tick, for a look at panels, their columns and
 * names only: what is present is not settled yet.
 */
const struct lp_chunk *lp_builder_shape(const struct lp_builder *builder);

/* Forget the oldest `n` samples. */
void lp_builder_drop(struct lp_builder *builder, size_t n);
/*
 * Forget all samples; instances that had no value in the last one are
 * forgotten as well, the others keep their memory and order.
 */
void lp_builder_clear(struct lp_builder *builder);

#endif
