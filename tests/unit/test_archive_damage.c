/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What truncation, flipped bits and dishonest blocks do to an archive.
 */
#include "archive_file.h"

#include "archive/inspect.h"
#include "archive/parallel.h"
#include "base/crc32c.h"

#include <errno.h>

#define MOST_BLOCKS 16

/* The blocks of a small archive: where each is, and its checksum. */
struct small {
	const char *path;
	uint8_t *bytes;
	size_t n;
	struct {
		size_t at, end;
		uint32_t crc;
	} blocks[MOST_BLOCKS];
	size_t n_blocks;
};

static void put_chunk(struct lp_archive_writer *w, uint64_t seed, size_t n)
{
	struct lp_builder *b =
		random_builder(seed, (struct random_shape){ n, 2, 1, 10 });
	struct lp_error err;

	ok(lp_archive_put_chunk(w, lp_builder_chunk(b), &err), &err);
	lp_builder_free(b);
}

static void find_blocks(struct small *s)
{
	struct block_header header;

	s->bytes = read_file(s->path, &s->n);
	for (size_t at = FILE_HEAD_SIZE; at < s->n;
	     at += lp_block_size(&header)) {
		assert_true(lp_block_header_unpack(s->bytes + at, &header));
		s->blocks[s->n_blocks].at = at;
		s->blocks[s->n_blocks].end = at + lp_block_size(&header);
		s->blocks[s->n_blocks++].crc = header.payload_crc;
	}
}

static void make_small(struct small *s)
{
	struct lp_event event = { "host-1", 5, LP_EVENT_START, "interval 1 s" };
	struct lp_inventory *inventory = some_inventory("host-1");
	struct lp_archive_writer *w;
	struct lp_error err;

	*s = (struct small){ .path = in_directory("small.limpid") };
	w = new_archive(s->path, LP_ARCHIVE_ATOMIC);
	ok(lp_archive_put_event(w, &event, &err), &err);
	ok(lp_archive_put_inventory(w, inventory, &err), &err);
	put_chunk(w, 1, 3);
	put_chunk(w, 4, 9);
	ok(lp_archive_finish(w, &err), &err);
	find_blocks(s);
	lp_inventory_free(inventory);
}

/* How many items the stream gives; *code is how it ended. */
static size_t count_items(const char *path, int *code)
{
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;
	size_t n = 0;

	lp_query_init(&query);
	*code = lp_archive_open(path, &query, &stream, NULL);
	if (*code < 0)
		return 0;
	while ((*code = lp_stream_next(stream, &item, NULL)) > 0)
		n++;
	lp_stream_close(stream);
	return n;
}

static void truncation_at_any_byte_loses_only_what_is_cut(void **state)
{
	struct small s;

	(void)state;
	make_small(&s);
	for (size_t n = 0; n <= s.n; n++) {
		const char *cut = in_directory("cut.limpid");
		size_t whole = 0;
		int code;

		for (size_t i = 0; i + 1 < s.n_blocks; i++)
			whole += s.blocks[i].end <= n;
		write_file(cut, s.bytes, n);
		assert_int_equal(count_items(cut, &code), whole);
		assert_int_equal(code, n < FILE_HEAD_SIZE ? -EBADMSG : 0);
	}
	free(s.bytes);
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
	struct lp_verdict verdict;
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

static void a_flipped_bit_anywhere_costs_only_its_block(void **state)
{
	struct small s;
	uint64_t rng = 99;

	(void)state;
	make_small(&s);
	for (size_t at = 0; at < s.n; at++) {
		const char *flipped = in_directory("flipped.limpid");
		uint8_t bit = (uint8_t)(1u << random_below(&rng, 8));
		int code;

		s.bytes[at] ^= bit;
		write_file(flipped, s.bytes, s.n);
		expect_all_but(&s, flipped, at);
		count_items(flipped, &code);
		s.bytes[at] ^= bit;
	}
	free(s.bytes);
}

static void repair_saves_all_other_blocks(void **state)
{
	struct small s;

	(void)state;
	make_small(&s);
	/* A few only: each is synced to the disk. */
	for (size_t at = 5; at < s.n; at += 211) {
		const char *bad = in_directory("bad.limpid");
		const char *good = in_directory("good.limpid");
		struct lp_verdict verdict;
		struct lp_error err;
		size_t others = 0;
		int code;

		for (size_t i = 0; i + 1 < s.n_blocks; i++)
			others += at < s.blocks[i].at || at >= s.blocks[i].end;
		s.bytes[at] ^= 0x10;
		write_file(bad, s.bytes, s.n);
		s.bytes[at] ^= 0x10;
		ok(lp_archive_repair(bad, good, NULL, &verdict, &err), &err);
		ok(lp_archive_verify(good, NULL, &verdict, &err), &err);
		assert_int_equal(verdict.damages, 0);
		assert_true(verdict.closed);
		assert_int_equal(count_items(good, &code), others);
		assert_int_equal(code, 0);
	}
	free(s.bytes);
}

static void repair_in_place_mends_a_damaged_head(void **state)
{
	struct lp_verdict verdict;
	struct lp_error err;
	struct small s;
	int code;

	(void)state;
	make_small(&s);
	s.bytes[3] = 'X';
	write_file(s.path, s.bytes, s.n);
	ok(lp_archive_repair(s.path, s.path, NULL, &verdict, &err), &err);
	assert_int_equal(verdict.damages, 1);
	assert_int_equal(count_items(s.path, &code), 4);
	free(s.bytes);
}

static void bytes_lost_in_the_middle_cost_only_their_block(void **state)
{
	const char *path = in_directory("lost.limpid");
	struct lp_verdict verdict;
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
	free(s.bytes);
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
	free(s.bytes);
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
	free(s.bytes);
}

static void what_is_no_archive_is_refused(void **state)
{
	static const char text[] = "time,host,device,rd_ios\n1,h,sda,3\n";
	const char *path = in_directory("text.csv");
	struct lp_verdict verdict;
	struct lp_error err;
	int code;

	(void)state;
	write_file(path, (const uint8_t *)text, sizeof(text) - 1);
	assert_int_equal(count_items(path, &code), 0);
	assert_int_equal(code, -EBADMSG);
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
	free(s.bytes);
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(truncation_at_any_byte_loses_only_what_is_cut),
		TEST(a_flipped_bit_anywhere_costs_only_its_block),
		TEST(repair_saves_all_other_blocks),
		TEST(repair_in_place_mends_a_damaged_head),
		TEST(bytes_lost_in_the_middle_cost_only_their_block),
		TEST(damage_in_the_middle_is_an_error_that_names_the_offset),
		TEST(threads_tell_of_the_first_bad_block_in_its_turn),
		TEST(what_is_no_archive_is_refused),
		TEST(dishonest_blocks_are_survived),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
