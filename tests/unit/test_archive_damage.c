/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What truncation, flipped bits and dishonest blocks do to an archive.
 */
#include "small_archive.h"

#include "archive/inspect.h"
#include "archive/parallel.h"
#include "base/crc32c.h"

#include <errno.h>

/* The disk is not what is tested, and thousands of archives are finished. */
int fdatasync(int fd)
{
	(void)fd;
	return 0;
}

int fsync(int fd)
{
	(void)fd;
	return 0;
}

/*
 * The file must give the first n items, each as it was put, but for the one
 * that is lost, and then end with this code.
 */
static void expect_items(const struct small *s, const char *path, size_t n,
			 size_t lost, int end)
{
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;
	int code;

	lp_query_init(&query);
	code = lp_archive_open(path, &query, &stream, NULL);
	if (code < 0) {
		assert_int_equal(n, 0);
		assert_int_equal(code, end);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i == lost)
			continue;
		assert_int_equal(lp_stream_next(stream, &item, NULL), 1);
		assert_true(is_item(s, i, &item));
	}
	assert_int_equal(lp_stream_next(stream, &item, NULL), end);
	lp_stream_close(stream);
}

/* What repair makes of `bad` must be sound and have all but the lost item. */
static void expect_repaired(const struct small *s, const char *bad, size_t n,
			    size_t lost)
{
	const char *good = in_directory("good.limpid");
	struct lp_archive_state verdict;
	struct lp_error err;

	ok(lp_archive_repair(bad, good, NULL, &verdict, &err), &err);
	ok(lp_archive_verify(good, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.damages, 0);
	assert_true(verdict.closed);
	expect_items(s, good, n, lost, 0);
}

/* Of a file cut off behind n bytes, with so many items that are whole. */
static void expect_cut(const struct small *s, const char *cut, size_t n,
		       size_t whole)
{
	size_t in = n == s->n ? NONE : block_at(s, n);
	bool between = in == NONE || n == s->blocks[in].at;
	struct lp_archive_state verdict;
	struct lp_info info;
	struct lp_error err;

	if (n < FILE_HEAD_SIZE) {
		assert_int_equal(lp_archive_verify(cut, NULL, &verdict, &err),
				 -EBADMSG);
		assert_int_equal(lp_archive_repair(cut,
						   in_directory("good.limpid"),
						   NULL, &verdict, &err),
				 -EBADMSG);
		return;
	}
	ok(lp_archive_verify(cut, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.blocks, whole);
	assert_int_equal(verdict.damages, between ? 0 : 1);
	assert_int_equal(verdict.damaged_bytes,
			 between ? 0 : n - s->blocks[in].at);
	assert_int_equal(verdict.closed, n == s->n);
	ok(lp_archive_info(cut, &info, &err), &err);
	assert_int_equal(info.blocks, whole);
	assert_int_equal(info.damaged_bytes, verdict.damaged_bytes);
	assert_int_equal(info.closed, verdict.closed);
	lp_archive_info_done(&info);
	expect_repaired(s, cut, whole, NONE);
}

static void truncation_at_any_byte_loses_only_what_is_cut(void **state)
{
	struct small s;

	(void)state;
	make_small(&s);
	for (size_t n = 0; n <= s.n; n++) {
		const char *cut = in_directory("cut.limpid");
		size_t whole = 0;

		for (size_t i = 0; i < ITEMS; i++)
			whole += s.blocks[i].end <= n;
		write_file(cut, s.bytes, n);
		expect_items(&s, cut, whole, NONE,
			     n < FILE_HEAD_SIZE ? -EBADMSG : 0);
		expect_cut(&s, cut, n, whole);
	}
	free_small(&s);
}

struct seen {
	uint32_t crc[MOST_BLOCKS];
	size_t n;
};

static int see_block(void *context, const struct block *block,
		     struct lp_error *err)
{
	struct seen *seen = context;

	(void)err;
	assert_true(seen->n < MOST_BLOCKS);
	seen->crc[seen->n++] = block->header.payload_crc;
	return 0;
}

struct told {
	size_t n;
	struct lp_damage last;
};

static void hear(void *context, const struct lp_damage *damage)
{
	struct told *told = context;

	told->n++;
	told->last = *damage;
}

/* Every block but the one that holds `at` must be found sound. */
static void expect_all_but(const struct small *s, const char *path, size_t at)
{
	struct seen seen = { .n = 0 };
	struct told told = { .n = 0 };
	struct lp_damage_sink sink = { hear, &told };
	struct inspection inspection = { &sink, see_block, &seen };
	struct lp_archive_state verdict;
	struct lp_error err;
	size_t next = 0;

	ok(lp_inspect(path, &inspection, &verdict, &err), &err);
	assert_int_equal(verdict.damages, 1);
	assert_int_equal(told.n, 1);
	assert_true(told.last.offset <= at &&
		    at < told.last.offset + told.last.bytes);
	if (at < FILE_HEAD_SIZE)
		assert_int_equal(told.last.loss, LP_LOSS_NOTHING);
	for (size_t i = 0; i < s->n_blocks; i++)
		if (at < s->blocks[i].at || at >= s->blocks[i].end)
			assert_int_equal(seen.crc[next++], s->blocks[i].crc);
	assert_int_equal(next, seen.n);
}

/*
 * A reader gives what stands before the damage and then says so; behind the
 * last item there is nothing that could be missed.
 */
static void expect_prefix(const struct small *s, const char *path, size_t at)
{
	size_t damaged = block_at(s, at);

	if (damaged == NONE)
		expect_items(s, path, 0, NONE, -EBADMSG);
	else
		expect_items(s, path, damaged, NONE,
			     damaged < ITEMS ? -EBADMSG : 0);
}

static const char *write_flipped(struct small *s, size_t at, uint64_t *rng)
{
	const char *path = in_directory("flipped.limpid");
	uint8_t bit = (uint8_t)(1u << random_below(rng, 8));

	/* Others would make it a file of a later version. */
	if (at == HEAD_VERSION_AT)
		bit = FILE_VERSION;
	s->bytes[at] ^= bit;
	write_file(path, s->bytes, s->n);
	s->bytes[at] ^= bit;
	return path;
}

static void a_flipped_bit_anywhere_costs_only_its_block(void **state)
{
	struct small s;
	uint64_t rng = 99;

	(void)state;
	make_small(&s);
	for (size_t at = 0; at < s.n; at++) {
		const char *flipped = write_flipped(&s, at, &rng);

		expect_all_but(&s, flipped, at);
		expect_prefix(&s, flipped, at);
	}
	free_small(&s);
}

static void repair_saves_all_other_blocks_whichever_byte_flips(void **state)
{
	struct small s;
	uint64_t rng = 7;

	(void)state;
	make_small(&s);
	for (size_t at = 0; at < s.n; at++)
		expect_repaired(&s, write_flipped(&s, at, &rng), ITEMS,
				block_at(&s, at));
	free_small(&s);
}

static void repair_in_place_mends_a_damaged_head(void **state)
{
	struct lp_archive_state verdict;
	struct lp_error err;
	struct small s;

	(void)state;
	make_small(&s);
	s.bytes[3] = 'X';
	write_file(s.path, s.bytes, s.n);
	ok(lp_archive_repair(s.path, s.path, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.damages, 1);
	expect_items(&s, s.path, ITEMS, NONE, 0);
	free_small(&s);
}

static void bytes_lost_in_the_middle_cost_only_their_block(void **state)
{
	const char *path = in_directory("lost.limpid");
	struct lp_archive_state verdict;
	struct lp_error err;
	struct small s;
	size_t at;

	(void)state;
	make_small(&s);
	at = s.blocks[1].at + 70;
	memmove(s.bytes + at, s.bytes + at + 3, s.n - at - 3);
	write_file(path, s.bytes, s.n - 3);
	ok(lp_archive_verify(path, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.damages, 1);
	/* All but the lost one and the end mark. */
	assert_int_equal(verdict.blocks, s.n_blocks - 2);
	assert_true(verdict.closed);
	free_small(&s);
}

static void damage_in_the_middle_is_an_error_that_names_the_offset(void **state)
{
	struct lp_stream *stream;
	struct lp_error err;
	struct lp_item item;
	struct small s;
	char offset[32];
	int code;

	(void)state;
	make_small(&s);
	s.bytes[s.blocks[2].at + 80] ^= 1;
	write_file(s.path, s.bytes, s.n);
	stream = open_archive(s.path);
	while ((code = lp_stream_next(stream, &item, &err)) > 0)
		;
	assert_int_equal(code, -EBADMSG);
	snprintf(offset, sizeof(offset), "offset %zu", s.blocks[2].at);
	assert_non_null(strstr(err.text, offset));
	assert_int_equal(lp_stream_next(stream, &item, &err), 0);
	lp_stream_close(stream);
	free_small(&s);
}

/* A block whose checksum holds and whose content does not, for four threads. */
static void threads_tell_of_the_first_bad_block_in_its_turn(void **state)
{
	struct lp_query query;
	struct lp_stream *stream;
	struct block_header header;
	struct lp_error err;
	struct lp_item item;
	struct small s;
	uint8_t *bad;

	(void)state;
	make_small(&s);
	bad = s.bytes + s.blocks[2].at;
	assert_true(lp_block_header_unpack(bad, &header));
	header.n_samples++;
	lp_block_header_pack(&header, bad);
	write_file(s.path, s.bytes, s.n);
	lp_query_init(&query);
	query.threads = 4;
	ok(lp_archive_open_parallel(s.path, &query, &stream, &err), &err);
	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_int_equal(lp_stream_next(stream, &item, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "is damaged"));
	assert_int_equal(lp_stream_next(stream, &item, &err), 0);
	lp_stream_close(stream);
	free_small(&s);
}

/* All items but the lost one, and the words for that. */
static void expect_tolerated(const struct small *s, unsigned threads,
			     size_t lost)
{
	struct lp_query query;
	struct lp_stream *stream;
	struct lp_error err;
	struct lp_item item;

	lp_query_init(&query);
	query.tolerant = true;
	query.threads = threads;
	ok(lp_archive_open_parallel(s->path, &query, &stream, &err), &err);
	assert_null(lp_stream_lost(stream));
	for (size_t i = 0; i < ITEMS; i++) {
		if (i == lost)
			continue;
		assert_int_equal(lp_stream_next(stream, &item, &err), 1);
		assert_true(is_item(s, i, &item));
	}
	assert_int_equal(lp_stream_next(stream, &item, &err), 0);
	assert_non_null(lp_stream_lost(stream));
	assert_non_null(strstr(lp_stream_lost(stream), "1 damaged block at"));
	lp_stream_close(stream);
}

static void who_is_tolerant_gets_all_blocks_but_the_damaged_one(void **state)
{
	struct small s;

	(void)state;
	for (size_t lost = 0; lost + 1 < ITEMS; lost++) {
		make_small(&s);
		s.bytes[s.blocks[lost].at + BLOCK_HEADER_SIZE] ^= 0x55;
		write_file(s.path, s.bytes, s.n);
		expect_tolerated(&s, 1, lost);
		expect_tolerated(&s, 4, lost);
		free_small(&s);
	}
}

static void what_does_not_decode_is_passed_over_by_the_tolerant(void **state)
{
	struct block_header header;
	struct small s;
	uint8_t *bad;

	(void)state;
	make_small(&s);
	bad = s.bytes + s.blocks[2].at;
	assert_true(lp_block_header_unpack(bad, &header));
	header.n_samples++;
	lp_block_header_pack(&header, bad);
	write_file(s.path, s.bytes, s.n);
	expect_tolerated(&s, 1, 2);
	expect_tolerated(&s, 4, 2);
	free_small(&s);
}

static void what_is_no_archive_is_refused(void **state)
{
	static const char text[] = "time,host,device,rd_ios\n1,h,sda,3\n";
	const char *path = in_directory("text.csv");
	struct lp_archive_state verdict;
	struct lp_error err;

	(void)state;
	write_file(path, (const uint8_t *)text, sizeof(text) - 1);
	expect_items(NULL, path, 0, NONE, -EBADMSG);
	assert_int_equal(lp_archive_verify(path, NULL, &verdict, &err),
			 -EBADMSG);
	assert_int_equal(lp_archive_repair(path, in_directory("out.limpid"),
					   NULL, &verdict, &err),
			 -EBADMSG);
	assert_int_equal(access(in_directory("out.limpid"), F_OK), -1);
	assert_int_equal(lp_archive_repair(path, path, NULL, &verdict, &err),
			 -EBADMSG);
}

/*
 * A block whose checksums hold but whose content was made up must not be able
 * to do harm: change bytes, mend the checksums, decode.
 */
static void dishonest_blocks_are_survived(void **state)
{
	struct lp_query all;
	struct decoder decoder;
	struct small s;
	uint64_t rng = 5;

	(void)state;
	make_small(&s);
	lp_query_init(&all);
	lp_decoder_init(&decoder);
	for (int round = 0; round < 20000; round++) {
		size_t i = random_below(&rng, s.n_blocks - 1);
		size_t n = s.blocks[i].end - s.blocks[i].at - 64;
		uint8_t *copy = malloc(n);
		struct block block = { .payload = copy };
		struct lp_item item;

		memcpy(copy, s.bytes + s.blocks[i].at + 64, n);
		lp_block_header_unpack(s.bytes + s.blocks[i].at, &block.header);
		for (uint64_t k = random_below(&rng, 4); k < 4; k++)
			copy[random_below(&rng, n)] ^=
				(uint8_t)(1u << random_below(&rng, 8));
		if (round % 7 == 0)
			block.header.n_samples =
				(uint32_t)random_below(&rng, 100);
		lp_decode_block(&decoder, &block, &all, &item);
		free(copy);
	}
	lp_decoder_done(&decoder);
	free_small(&s);
}

/* One that says of itself that it is empty, to a decoder that is still new. */
static void empty_blocks_are_too_short_and_no_more(void **state)
{
	static const uint8_t none[1];
	struct lp_query all;
	struct small s;

	(void)state;
	make_small(&s);
	lp_query_init(&all);
	for (size_t i = 0; i + 1 < s.n_blocks; i++) {
		struct block block = { .payload = none };
		struct decoder decoder;
		struct lp_item item;

		lp_block_header_unpack(s.bytes + s.blocks[i].at, &block.header);
		block.header.directory_stored = 0;
		block.header.directory_raw = 0;
		lp_decoder_init(&decoder);
		assert_true(lp_decode_block(&decoder, &block, &all, &item) < 0);
		lp_decoder_done(&decoder);
	}
	free_small(&s);
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(truncation_at_any_byte_loses_only_what_is_cut),
		TEST(a_flipped_bit_anywhere_costs_only_its_block),
		TEST(repair_saves_all_other_blocks_whichever_byte_flips),
		TEST(repair_in_place_mends_a_damaged_head),
		TEST(bytes_lost_in_the_middle_cost_only_their_block),
		TEST(damage_in_the_middle_is_an_error_that_names_the_offset),
		TEST(threads_tell_of_the_first_bad_block_in_its_turn),
		TEST(who_is_tolerant_gets_all_blocks_but_the_damaged_one),
		TEST(what_does_not_decode_is_passed_over_by_the_tolerant),
		TEST(what_is_no_archive_is_refused),
		TEST(dishonest_blocks_are_survived),
		TEST(empty_blocks_are_too_short_and_no_more),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
