/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_file.h"

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

static const char *path;

static int begin(void **state)
{
	(void)state;
	path = in_directory("a.limpid");
	return 0;
}

static struct lp_archive_writer *create(enum lp_archive_mode mode)
{
	return new_archive(path, mode);
}

static void write_chunk(const struct lp_chunk *chunk)
{
	struct lp_archive_writer *w = create(LP_ARCHIVE_ATOMIC);

	assert_int_equal(lp_archive_put_chunk(w, chunk, NULL), 0);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
}

static void expect_chunk(const struct lp_chunk *chunk)
{
	struct lp_stream *stream = open_archive(path);
	struct lp_item item;

	assert_int_equal(next_item(stream, &item), 1);
	assert_int_equal(item.kind, LP_ITEM_CHUNK);
	assert_true(lp_chunk_equal(item.chunk, chunk));
	assert_int_equal(next_item(stream, &item), 0);
	assert_int_equal(next_item(stream, &item), 0);
	lp_stream_close(stream);
}

static void round_trip(uint64_t seed, struct random_shape shape)
{
	struct lp_builder *b = random_builder(seed, shape);
	const struct lp_chunk *chunk = lp_builder_chunk(b);

	write_chunk(chunk);
	expect_chunk(chunk);
	lp_builder_free(b);
}

static void random_chunks_come_back_as_they_were(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 120; seed++) {
		uint64_t rng = seed * 77;
		struct random_shape shape = {
			.n_samples = 1 + random_below(&rng, 150),
			.n_disks = random_below(&rng, 12),
			.n_later = random_below(&rng, 12),
			.missing = seed % 3 ? (unsigned)random_below(&rng, 100)
					    : 0,
		};

		round_trip(seed, shape);
	}
}

static void one_sample_comes_back(void **state)
{
	(void)state;
	round_trip(1, (struct random_shape){ 1, 2, 2, 0 });
}

static void samples_without_any_series_keep_their_times(void **state)
{
	(void)state;
	round_trip(2, (struct random_shape){ 10, 0, 0, 0 });
}

static void a_long_chunk_comes_back(void **state)
{
	(void)state;
	round_trip(4, (struct random_shape){ 20000, 4, 3, 5 });
}

static void a_grown_tail_takes_the_place_of_the_one_before(void **state)
{
	struct lp_builder *small =
		random_builder(8, (struct random_shape){ 10, 3, 2, 0 });
	struct lp_builder *large =
		random_builder(8, (struct random_shape){ 40, 3, 2, 0 });
	struct lp_archive_writer *w = create(LP_ARCHIVE_LIVE);

	(void)state;
	assert_int_equal(lp_archive_put_tail(w, lp_builder_chunk(small), NULL),
			 0);
	expect_chunk(lp_builder_chunk(small));
	assert_int_equal(lp_archive_put_tail(w, lp_builder_chunk(large), NULL),
			 0);
	expect_chunk(lp_builder_chunk(large));
	assert_int_equal(lp_archive_put_tail(w, lp_builder_chunk(small), NULL),
			 0);
	expect_chunk(lp_builder_chunk(small));
	assert_int_equal(lp_archive_put_chunk(w, lp_builder_chunk(large), NULL),
			 0);
	expect_chunk(lp_builder_chunk(large));
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	expect_chunk(lp_builder_chunk(large));
	lp_builder_free(small);
	lp_builder_free(large);
}

/* The bytes of the file; its length. */
static size_t bytes_of(uint8_t *bytes, size_t room)
{
	FILE *file = fopen(path, "rb");
	size_t n = fread(bytes, 1, room, file);

	fclose(file);
	assert_true(n < room);
	return n;
}

/* The recorder's way and everybody else's give the same file. */
static void a_block_sealed_in_two_steps_is_the_same_block(void **state)
{
	static uint8_t one[1 << 20], two[1 << 20];
	struct lp_builder *b =
		random_builder(12, (struct random_shape){ 60, 7, 9, 5 });
	struct lp_archive_writer *w = create(LP_ARCHIVE_LIVE);
	size_t n;

	(void)state;
	assert_int_equal(lp_archive_put_chunk(w, lp_builder_chunk(b), NULL), 0);
	n = bytes_of(one, sizeof(one));
	lp_archive_abandon(w);
	unlink(path);
	w = create(LP_ARCHIVE_LIVE);
	assert_int_equal(lp_archive_put_tail(w, lp_builder_chunk(b), NULL), 0);
	assert_int_equal(lp_archive_stage(w, lp_builder_brief(b), true, NULL),
			 0);
	assert_int_equal(lp_archive_put_staged(w, NULL), 0);
	assert_int_equal(bytes_of(two, sizeof(two)), n);
	assert_memory_equal(one, two, n);
	/* It stays, whatever comes behind it. */
	assert_int_equal(lp_archive_put_tail(w, lp_builder_chunk(b), NULL), 0);
	assert_true(bytes_of(two, sizeof(two)) > n);
	assert_memory_equal(one, two, n);
	lp_archive_abandon(w);
	lp_builder_free(b);
}

/*
 * Somebody reads a file that a recorder writes, slowly: what he read as the
 * tail is part of a longer block when he asks for what is behind it.
 */
static void a_tail_that_grew_while_it_was_read_ends_the_stream(void **state)
{
	struct lp_builder *b =
		random_builder(3, (struct random_shape){ 60, 4, 5, 0 });
	struct lp_builder *small = lp_builder_new("h");
	struct lp_archive_writer *w = create(LP_ARCHIVE_LIVE);
	const struct lp_chunk *chunk = lp_builder_chunk(b);
	struct lp_stream *stream;
	struct lp_item item;

	(void)state;
	assert_int_equal(lp_builder_append(small, chunk, 0, 5), 0);
	assert_int_equal(lp_archive_put_tail(w, chunk, NULL), 0);
	stream = open_archive(path);
	chunk = lp_builder_chunk(small);
	assert_int_equal(lp_archive_put_tail(w, chunk, NULL), 0);
	assert_int_equal(next_item(stream, &item), 1);
	assert_int_equal(item.chunk->n_samples, 5);
	assert_int_equal(lp_builder_append(small, lp_builder_chunk(b), 5, 20),
			 0);
	chunk = lp_builder_chunk(small);
	assert_int_equal(lp_archive_put_chunk(w, chunk, NULL), 0);
	lp_builder_drop(small, 18);
	chunk = lp_builder_chunk(small);
	assert_int_equal(lp_archive_put_tail(w, chunk, NULL), 0);
	assert_int_equal(next_item(stream, &item), 0);
	lp_stream_close(stream);
	lp_archive_abandon(w);
	lp_builder_free(small);
	lp_builder_free(b);
}

static void finishing_seals_the_tail(void **state)
{
	struct lp_builder *b =
		random_builder(9, (struct random_shape){ 10, 3, 2, 0 });
	struct lp_archive_writer *w = create(LP_ARCHIVE_LIVE);

	(void)state;
	assert_int_equal(lp_archive_put_tail(w, lp_builder_chunk(b), NULL), 0);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	expect_chunk(lp_builder_chunk(b));
	lp_builder_free(b);
}

static void an_event_is_put_before_the_open_tail(void **state)
{
	const struct lp_label text = { "text", "disk full" };
	struct lp_event event = { .host = "host-1",
				  .time_ns = 42,
				  .kind = LP_EVENT_LOST,
				  .pairs = &text,
				  .n_pairs = 1 };
	struct lp_builder *b =
		random_builder(9, (struct random_shape){ 10, 3, 2, 0 });
	struct lp_archive_writer *w = create(LP_ARCHIVE_LIVE);
	struct lp_stream *stream;
	struct lp_item item;

	(void)state;
	assert_int_equal(lp_archive_put_tail(w, lp_builder_chunk(b), NULL), 0);
	assert_int_equal(lp_archive_put_event(w, &event, NULL), 0);
	assert_int_equal(lp_archive_put_chunk(w, lp_builder_chunk(b), NULL), 0);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	stream = open_archive(path);
	assert_int_equal(next_item(stream, &item), 1);
	assert_int_equal(item.kind, LP_ITEM_EVENT);
	assert_true(lp_event_equal(item.event, &event));
	assert_int_equal(next_item(stream, &item), 1);
	assert_true(lp_chunk_equal(item.chunk, lp_builder_chunk(b)));
	assert_int_equal(next_item(stream, &item), 0);
	lp_stream_close(stream);
	lp_builder_free(b);
}

static void an_inventory_comes_back_as_it_was(void **state)
{
	struct lp_inventory *inventory = some_inventory("host-1");
	struct lp_archive_writer *w = create(LP_ARCHIVE_ATOMIC);
	struct lp_stream *stream;
	struct lp_item item;

	(void)state;
	assert_int_equal(lp_archive_put_inventory(w, inventory, NULL), 0);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	stream = open_archive(path);
	assert_int_equal(next_item(stream, &item), 1);
	assert_int_equal(item.kind, LP_ITEM_INVENTORY);
	assert_true(lp_inventory_same(item.inventory, inventory));
	assert_int_equal(item.inventory->time_ns, 7);
	lp_stream_close(stream);
	lp_inventory_free(inventory);
}

static void a_query_gives_only_its_column(void **state)
{
	static const char *const columns[] = { "wr_ios", NULL };
	struct lp_builder *b =
		random_builder(11, (struct random_shape){ 50, 5, 5, 20 });
	const struct lp_chunk *chunk = lp_builder_chunk(b);
	const struct lp_panel *panel;
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;

	(void)state;
	write_chunk(chunk);
	lp_query_init(&query);
	query.columns = columns;
	assert_int_equal(lp_archive_open(path, &query, &stream, NULL), 0);
	assert_int_equal(next_item(stream, &item), 1);
	assert_int_equal(item.chunk->n_panels, 1);
	panel = &item.chunk->panels[0];
	assert_string_equal(panel->class_name, "disk");
	assert_int_equal(panel->n_columns, 1);
	for (size_t s = 0; s < panel->n_series; s++)
		for (size_t i = 0; i < item.chunk->n_samples; i++) {
			const struct lp_values *got =
				&panel->series[s].values[0];
			const struct lp_values *want =
				&chunk->panels[0].series[s].values[4];

			assert_int_equal(lp_values_has(got, i),
					 lp_values_has(want, i));
			if (lp_values_has(got, i))
				assert_int_equal(got->bits[i], want->bits[i]);
		}
	lp_stream_close(stream);
	lp_builder_free(b);
}

static void blocks_outside_the_range_are_left_out(void **state)
{
	struct lp_builder *b =
		random_builder(12, (struct random_shape){ 50, 2, 0, 0 });
	const struct lp_chunk *chunk = lp_builder_chunk(b);
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;

	(void)state;
	write_chunk(chunk);
	lp_query_init(&query);
	query.since_ns = chunk->time_ns[49] + 1;
	assert_int_equal(lp_archive_open(path, &query, &stream, NULL), 0);
	assert_int_equal(next_item(stream, &item), 0);
	lp_stream_close(stream);
	query.since_ns = chunk->time_ns[49];
	assert_int_equal(lp_archive_open(path, &query, &stream, NULL), 0);
	assert_int_equal(next_item(stream, &item), 1);
	lp_stream_close(stream);
	lp_builder_free(b);
}

static void a_live_archive_never_replaces_a_file(void **state)
{
	struct lp_archive_writer *w = create(LP_ARCHIVE_LIVE);

	(void)state;
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	assert_int_equal(lp_archive_create(path, LP_ARCHIVE_LIVE, &w, NULL),
			 -EEXIST);
}

static void an_atomic_archive_replaces_archives_only(void **state)
{
	struct lp_archive_writer *w;
	FILE *file = fopen(path, "w");
	struct stat st;

	(void)state;
	fputs("precious", file);
	fclose(file);
	assert_int_equal(lp_archive_create(path, LP_ARCHIVE_ATOMIC, &w, NULL),
			 -EEXIST);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 8);
	unlink(path);
	w = create(LP_ARCHIVE_ATOMIC);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	w = create(LP_ARCHIVE_ATOMIC);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
}

static void an_abandoned_atomic_archive_leaves_nothing(void **state)
{
	(void)state;
	lp_archive_abandon(create(LP_ARCHIVE_ATOMIC));
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(rmdir(directory), 0); /* it was empty */
	assert_int_equal(mkdir(directory, 0700), 0);
}

/* The bytes of the last block but the end mark must not depend on the past. */
static void the_same_samples_give_the_same_bytes(void **state)
{
	struct lp_builder *a =
		random_builder(21, (struct random_shape){ 300, 5, 5, 20 });
	struct lp_builder *b =
		random_builder(22, (struct random_shape){ 77, 3, 4, 40 });
	const struct lp_chunk *chunk = lp_builder_chunk(b);
	struct lp_archive_writer *w;
	uint8_t *alone, *after;
	size_t n, m;

	(void)state;
	write_chunk(chunk);
	alone = read_file(path, &n);
	w = create(LP_ARCHIVE_ATOMIC);
	lp_archive_put_chunk(w, lp_builder_chunk(a), NULL);
	lp_archive_put_chunk(w, chunk, NULL);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	after = read_file(path, &m);
	n -= 64; /* the end mark holds the span of all */
	m -= 64;
	assert_memory_equal(alone + 16, after + m - (n - 16), n - 16);
	free(alone);
	free(after);
	lp_builder_free(a);
	lp_builder_free(b);
}

/* In a mount namespace of our own, which ends with the test's process. */
static bool mount_tiny(const char *where)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", where, "tmpfs", 0, "size=64k") == 0;
}

static void a_full_disk_leaves_the_tail_as_it_was(void **state)
{
	struct lp_archive_writer *w;
	struct lp_builder *b = NULL, *kept = NULL;
	size_t n = 10;
	int code = 0;

	(void)state;
	if (!mount_tiny(directory)) {
		print_message("# needs root, to mount a tmpfs\n");
		skip();
	}
	w = create(LP_ARCHIVE_LIVE);
	for (; n < 100000; n *= 2) {
		b = random_builder(13, (struct random_shape){ n, 3, 3, 0 });
		code = lp_archive_put_tail(w, lp_builder_chunk(b), NULL);
		if (code < 0)
			break;
		lp_builder_free(kept);
		kept = b;
	}
	assert_int_equal(code, -ENOSPC);
	expect_chunk(lp_builder_chunk(kept));
	/* A tail is not compressed: a block must be larger to be too large. */
	lp_builder_free(b);
	b = random_builder(13, (struct random_shape){ 16 * n, 3, 3, 0 });
	assert_int_equal(lp_archive_put_chunk(w, lp_builder_chunk(b), NULL),
			 -ENOSPC);
	expect_chunk(lp_builder_chunk(kept));
	/* There is room for what was there, and it can be sealed. */
	assert_int_equal(lp_archive_put_chunk(w, lp_builder_chunk(kept), NULL),
			 0);
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	expect_chunk(lp_builder_chunk(kept));
	lp_builder_free(kept);
	lp_builder_free(b);
	empty_directory(NULL);
	assert_int_equal(umount(directory), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, empty_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_chunks_come_back_as_they_were),
		TEST(one_sample_comes_back),
		TEST(samples_without_any_series_keep_their_times),
		TEST(a_long_chunk_comes_back),
		TEST(a_grown_tail_takes_the_place_of_the_one_before),
		TEST(a_block_sealed_in_two_steps_is_the_same_block),
		TEST(a_tail_that_grew_while_it_was_read_ends_the_stream),
		TEST(finishing_seals_the_tail),
		TEST(an_event_is_put_before_the_open_tail),
		TEST(an_inventory_comes_back_as_it_was),
		TEST(a_query_gives_only_its_column),
		TEST(blocks_outside_the_range_are_left_out),
		TEST(a_live_archive_never_replaces_a_file),
		TEST(an_atomic_archive_replaces_archives_only),
		TEST(an_abandoned_atomic_archive_leaves_nothing),
		TEST(the_same_samples_give_the_same_bytes),
		TEST(a_full_disk_leaves_the_tail_as_it_was),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
