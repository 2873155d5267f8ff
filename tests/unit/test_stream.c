/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "model/stream.h"

#include <errno.h>
#include <stdlib.h>

/* Gives one event, then fails. */
struct counting {
	struct lp_stream stream;
	struct lp_event event;
	int pulls, *closed;
};

static int counting_next(struct lp_stream *stream, struct lp_item *item,
			 struct lp_error *err)
{
	struct counting *c = (struct counting *)stream;

	if (c->pulls++ > 0)
		return lp_fail(err, EIO, "the end of the tape");
	item->kind = LP_ITEM_EVENT;
	item->event = &c->event;
	return 1;
}

static void counting_close(struct lp_stream *stream)
{
	struct counting *c = (struct counting *)stream;

	++*c->closed;
	free(c);
}

static double half_way(const struct lp_stream *stream)
{
	(void)stream;
	return 0.5;
}

static struct lp_stream *counting_new(const struct lp_stream_ops *ops,
				      int *closed)
{
	struct counting *c = calloc(1, sizeof(*c));

	c->stream.ops = ops;
	c->closed = closed;
	return &c->stream;
}

static void a_pull_clears_the_item_first(void **state)
{
	static const struct lp_stream_ops ops = { .next = counting_next,
						  .close = counting_close };
	struct lp_item item = { .chunk = (void *)&item };
	struct lp_error err;
	int closed = 0;
	struct lp_stream *stream = counting_new(&ops, &closed);

	(void)state;
	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_null(item.chunk);
	assert_non_null(item.event);
	assert_int_equal(lp_stream_next(stream, &item, &err), -EIO);
	assert_null(item.event);
	assert_string_equal(err.text, "the end of the tape");
	lp_stream_close(stream);
	assert_int_equal(closed, 1);
	lp_stream_close(NULL);
}

static void progress_is_unknown_unless_the_stream_can_tell(void **state)
{
	static const struct lp_stream_ops silent = { .next = counting_next,
						     .close = counting_close };
	static const struct lp_stream_ops telling = {
		.next = counting_next,
		.close = counting_close,
		.progress = half_way,
	};
	int closed = 0;
	struct lp_stream *a = counting_new(&silent, &closed);
	struct lp_stream *b = counting_new(&telling, &closed);

	(void)state;
	assert_true(lp_stream_progress(a) == -1);
	assert_true(lp_stream_progress(b) == 0.5);
	lp_stream_close(a);
	lp_stream_close(b);
}

static void an_open_query_wants_everything(void **state)
{
	struct lp_query query;

	(void)state;
	lp_query_init(&query);
	assert_true(lp_query_wants_class(&query, "disk"));
	assert_true(lp_query_wants_column(&query, "rd_ios"));
	assert_true(lp_query_wants_span(&query, LP_TIME_MIN, LP_TIME_MIN));
	assert_true(lp_query_wants_span(&query, LP_TIME_MAX, LP_TIME_MAX));
}

static void a_query_wants_only_what_it_lists(void **state)
{
	static const char *const classes[] = { "disk", "net", NULL };
	static const char *const columns[] = { NULL };
	struct lp_query query;

	(void)state;
	lp_query_init(&query);
	query.classes = classes;
	query.columns = columns;
	assert_true(lp_query_wants_class(&query, "net"));
	assert_false(lp_query_wants_class(&query, "tcp"));
	assert_false(lp_query_wants_column(&query, "rd_ios"));
}

static void a_span_is_wanted_where_it_meets_the_range(void **state)
{
	struct lp_query query;

	(void)state;
	lp_query_init(&query);
	query.since_ns = 10;
	query.until_ns = 20;
	assert_true(lp_query_wants_span(&query, 0, 10));
	assert_true(lp_query_wants_span(&query, 20, 30));
	assert_true(lp_query_wants_span(&query, 0, 30));
	assert_true(lp_query_wants_span(&query, 12, 13));
	assert_false(lp_query_wants_span(&query, 0, 9));
	assert_false(lp_query_wants_span(&query, 21, 30));
}

static void an_item_says_whose_it_is_whatever_its_kind(void **state)
{
	const struct lp_chunk chunk = { .host = "a" };
	const struct lp_inventory inventory = { .host = "b" };
	const struct lp_event event = { .host = "c" };
	const struct lp_counts counts = { .host = "d" };

	(void)state;
	assert_string_equal(lp_item_host(&(struct lp_item){
				    .kind = LP_ITEM_CHUNK, .chunk = &chunk }),
			    "a");
	assert_string_equal(
		lp_item_host(&(struct lp_item){ .kind = LP_ITEM_INVENTORY,
						.inventory = &inventory }),
		"b");
	assert_string_equal(lp_item_host(&(struct lp_item){
				    .kind = LP_ITEM_EVENT, .event = &event }),
			    "c");
	assert_string_equal(
		lp_item_host(&(struct lp_item){ .kind = LP_ITEM_COUNTS,
						.counts = &counts }),
		"d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pull_clears_the_item_first),
		cmocka_unit_test(
			progress_is_unknown_unless_the_stream_can_tell),
		cmocka_unit_test(an_item_says_whose_it_is_whatever_its_kind),
		cmocka_unit_test(an_open_query_wants_everything),
		cmocka_unit_test(a_query_wants_only_what_it_lists),
		cmocka_unit_test(a_span_is_wanted_where_it_meets_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
