/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream: what every source and the archive reader give, and what the
 * archive writer and table/ take. One pull gives one item: a chunk of samples,
 * an inventory, an event or counts, in the order of the recording.
 *
 * To add a stream: a struct whose first member is struct lp_stream, with its
 * two functions in a const struct lp_stream_ops.
 */
#ifndef LP_MODEL_STREAM_H
#define LP_MODEL_STREAM_H

#include "base/error.h"
#include "base/timestamp.h"
#include "model/chunk.h"
#include "model/counts.h"
#include "model/event.h"
#include "model/inventory.h"

enum lp_item_kind {
	LP_ITEM_CHUNK,
	LP_ITEM_INVENTORY,
	LP_ITEM_EVENT,
	LP_ITEM_COUNTS,
};

/* Valid until the next pull. The pointers that are not of its kind are NULL. */
struct lp_item {
	enum lp_item_kind kind;
	const struct lp_chunk *chunk;
	const struct lp_inventory *inventory;
	const struct lp_event *event;
	const struct lp_counts *counts;
};

/* Whose it is; "" of what is none. */
const char *lp_item_host(const struct lp_item *item);
/* When it begins; of a chunk that has samples. */
int64_t lp_item_time(const struct lp_item *item);

struct lp_stream;

struct lp_stream_ops {
	int (*next)(struct lp_stream *stream, struct lp_item *item,
		    struct lp_error *err);
	void (*close)(struct lp_stream *stream);
	/* 0 to 1, or NULL: not known. For progress only. */
	double (*progress)(const struct lp_stream *stream);
	/* As lp_stream_lost; or NULL: it never loses anything. */
	const char *(*lost)(const struct lp_stream *stream);
	/* As lp_stream_skipped; or NULL: it knows all that it reads. */
	uint64_t (*skipped)(const struct lp_stream *stream);
};

struct lp_stream {
	const struct lp_stream_ops *ops;
};

/*
 * What the consumer wants. A stream may deliver more, never less: it uses the
 * query to leave work out. Zero-initialise and lp_query_init for "all".
 */
struct lp_query {
	int64_t since_ns, until_ns; /* both inclusive */
	const char *const *classes; /* ended by NULL; NULL: all */
	const char *const *columns; /* ended by NULL; NULL: all */
	unsigned threads;           /* 0 or 1: none */
	bool tolerant; /* go on behind damage, and tell by lp_stream_lost */
};

void lp_query_init(struct lp_query *query);
bool lp_query_wants_class(const struct lp_query *query, const char *name);
bool lp_query_wants_column(const struct lp_query *query, const char *name);
/* Whether [first, last] meets the query's range. */
bool lp_query_wants_span(const struct lp_query *query, int64_t first_ns,
			 int64_t last_ns);

/* 1: an item; 0: the end; below 0: -errno, and the stream is at its end. */
int lp_stream_next(struct lp_stream *stream, struct lp_item *item,
		   struct lp_error *err);
/* Accepts NULL. */
void lp_stream_close(struct lp_stream *stream);
/*
 * What was there and could not be read, for a person: "cut off after ...".
 * NULL: nothing so far. All that there is to tell is known at the end; the text
 * is valid until the next pull.
 */
const char *lp_stream_lost(const struct lp_stream *stream);
/*
 * How many items so far were of kinds that only a newer limpid knows. They are
 * no damage: what this limpid knows is all there.
 */
uint64_t lp_stream_skipped(const struct lp_stream *stream);
/* 0 to 1, or -1 when the stream cannot tell. */
double lp_stream_progress(const struct lp_stream *stream);

#endif
