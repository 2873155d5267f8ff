/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_file.h"

#include "archive/decode.h"
#include "archive/maintain.h"
#include "model/builder.h"

#include <errno.h>

static const char *const three[] = { "read;wait", "write", "fsync" };

static struct lp_counts some(const uint32_t *ids, const uint64_t *counts,
			     size_t n)
{
	return (struct lp_counts){
		.kind = "profile",
		.host = "h",
		.from_ns = 10,
		.to_ns = 20,
		.texts = three,
		.n_texts = 3,
		.ids = ids,
		.counts = counts,
		.n_counts = n,
	};
}

static void what_contradicts_itself_is_refused(void **state)
{
	static const uint32_t ids[][2] = {
		{ 0, 2 }, { 2, 0 }, { 1, 1 }, { 0, 3 }
	};
	static const uint64_t counts[] = { 5, 6 };
	struct lp_archive_writer *w =
		new_archive(in_directory("c.limpid"), LP_ARCHIVE_ATOMIC);
	struct lp_counts c;

	(void)state;
	for (size_t i = 0; i < lp_array_size(ids); i++) {
		c = some(ids[i], counts, 2);
		assert_int_equal(lp_counts_valid(&c), i == 0);
		assert_int_equal(lp_archive_put_counts(w, &c, NULL),
				 i == 0 ? 0 : -EINVAL);
	}
	c = some(ids[0], counts, 2);
	c.to_ns = 9;
	assert_int_equal(lp_archive_put_counts(w, &c, NULL), -EINVAL);
	c.to_ns = 10;
	c.kind = "";
	assert_int_equal(lp_archive_put_counts(w, &c, NULL), -EINVAL);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
}

/* ---- random ones ---- */

#define MANY 300

/* One in three texts of up to a hundred is counted. */
static void random_pairs(struct lp_counts *c, struct lp_arena *arena,
			 uint64_t *rng)
{
	size_t n = random_below(rng, 100);
	const char **texts = lp_arena_alloc(arena, n * sizeof(*texts));
	uint32_t *ids = lp_arena_alloc(arena, n * sizeof(*ids));
	uint64_t *counts = lp_arena_alloc(arena, n * sizeof(*counts));

	for (size_t i = 0; i < n; i++) {
		texts[i] = random_text(arena, rng);
		if (random_below(rng, 3))
			continue;
		ids[c->n_counts] = (uint32_t)i;
		counts[c->n_counts++] =
			random_next(rng) >> random_below(rng, 64);
	}
	c->texts = texts;
	c->n_texts = n;
	c->ids = ids;
	c->counts = counts;
}

static struct lp_counts random_counts(struct lp_arena *arena, uint64_t *rng)
{
	struct lp_counts c = {
		.kind = random_below(rng, 2) ? "profile" : "calls",
		.host = random_below(rng, 2) ? "h" : "other",
		.class_name = random_text(arena, rng),
		.component = random_text(arena, rng),
		.from_ns = (int64_t)(random_next(rng) >> 2),
	};

	c.to_ns = c.from_ns + (int64_t)random_below(rng, 1000000000);
	random_pairs(&c, arena, rng);
	return c;
}

static void counts_come_back_as_they_were_put(void **state)
{
	const char *path = in_directory("counts.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_LIVE);
	struct lp_counts *all = calloc(MANY, sizeof(*all));
	struct lp_arena arena = { 0 };
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;
	uint64_t rng = 12;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		all[i] = random_counts(&arena, &rng);
		ok(lp_archive_put_counts(w, &all[i], &err), &err);
	}
	ok(lp_archive_finish(w, &err), &err);
	stream = open_archive(path);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(next_item(stream, &item), 1);
		assert_int_equal(item.kind, LP_ITEM_COUNTS);
		assert_true(lp_counts_equal(item.counts, &all[i]));
		assert_string_equal(lp_item_host(&item), all[i].host);
		assert_true(lp_item_time(&item) == all[i].from_ns);
	}
	assert_int_equal(next_item(stream, &item), 0);
	lp_stream_close(stream);
	lp_arena_done(&arena);
	free(all);
}

static void counts_of_other_times_are_left_out(void **state)
{
	const char *path = in_directory("counts.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_ATOMIC);
	struct lp_counts c = some(NULL, NULL, 0);
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;
	struct lp_error err;

	(void)state;
	ok(lp_archive_put_counts(w, &c, &err), &err);
	ok(lp_archive_finish(w, &err), &err);
	lp_query_init(&query);
	for (query.since_ns = 19; query.since_ns <= 21; query.since_ns++) {
		ok(lp_archive_open(path, &query, &stream, &err), &err);
		assert_int_equal(next_item(stream, &item), query.since_ns < 21);
		assert_int_equal(lp_stream_skipped(stream), 0);
		lp_stream_close(stream);
	}
}

/* ---- compact ---- */

/* Ten minutes of samples, counts after each, as a recorder would leave them. */
static void record(const char *path, struct lp_builder *b)
{
	static const uint32_t ids[] = { 1 };
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_LIVE);
	size_t disk = lp_builder_panel(b, &lp_class_disk);
	struct lp_error err;

	for (uint64_t m = 0; m < 10; m++) {
		const uint64_t count[] = { m };
		struct lp_counts c = some(ids, count, 1);

		for (uint64_t i = 0; i < 60; i++) {
			int64_t t = (int64_t)(60 * m + i) * LP_NS_PER_S;
			struct lp_row row;

			lp_builder_tick(b, t);
			lp_builder_row(b, disk, "sda", 3, &row);
			lp_row_u64(&row, 0, 60 * m + i);
		}
		ok(lp_archive_put_chunk(w, lp_builder_chunk(b), &err), &err);
		lp_builder_clear(b);
		c.from_ns = (int64_t)m * 60 * LP_NS_PER_S;
		c.to_ns = c.from_ns + 59 * LP_NS_PER_S;
		ok(lp_archive_put_counts(w, &c, &err), &err);
	}
	ok(lp_archive_finish(w, &err), &err);
}

static void compact_keeps_counts_behind_one_block_of_samples(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	const char *path = in_directory("c.limpid");
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;

	(void)state;
	record(path, b);
	ok(lp_archive_compact(&path, 1, path, NULL, NULL, &err), &err);
	stream = open_archive(path);
	assert_int_equal(next_item(stream, &item), 1);
	assert_int_equal(item.kind, LP_ITEM_CHUNK);
	assert_int_equal(item.chunk->n_samples, 600);
	for (uint64_t m = 0; m < 10; m++) {
		assert_int_equal(next_item(stream, &item), 1);
		assert_int_equal(item.kind, LP_ITEM_COUNTS);
		assert_int_equal(item.counts->counts[0], m);
		assert_int_equal(item.counts->ids[0], 1);
		assert_string_equal(item.counts->texts[1], "write");
	}
	assert_int_equal(next_item(stream, &item), 0);
	lp_stream_close(stream);
	lp_builder_free(b);
}

/* ---- blocks of liars ---- */

/* The directory alone, plain, with this beginning, then zeroes. */
static int decode(const uint8_t *bytes, size_t n)
{
	struct block block = {
		.header = { .type = BLOCK_COUNTS,
			    .payload = n,
			    .directory_stored = (uint32_t)n,
			    .directory_raw = (uint32_t)n },
		.payload = bytes,
	};
	struct decoder decoder;
	struct lp_query all;
	struct lp_item item;
	int code;

	lp_query_init(&all);
	lp_decoder_init(&decoder);
	code = lp_decode_block(&decoder, &block, &all, &item);
	lp_decoder_done(&decoder);
	return code;
}

#define BAD(...)                                                               \
	do {                                                                   \
		static const uint8_t bytes[] = { __VA_ARGS__ };                \
		assert_int_equal(decode(bytes, sizeof(bytes)), -EBADMSG);      \
	} while (0)
#define NAMES 1, 'p', 1, 'h', 0, 0

static void dishonest_counts_are_refused(void **state)
{
	static const uint8_t good[] = { NAMES, 2, 1, 'a', 1, 'b', 1, 1, 9 };

	(void)state;
	assert_int_equal(decode(good, sizeof(good)), 0);
	BAD(0, 1, 'h', 0, 0, 0, 0);                   /* of no kind */
	BAD(NAMES, 0xff, 0xff, 0xff, 0xff, 0x7f, 0);  /* 2^35 texts */
	BAD(NAMES, 2, 1, 'a', 1, 'b', 0xff, 0x7f, 0); /* 2^14 counts */
	BAD(NAMES, 2, 1, 'a', 1, 'b', 1, 2, 9);       /* no third text */
	BAD(NAMES, 2, 1, 'a', 1, 'b', 2, 1, 0, 9, 9); /* nor here */
	BAD(NAMES, 2, 1, 'a', 1, 'b', 1, 1, 9, 0);    /* a byte too many */
	BAD(NAMES, 2, 1, 'a', 1, 'b', 1, 1);          /* one too few */
	BAD(NAMES, 2, 1, 'a', 1, 'b', 2, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	    0xff, 0xff, 0xff, 1, 9, 9); /* round the corner */
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_contradicts_itself_is_refused),
		TEST(counts_come_back_as_they_were_put),
		TEST(counts_of_other_times_are_left_out),
		TEST(compact_keeps_counts_behind_one_block_of_samples),
		TEST(dishonest_counts_are_refused),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
