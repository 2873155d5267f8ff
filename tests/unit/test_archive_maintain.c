/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compacting, counting, and reading with threads.
 */
#include "archive_file.h"

#include "archive/maintain.h"
#include "archive/parallel.h"

#include <errno.h>

#define MINUTE_S 60

/* `minutes` blocks of a minute each, as a recorder leaves them. */
static void record(const char *path, const char *host, int64_t start_s,
		   int minutes)
{
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_LIVE);
	struct lp_event event = { .host = host,
				  .time_ns = start_s * LP_NS_PER_S,
				  .kind = LP_EVENT_START };
	struct lp_builder *b = lp_builder_new(host);
	size_t disk = lp_builder_panel(b, &lp_class_disk);
	uint64_t rng = (uint64_t)start_s;
	struct lp_row row;
	struct lp_error err;

	ok(lp_archive_put_event(w, &event, &err), &err);
	for (int m = 0; m < minutes; m++) {
		for (int i = 0; i < MINUTE_S; i++) {
			int64_t t = start_s + m * MINUTE_S + i;

			lp_builder_tick(b, t * LP_NS_PER_S);
			lp_builder_row(b, disk, "sda", 3, &row);
			lp_row_u64(&row, 0, (uint64_t)t);
			if (random_below(&rng, 4))
				lp_row_u64(&row, 1, random_next(&rng));
			if (m % 3 != 1) {
				lp_builder_row(b, disk, "sdb", 3, &row);
				lp_row_u64(&row, 0, random_below(&rng, 9));
			}
		}
		ok(lp_archive_put_chunk(w, lp_builder_chunk(b), &err), &err);
		lp_builder_clear(b);
	}
	ok(lp_archive_finish(w, &err), &err);
	lp_builder_free(b);
}

/* All samples of a file as one chunk, and how many items it came in. */
static struct lp_builder *gather(const char *path, const char *host,
				 size_t *chunks, size_t *others)
{
	struct lp_stream *stream = open_archive(path);
	struct lp_builder *b = lp_builder_new(host);
	struct lp_item item;
	int code;

	*chunks = *others = 0;
	while ((code = next_item(stream, &item)) > 0) {
		if (item.kind != LP_ITEM_CHUNK) {
			++*others;
			continue;
		}
		if (strcmp(item.chunk->host, host) != 0)
			continue;
		++*chunks;
		assert_int_equal(lp_builder_append(b, item.chunk, 0,
						   item.chunk->n_samples),
				 0);
	}
	assert_int_equal(code, 0);
	lp_stream_close(stream);
	return b;
}

static void compact(const char *const *paths, size_t n, const char *out)
{
	struct lp_compact_result result;
	struct lp_error err;

	ok(lp_archive_compact(paths, n, out, NULL, &result, &err), &err);
	assert_true(result.after > 0 && result.after < result.before);
}

static void compacting_keeps_all_samples_in_fewer_blocks(void **state)
{
	const char *path = in_directory("a.limpid");
	size_t chunks, others, chunks_after, others_after;
	struct lp_builder *before, *after;

	(void)state;
	record(path, "h", 7200 + 1800, 60);
	before = gather(path, "h", &chunks, &others);
	assert_int_equal(chunks, 60);
	compact(&path, 1, path);
	after = gather(path, "h", &chunks_after, &others_after);
	/* Cut at the whole hour. */
	assert_int_equal(chunks_after, 2);
	assert_int_equal(others_after, 1);
	assert_true(lp_chunk_equal(lp_builder_chunk(before),
				   lp_builder_chunk(after)));
	lp_builder_free(before);
	lp_builder_free(after);
}

static void compacting_twice_gives_the_same_bytes(void **state)
{
	const char *path = in_directory("a.limpid");
	uint8_t *once, *twice;
	struct lp_error err;
	size_t n, m;

	(void)state;
	record(path, "h", 7200, 5);
	compact(&path, 1, path);
	once = read_file(path, &n);
	ok(lp_archive_compact(&path, 1, path, NULL, NULL, &err), &err);
	twice = read_file(path, &m);
	assert_int_equal(n, m);
	assert_memory_equal(once, twice, n);
	free(once);
	free(twice);
}

static void files_of_a_host_are_merged_by_time(void **state)
{
	const char *paths[] = { in_directory("2.limpid"),
				in_directory("1.limpid") };
	const char *out = in_directory("out.limpid");
	size_t chunks, others;
	struct lp_builder *b;
	const struct lp_chunk *chunk;

	(void)state;
	record(paths[0], "h", 7800, 3);
	record(paths[1], "h", 7200, 3);
	compact(paths, 2, out);
	b = gather(out, "h", &chunks, &others);
	chunk = lp_builder_chunk(b);
	assert_int_equal(chunk->n_samples, 360);
	for (size_t i = 1; i < chunk->n_samples; i++)
		assert_true(chunk->time_ns[i] > chunk->time_ns[i - 1]);
	assert_int_equal(chunks, 2); /* the second start stands between */
	assert_int_equal(others, 2);
	lp_builder_free(b);
}

static void hosts_stay_apart(void **state)
{
	const char *paths[] = { in_directory("a.limpid"),
				in_directory("b.limpid") };
	const char *out = in_directory("out.limpid");
	struct lp_builder *want, *got;
	size_t chunks, others;

	(void)state;
	record(paths[0], "a", 7200, 4);
	record(paths[1], "b", 7230, 4);
	compact(paths, 2, out);
	want = gather(paths[1], "b", &chunks, &others);
	got = gather(out, "b", &chunks, &others);
	assert_true(
		lp_chunk_equal(lp_builder_chunk(want), lp_builder_chunk(got)));
	lp_builder_free(want);
	lp_builder_free(got);
}

/* The same name as a number here and as a double there. */
static void columns_that_differ_are_not_mixed(void **state)
{
	struct lp_column column = { .name = "x", .unit = "", .kind = LP_GAUGE };
	const char *path = in_directory("a.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_LIVE);
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct lp_builder *b = lp_builder_new("h");
		size_t p = lp_builder_panel(b, &lp_class_disk), c;
		struct lp_row row;

		column.type = i ? LP_F64 : LP_U64;
		c = lp_builder_column(b, p, &column);
		lp_builder_tick(b, i);
		lp_builder_row(b, p, "sda", 3, &row);
		lp_row_u64(&row, c, lp_double_bits(1.5));
		ok(lp_archive_put_chunk(w, lp_builder_chunk(b), &err), &err);
		lp_builder_free(b);
	}
	ok(lp_archive_finish(w, &err), &err);
	ok(lp_archive_compact(&path, 1, path, NULL, NULL, &err), &err);
	stream = open_archive(path);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(next_item(stream, &item), 1);
		assert_int_equal(item.chunk->panels[0].columns[0].type,
				 i ? LP_F64 : LP_U64);
	}
	lp_stream_close(stream);
}

static void a_damaged_file_is_not_compacted(void **state)
{
	const char *path = in_directory("a.limpid");
	struct lp_error err;
	uint8_t *before, *after;
	size_t n, m;

	(void)state;
	record(path, "h", 7200, 3);
	before = read_file(path, &n);
	before[n / 2] ^= 1;
	write_file(path, before, n);
	assert_int_equal(lp_archive_compact(&path, 1, path, NULL, NULL, &err),
			 -EBADMSG);
	after = read_file(path, &m);
	assert_int_equal(n, m);
	assert_memory_equal(before, after, n);
	free(before);
	free(after);
}

static void a_chunk_too_large_for_a_block_is_split(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 70000, 4, 0, 0 });
	const char *path = in_directory("a.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_ATOMIC);
	struct lp_builder *got;
	struct lp_error err;
	size_t chunks, others;

	(void)state;
	ok(lp_archive_put_chunk(w, lp_builder_chunk(b), &err), &err);
	ok(lp_archive_finish(w, &err), &err);
	got = gather(path, "host-1", &chunks, &others);
	assert_int_equal(chunks, 2);
	assert_true(lp_chunk_equal(lp_builder_chunk(b), lp_builder_chunk(got)));
	lp_builder_free(b);
	lp_builder_free(got);
}

static void threads_give_the_same_items_in_the_same_order(void **state)
{
	const char *path = in_directory("a.limpid");
	struct lp_stream *one, *many;
	struct lp_item a, b;
	struct lp_query query;
	struct lp_error err;
	int code;

	(void)state;
	record(path, "h", 7200, 11);
	lp_query_init(&query);
	query.threads = 3;
	one = open_archive(path);
	ok(lp_archive_open_parallel(path, &query, &many, &err), &err);
	while ((code = next_item(one, &a)) > 0) {
		assert_int_equal(next_item(many, &b), 1);
		assert_int_equal(a.kind, b.kind);
		if (a.kind == LP_ITEM_CHUNK)
			assert_true(lp_chunk_equal(a.chunk, b.chunk));
	}
	assert_int_equal(next_item(many, &b), 0);
	assert_int_equal(next_item(many, &b), 0);
	lp_stream_close(one);
	lp_stream_close(many);
}

static void threads_report_damage_after_what_came_before(void **state)
{
	const char *path = in_directory("a.limpid");
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_error err;
	struct lp_item item;
	uint8_t *bytes;
	size_t n, items = 0;
	int code;

	(void)state;
	record(path, "h", 7200, 11);
	bytes = read_file(path, &n);
	bytes[n - 300] ^= 1;
	write_file(path, bytes, n);
	free(bytes);
	lp_query_init(&query);
	query.threads = 4;
	ok(lp_archive_open_parallel(path, &query, &stream, &err), &err);
	while ((code = lp_stream_next(stream, &item, &err)) > 0)
		items++;
	assert_int_equal(code, -EBADMSG);
	assert_int_equal(items, 11);
	assert_int_equal(lp_stream_next(stream, &item, &err), 0);
	lp_stream_close(stream);
	assert_int_equal(lp_archive_open_parallel(in_directory("none"), &query,
						  &stream, &err),
			 -ENOENT);
}

static void info_counts_what_is_there(void **state)
{
	const char *path = in_directory("a.limpid");
	struct lp_error err;
	struct lp_info info;
	struct lp_archive_state verdict;

	(void)state;
	record(path, "h", 7200, 3);
	ok(lp_archive_info(path, &info, &err), &err);
	assert_int_equal(info.samples, 180);
	assert_int_equal(info.events, 1);
	assert_int_equal(info.blocks, 4);
	ok(lp_archive_verify(path, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.blocks, info.blocks);
	assert_int_equal(info.first_ns, 7200 * LP_NS_PER_S);
	assert_int_equal(info.last_ns, 7379 * LP_NS_PER_S);
	assert_int_equal(info.interval_ns, LP_NS_PER_S);
	assert_true(info.closed);
	assert_int_equal(info.n_classes, 1);
	assert_int_equal(info.classes[0].instances.count, 2);
	assert_int_equal(info.classes[0].columns.count, 2);
	assert_int_equal(info.classes[0].values, info.values);
	lp_archive_info_done(&info);
}

static void verify_says_when_a_file_was_not_closed(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 9, 4, 0, 0 });
	const char *path = in_directory("a.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_LIVE);
	struct lp_archive_state verdict;
	struct lp_error err;

	(void)state;
	ok(lp_archive_put_tail(w, lp_builder_chunk(b), &err), &err);
	lp_archive_abandon(w);
	ok(lp_archive_verify(path, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.damages, 0);
	assert_false(verdict.closed);
	assert_true(verdict.open_tail);
	ok(lp_archive_repair(path, path, NULL, &verdict, &err), &err);
	ok(lp_archive_verify(path, NULL, &verdict, &err), &err);
	assert_true(verdict.closed);
	assert_int_equal(verdict.samples, 9);
	lp_builder_free(b);
}

static void a_file_that_grows_is_not_replaced(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 9, 4, 0, 0 });
	const char *path = in_directory("a.limpid");
	const char *other = in_directory("b.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_LIVE);
	struct lp_compact_result result;
	struct lp_archive_state verdict;
	struct lp_error err;

	(void)state;
	ok(lp_archive_put_tail(w, lp_builder_chunk(b), &err), &err);
	assert_int_equal(lp_archive_repair(path, path, NULL, &verdict, &err),
			 -EBUSY);
	assert_non_null(strstr(err.text, "being recorded"));
	assert_int_equal(
		lp_archive_compact(&path, 1, path, NULL, &result, &err),
		-EBUSY);
	ok(lp_archive_compact(&path, 1, other, NULL, &result, &err), &err);
	ok(lp_archive_finish(w, &err), &err);
	ok(lp_archive_compact(&path, 1, path, NULL, &result, &err), &err);
	ok(lp_archive_verify(path, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.samples, 9);
	lp_builder_free(b);
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(compacting_keeps_all_samples_in_fewer_blocks),
		TEST(compacting_twice_gives_the_same_bytes),
		TEST(files_of_a_host_are_merged_by_time),
		TEST(hosts_stay_apart),
		TEST(columns_that_differ_are_not_mixed),
		TEST(a_damaged_file_is_not_compacted),
		TEST(a_chunk_too_large_for_a_block_is_split),
		TEST(threads_give_the_same_items_in_the_same_order),
		TEST(threads_report_damage_after_what_came_before),
		TEST(info_counts_what_is_there),
		TEST(verify_says_when_a_file_was_not_closed),
		TEST(a_file_that_grows_is_not_replaced),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
