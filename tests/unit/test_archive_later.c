/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a newer limpid wrote, and this one does not know.
 */
#include "archive_file.h"

#include "archive/maintain.h"
#include "archive/parallel.h"
#include "archive/writer.h"
#include "base/crc32c.h"

#include <errno.h>

static void expect_later(const char *path)
{
	const char *good = in_directory("good.limpid");
	struct lp_archive_state verdict;
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_info info;
	struct lp_error err;

	lp_query_init(&query);
	assert_int_equal(lp_archive_open(path, &query, &stream, &err),
			 -ENOTSUP);
	assert_non_null(strstr(err.text, "written by a newer limpid"));
	assert_int_equal(lp_archive_verify(path, NULL, &verdict, &err),
			 -ENOTSUP);
	assert_int_equal(lp_archive_info(path, &info, &err), -ENOTSUP);
	assert_int_equal(lp_archive_repair(path, good, NULL, &verdict, &err),
			 -ENOTSUP);
	assert_int_equal(lp_archive_compact(&path, 1, good, NULL, NULL, &err),
			 -ENOTSUP);
	assert_non_null(strstr(err.text, "written by a newer limpid"));
	assert_int_equal(access(good, F_OK), -1);
}

static void a_file_of_a_later_version_is_left_alone(void **state)
{
	const char *path = in_directory("later.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_ATOMIC);
	uint8_t *bytes;
	size_t n;

	(void)state;
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	bytes = read_file(path, &n);
	for (int version = FILE_VERSION + 1; version <= MOST_VERSION;
	     version += 252) {
		bytes[HEAD_VERSION_AT] = (uint8_t)version;
		write_file(path, bytes, n);
		expect_later(path);
	}
	free(bytes);
}

/* ---- single blocks ---- */

#define LATER_BLOCKS 3

static void put_raw(struct lp_archive_writer *w, uint8_t type,
		    const uint8_t *payload, size_t n, size_t stored)
{
	struct block block = {
		.header = { .type = type,
			    .payload = n,
			    .directory_stored = (uint32_t)stored,
			    .directory_raw = (uint32_t)stored,
			    .payload_crc = lp_crc32c(0, payload, n) },
		.payload = payload,
	};
	struct lp_error err;

	ok(lp_writer_put_block(w, &block, &err), &err);
}

/* Known and unknown blocks by turns; the chunk is put three times. */
static void make_later(const char *path, const struct lp_chunk *chunk)
{
	/* "h", kind 99, and what nobody knows; a block of version 1, too. */
	static const uint8_t event[16] = { 1, 'h', 99, 0xff, 0xff, 0xff };
	static const uint8_t prose[16] = { 1, 'h', 99, 1, 'x' };
	static const uint8_t other[24] = { 0xff, 1, 2, 3 };
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_ATOMIC);
	struct lp_error err;

	put_raw(w, 200, other, sizeof(other), 12);
	ok(lp_archive_put_chunk(w, chunk, &err), &err);
	put_raw(w, BLOCK_EVENT, event, sizeof(event), 9);
	ok(lp_archive_put_chunk(w, chunk, &err), &err);
	put_raw(w, BLOCK_PROSE, prose, sizeof(prose), 5);
	ok(lp_archive_put_chunk(w, chunk, &err), &err);
	ok(lp_archive_finish(w, &err), &err);
}

static void expect_chunks(struct lp_stream *stream,
			  const struct lp_chunk *chunk)
{
	struct lp_item item;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(next_item(stream, &item), 1);
		assert_true(lp_chunk_equal(item.chunk, chunk));
	}
	assert_int_equal(next_item(stream, &item), 0);
	assert_int_equal(lp_stream_skipped(stream), LATER_BLOCKS);
	assert_null(lp_stream_lost(stream));
	lp_stream_close(stream);
}

static void later_blocks_are_skipped_and_counted(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 5, 2, 1, 0 });
	const char *path = in_directory("later.limpid");
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_error err;

	(void)state;
	make_later(path, lp_builder_chunk(b));
	expect_chunks(open_archive(path), lp_builder_chunk(b));
	lp_query_init(&query);
	query.threads = 2;
	ok(lp_archive_open_parallel(path, &query, &stream, &err), &err);
	expect_chunks(stream, lp_builder_chunk(b));
	lp_builder_free(b);
}

static void later_blocks_are_no_damage(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 5, 2, 1, 0 });
	const char *path = in_directory("later.limpid");
	struct lp_archive_state verdict;
	struct lp_info info;
	struct lp_error err;

	(void)state;
	make_later(path, lp_builder_chunk(b));
	ok(lp_archive_verify(path, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.damages, 0);
	assert_int_equal(verdict.blocks, 3 + LATER_BLOCKS);
	assert_int_equal(verdict.skipped, LATER_BLOCKS);
	ok(lp_archive_info(path, &info, &err), &err);
	assert_int_equal(info.blocks, 3);
	assert_int_equal(info.skipped, LATER_BLOCKS);
	assert_true(info.closed);
	lp_archive_info_done(&info);
	lp_builder_free(b);
}

static void repair_keeps_later_blocks_as_they_are(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 5, 2, 1, 0 });
	const char *path = in_directory("later.limpid");
	const char *good = in_directory("good.limpid");
	struct lp_archive_state verdict;
	struct lp_error err;
	uint8_t *before, *after;
	size_t n, m;

	(void)state;
	make_later(path, lp_builder_chunk(b));
	ok(lp_archive_repair(path, good, NULL, &verdict, &err), &err);
	before = read_file(path, &n);
	after = read_file(good, &m);
	assert_int_equal(n, m);
	assert_memory_equal(before, after, n);
	free(before);
	free(after);
	lp_builder_free(b);
}

static void compact_does_not_lose_later_blocks(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 5, 2, 1, 0 });
	const char *path = in_directory("later.limpid");
	struct lp_error err;
	uint8_t *before, *after;
	size_t n, m;

	(void)state;
	make_later(path, lp_builder_chunk(b));
	before = read_file(path, &n);
	assert_int_equal(lp_archive_compact(&path, 1, path, NULL, NULL, &err),
			 -ENOTSUP);
	assert_non_null(strstr(err.text, "3 blocks written by a newer limpid"));
	after = read_file(path, &m);
	assert_int_equal(n, m);
	assert_memory_equal(before, after, n);
	free(before);
	free(after);
	lp_builder_free(b);
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_of_a_later_version_is_left_alone),
		TEST(later_blocks_are_skipped_and_counted),
		TEST(later_blocks_are_no_damage),
		TEST(repair_keeps_later_blocks_as_they_are),
		TEST(compact_does_not_lose_later_blocks),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
