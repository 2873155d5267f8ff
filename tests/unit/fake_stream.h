/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream of items that a test made, and a sink that remembers all points.
 */
#ifndef LP_TESTS_FAKE_STREAM_H
#define LP_TESTS_FAKE_STREAM_H

#include "unit.h"

#include "model/builder.h"
#include "table/metric_value.h"
#include "table/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_ITEMS 512

/* The items are the stream's once added. */
struct fake_stream {
	struct lp_stream stream;
	struct lp_item items[FAKE_ITEMS];
	struct lp_builder *builders[FAKE_ITEMS];
	size_t count, next;
};

static inline int fake_next(struct lp_stream *stream, struct lp_item *item,
			    struct lp_error *err)
{
	struct fake_stream *fake = (struct fake_stream *)stream;

	(void)err;
	if (fake->next == fake->count)
		return 0;
	*item = fake->items[fake->next++];
	return 1;
}

static inline void fake_close(struct lp_stream *stream)
{
	struct fake_stream *fake = (struct fake_stream *)stream;

	for (size_t i = 0; i < fake->count; i++) {
		lp_builder_free(fake->builders[i]);
		lp_inventory_free(
			(struct lp_inventory *)fake->items[i].inventory);
	}
	free(fake);
}

static inline struct fake_stream *fake_new(void)
{
	static const struct lp_stream_ops ops = { .next = fake_next,
						  .close = fake_close };
	struct fake_stream *fake = calloc(1, sizeof(*fake));

	assert_non_null(fake);
	fake->stream.ops = &ops;
	return fake;
}

static inline void fake_chunk(struct fake_stream *fake, struct lp_builder *b)
{
	assert_true(fake->count < FAKE_ITEMS);
	fake->builders[fake->count] = b;
	fake->items[fake->count++] =
		(struct lp_item){ .kind = LP_ITEM_CHUNK,
				  .chunk = lp_builder_chunk(b) };
}

static inline void fake_inventory(struct fake_stream *fake,
				  struct lp_inventory *inventory)
{
	assert_true(fake->count < FAKE_ITEMS);
	fake->items[fake->count++] =
		(struct lp_item){ .kind = LP_ITEM_INVENTORY,
				  .inventory = inventory };
}

static inline void fake_event(struct fake_stream *fake,
			      const struct lp_event *event)
{
	assert_true(fake->count < FAKE_ITEMS);
	fake->items[fake->count++] =
		(struct lp_item){ .kind = LP_ITEM_EVENT, .event = event };
}

/* One value of one column at one point. */
struct fake_value {
	char component[48], column[24];
	uint32_t track;
	int64_t point_ns;
	double value, seconds;
	bool present;
};

struct fake_table {
	struct fake_value *items;
	size_t count, capacity;
};

static inline void fake_keep(struct fake_table *table,
			     const struct lp_span *span, size_t c, size_t p)
{
	struct fake_value v = {
		.track = span->track,
		.point_ns = span->point_ns[p],
		.value = span->values[c].value[p],
		.seconds = span->values[c].seconds[p],
		.present = span->present[p],
	};

	snprintf(v.component, sizeof(v.component), "%s%s%s", span->host,
		 span->class ? span->class->separator : "?", span->name);
	snprintf(v.column, sizeof(v.column), "%s", span->columns[c].name);
	assert_int_equal(lp_grow(&table->items, &table->capacity,
				 table->count + 1, sizeof(v)),
			 0);
	table->items[table->count++] = v;
}

static inline int fake_sink(void *user, const struct lp_span *span,
			    struct lp_error *err)
{
	(void)err;
	for (size_t c = 0; c < span->n_columns; c++)
		for (size_t p = 0; p < span->n_points; p++)
			if (span->values[c].value)
				fake_keep(user, span, c, p);
	return 0;
}

/* All that the stream (which is closed) gives at this step. */
static inline struct fake_table fake_run(struct fake_stream *fake,
					 int64_t step_ns)
{
	struct fake_table table = { 0 };
	struct lp_query query;
	struct lp_steps_options options;
	struct lp_steps *steps;
	struct lp_error err;

	lp_query_init(&query);
	options = lp_steps_options(&query, step_ns);
	options.sink = fake_sink;
	options.user = &table;
	steps = lp_steps_new(&options);
	assert_non_null(steps);
	assert_int_equal(lp_steps_run(steps, &fake->stream, &err), 0);
	lp_steps_free(steps);
	lp_stream_close(&fake->stream);
	return table;
}

/* The last one given for the point counts. NULL: none. */
static inline const struct fake_value *fake_find(const struct fake_table *table,
						 const char *component,
						 const char *column,
						 int64_t point_ns)
{
	for (size_t i = table->count; i-- > 0;) {
		const struct fake_value *v = &table->items[i];

		if (v->point_ns == point_ns &&
		    strcmp(v->component, component) == 0 &&
		    strcmp(v->column, column) == 0)
			return v;
	}
	return NULL;
}

/* NaN: missing, or not there at all. */
static inline double fake_value(const struct fake_table *table,
				const char *component, const char *column,
				double point_s)
{
	const struct fake_value *v =
		fake_find(table, component, column, (int64_t)(point_s * 1e9));

	return v ? v->value : NAN;
}

#endif
