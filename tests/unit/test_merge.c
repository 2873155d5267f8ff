/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "model/builder.h"
#include "table/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A stream of items that stand in an array. */
struct script {
	struct lp_stream stream;
	const struct lp_item *items;
	size_t n, at;
	int error;
};

static int script_next(struct lp_stream *stream, struct lp_item *item,
		       struct lp_error *err)
{
	struct script *s = (struct script *)stream;

	if (s->at == s->n)
		return s->error ? lp_fail(err, -s->error, "broken") : 0;
	*item = s->items[s->at++];
	return 1;
}

static void script_close(struct lp_stream *stream)
{
	free(stream);
}

static const struct lp_stream_ops script_ops = {
	.next = script_next,
	.close = script_close,
};

struct inputs {
	struct lp_builder *builders[40];
	struct lp_item items[40];
	int error; /* of the last input, at its end */
	size_t n, opened;
};

static int open_script(void *context, size_t input, struct lp_stream **stream,
		       struct lp_error *err)
{
	struct inputs *in = context;
	struct script *s = calloc(1, sizeof(*s));

	(void)err;
	*s = (struct script){ .stream.ops = &script_ops,
			      .items = &in->items[input],
			      .n = 1 };
	s->error = input + 1 == in->n ? in->error : 0;
	in->opened++;
	*stream = &s->stream;
	return 0;
}

/* An input with one value per tick: ios of a device, counting from `value`. */
static void add(struct inputs *in, const char *host,
		const struct lp_class *class, const char *instance,
		int64_t from, size_t n, uint64_t value)
{
	struct lp_builder *b = lp_builder_new(host);
	size_t panel = lp_builder_panel(b, class);
	struct lp_row row;

	for (size_t i = 0; i < n; i++) {
		lp_builder_tick(b, from + (int64_t)i);
		lp_builder_row(b, panel, instance, strlen(instance), &row);
		lp_row_u64(&row, 0, value + i);
	}
	in->builders[in->n] = b;
	in->items[in->n++] = (struct lp_item){ .kind = LP_ITEM_CHUNK,
					       .chunk = lp_builder_chunk(b) };
}

static void free_inputs(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++)
		lp_builder_free(in->builders[i]);
}

/* All chunks of a host, joined; counts chunks of all hosts. */
static struct lp_builder *merge(struct inputs *in, const char *host,
				size_t *n_chunks)
{
	struct lp_builder *b = lp_builder_new(host);
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;

	*n_chunks = 0;
	assert_int_equal(lp_merge_open(open_script, in, in->n, &stream, &err),
			 0);
	while (lp_stream_next(stream, &item, &err) > 0) {
		++*n_chunks;
		if (strcmp(item.chunk->host, host) == 0)
			lp_builder_append(b, item.chunk, 0,
					  item.chunk->n_samples);
	}
	lp_stream_close(stream);
	return b;
}

static uint64_t bits(struct lp_builder *b, const char *class_name, size_t s,
		     size_t sample)
{
	const struct lp_panel *panel =
		lp_chunk_panel(lp_builder_chunk(b), class_name);

	assert_non_null(panel);
	assert_true(s < panel->n_series);
	assert_true(lp_values_has(&panel->series[s].values[0], sample));
	return panel->series[s].values[0].bits[sample];
}

static void samples_of_one_time_become_one(void **state)
{
	struct inputs in = { 0 };
	struct lp_builder *b;
	size_t chunks;

	(void)state;
	add(&in, "h", &lp_class_disk, "sda", 10, 5, 100);
	add(&in, "h", &lp_class_net, "eth0", 12, 5, 200);
	b = merge(&in, "h", &chunks);
	assert_int_equal(lp_builder_samples(b), 7);
	assert_int_equal(chunks, 1);
	assert_int_equal(bits(b, "disk", 0, 2), 102);
	assert_int_equal(bits(b, "net", 0, 2), 200);
	assert_int_equal(bits(b, "net", 0, 6), 204);
	lp_builder_free(b);
	free_inputs(&in);
}

static void inputs_come_in_the_order_of_their_first_samples(void **state)
{
	struct inputs in = { 0 };
	struct lp_builder *b;
	size_t chunks;

	(void)state;
	for (int64_t i = 39; i >= 0; i--)
		add(&in, "h", &lp_class_disk, "sda", i * 10, 3,
		    (uint64_t)i * 10);
	b = merge(&in, "h", &chunks);
	assert_int_equal(lp_builder_samples(b), 120);
	for (size_t i = 0; i < 120; i++)
		assert_int_equal(bits(b, "disk", 0, i), i / 3 * 10 + i % 3);
	/* Some were closed after the first look, and opened again. */
	assert_true(in.opened > 40);
	lp_builder_free(b);
	free_inputs(&in);
}

static void the_same_input_twice_is_the_same_once(void **state)
{
	struct inputs in = { 0 };
	struct lp_builder *b;
	size_t chunks;

	(void)state;
	add(&in, "h", &lp_class_disk, "sda", 10, 5, 100);
	add(&in, "h", &lp_class_disk, "sda", 10, 5, 100);
	b = merge(&in, "h", &chunks);
	assert_true(lp_chunk_equal(lp_builder_chunk(b), in.items[0].chunk));
	lp_builder_free(b);
	free_inputs(&in);
}

static void hosts_stay_apart(void **state)
{
	struct inputs in = { 0 };
	struct lp_builder *b;
	size_t chunks;

	(void)state;
	add(&in, "x", &lp_class_disk, "sda", 10, 700, 100);
	add(&in, "y", &lp_class_disk, "sda", 10, 700, 200);
	b = merge(&in, "y", &chunks);
	assert_true(lp_chunk_equal(lp_builder_chunk(b), in.items[1].chunk));
	assert_int_equal(chunks, 2);
	lp_builder_free(b);
	free_inputs(&in);
}

static void columns_of_other_kinds_are_not_mixed(void **state)
{
	struct inputs in = { 0 };
	struct lp_builder *b = lp_builder_new("h");
	struct lp_column gauge = lp_metric_column(
		lp_class_metric(&lp_class_tcp, "sockets"), NULL);
	size_t panel = lp_builder_bare_panel(b, "tcp"), chunks = 0;
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;
	struct lp_row row;

	(void)state;
	add(&in, "h", &lp_class_tcp, "->p", 10, 2, 7);
	lp_builder_tick(b, 10);
	lp_builder_row(b, panel, "->p", 3, &row);
	lp_row_f64(&row, lp_builder_column(b, panel, &gauge), 2.5);
	in.builders[1] = b;
	in.items[in.n++] = (struct lp_item){ .chunk = lp_builder_chunk(b) };
	assert_int_equal(lp_merge_open(open_script, &in, 2, &stream, &err), 0);
	for (; lp_stream_next(stream, &item, &err) > 0; chunks++) {
		const struct lp_panel *p = lp_chunk_panel(item.chunk, "tcp");
		bool is_gauge = p->columns[0].type == LP_F64;

		assert_int_equal(p->series[0].values[0].bits[0],
				 is_gauge ? lp_double_bits(2.5)
					  : 7 + chunks / 2);
	}
	assert_int_equal(chunks, 3);
	lp_stream_close(stream);
	free_inputs(&in);
}

static void an_error_of_an_input_is_the_end(void **state)
{
	struct inputs in = { .error = -EIO };
	struct lp_stream *stream;
	struct lp_error err;
	struct lp_item item;

	(void)state;
	add(&in, "h", &lp_class_disk, "sda", 10, 5, 100);
	assert_int_equal(lp_merge_open(open_script, &in, 1, &stream, &err), 0);
	assert_int_equal(lp_stream_next(stream, &item, &err), -EIO);
	assert_string_equal(err.text, "broken");
	assert_int_equal(lp_stream_next(stream, &item, &err), 0);
	lp_stream_close(stream);
	free_inputs(&in);
}

static const struct lp_chunk *first_chunk(struct inputs *in)
{
	const struct lp_chunk *chunk;
	struct lp_stream *stream;
	struct lp_error err;
	struct lp_item item;

	assert_int_equal(lp_merge_open(open_script, in, in->n, &stream, &err),
			 0);
	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	chunk = item.chunk;
	lp_stream_close(stream);
	return chunk;
}

static void a_long_chunk_goes_through_as_it_is(void **state)
{
	struct inputs in = { 0 };

	(void)state;
	add(&in, "h", &lp_class_disk, "sda", 10, LP_MERGE_SAMPLES, 100);
	add(&in, "i", &lp_class_disk, "sda", 12, 5, 100);
	add(&in, "h", &lp_class_net, "eth0", 10 + LP_MERGE_SAMPLES, 5, 200);
	assert_ptr_equal(first_chunk(&in), in.items[0].chunk);
	free_inputs(&in);
}

static void a_long_chunk_that_another_completes_does_not(void **state)
{
	struct inputs in = { 0 };
	struct lp_builder *b;
	size_t chunks;

	(void)state;
	add(&in, "h", &lp_class_disk, "sda", 10, LP_MERGE_SAMPLES, 100);
	add(&in, "h", &lp_class_net, "eth0", 9 + LP_MERGE_SAMPLES, 1, 200);
	b = merge(&in, "h", &chunks);
	assert_int_equal(lp_builder_samples(b), LP_MERGE_SAMPLES);
	assert_int_equal(bits(b, "net", 0, LP_MERGE_SAMPLES - 1), 200);
	lp_builder_free(b);
	free_inputs(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_one_time_become_one),
		cmocka_unit_test(
			inputs_come_in_the_order_of_their_first_samples),
		cmocka_unit_test(the_same_input_twice_is_the_same_once),
		cmocka_unit_test(hosts_stay_apart),
		cmocka_unit_test(columns_of_other_kinds_are_not_mixed),
		cmocka_unit_test(an_error_of_an_input_is_the_end),
		cmocka_unit_test(a_long_chunk_goes_through_as_it_is),
		cmocka_unit_test(a_long_chunk_that_another_completes_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
