/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "disk/drive.h"
#include "disk/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK LAB_STORE_BLOCK
#define BLOCKS 64

/* A disk of 64 blocks in a file without a name, volatile. */
static struct lab_unflushed begin(void)
{
	char path[] = "/tmp/limpid-unflushed-XXXXXX";
	struct lab_unflushed u = { .store = mkstemp(path), .keeps = true };

	assert_true(u.store >= 0);
	unlink(path);
	assert_int_equal(ftruncate(u.store, BLOCKS * BLOCK), 0);
	return u;
}

static void finish(struct lab_unflushed *u)
{
	lab_unflushed_done(u);
	close(u->store);
}

static void fill(struct lab_unflushed *u, size_t block, char c)
{
	char bytes[BLOCK];

	memset(bytes, c, sizeof(bytes));
	assert_int_equal(lab_unflushed_write(u, bytes, BLOCK, block * BLOCK),
			 0);
}

static void flush(struct lab_unflushed *u)
{
	lab_unflushed_settle(u, u->numbered);
}

static char at(const struct lab_unflushed *u, size_t offset)
{
	char c = '?';

	assert_int_equal(pread(u->store, &c, 1, (off_t)offset), 1);
	return c;
}

static char in(const struct lab_unflushed *u, size_t block)
{
	return at(u, block * BLOCK);
}

static void cut(struct lab_unflushed *u, enum lab_disk_keep keep,
		uint64_t first, double part, bool torn)
{
	const struct lab_disk_cut c = { keep, first, part, torn, 7 };

	assert_int_equal(lab_unflushed_cut(u, &c), 0);
	assert_int_equal(lab_unflushed_writes(u), 0);
	assert_int_equal(u->bytes, 0);
}

static void what_was_flushed_stays_and_the_rest_is_lost(void **state)
{
	struct lab_unflushed u = begin();

	(void)state;
	fill(&u, 0, 'a');
	flush(&u);
	fill(&u, 0, 'b');
	fill(&u, 1, 'c');
	fill(&u, 0, 'd');
	assert_int_equal(in(&u, 0), 'd');
	assert_int_equal(lab_unflushed_writes(&u), 3);
	assert_int_equal(lab_unflushed_bytes(&u), 3 * BLOCK);
	cut(&u, LAB_KEEP_NONE, 0, 0, false);
	assert_int_equal(in(&u, 0), 'a');
	assert_int_equal(in(&u, 1), '\0');
	assert_int_equal(u.lost, 3);
	finish(&u);
}

static void the_first_writes_can_be_kept(void **state)
{
	struct lab_unflushed u = begin();

	(void)state;
	fill(&u, 0, 'a');
	fill(&u, 0, 'b');
	fill(&u, 1, 'c');
	fill(&u, 0, 'd');
	cut(&u, LAB_KEEP_FIRST, 3, 0, false);
	assert_int_equal(in(&u, 0), 'b');
	assert_int_equal(in(&u, 1), 'c');
	assert_int_equal(u.lost, 1);
	finish(&u);
}

static void chance_keeps_a_part_and_repeats_itself(void **state)
{
	char first[BLOCKS], second[BLOCKS];
	size_t kept = 0;

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct lab_unflushed u = begin();

		for (size_t i = 0; i < BLOCKS; i++)
			fill(&u, i, 'x');
		cut(&u, LAB_KEEP_RANDOM, 0, 0.5, false);
		for (size_t i = 0; i < BLOCKS; i++)
			(round ? second : first)[i] = in(&u, i);
		finish(&u);
	}
	assert_memory_equal(first, second, BLOCKS);
	for (size_t i = 0; i < BLOCKS; i++)
		kept += first[i] == 'x';
	assert_in_range(kept, 16, 48);
}

static void the_last_kept_write_can_end_at_a_sector(void **state)
{
	struct lab_unflushed u = begin();
	size_t n = 0;

	(void)state;
	fill(&u, 0, 'a');
	fill(&u, 1, 'b');
	fill(&u, 2, 'c');
	cut(&u, LAB_KEEP_FIRST, 2, 0, true);
	assert_int_equal(at(&u, BLOCK - 1), 'a');
	while (n < BLOCK && at(&u, BLOCK + n) == 'b')
		n++;
	assert_in_range(n, 512, BLOCK - 512);
	assert_int_equal(n % 512, 0);
	assert_int_equal(at(&u, BLOCK + n), '\0');
	assert_int_equal(in(&u, 2), '\0');
	finish(&u);
}

static void a_discard_can_be_lost_as_well(void **state)
{
	struct lab_unflushed u = begin();

	(void)state;
	fill(&u, 3, 'a');
	fill(&u, 9, 'b');
	flush(&u);
	assert_int_equal(lab_unflushed_discard(&u, BLOCKS * BLOCK, 0), 0);
	assert_int_equal(in(&u, 3), '\0');
	assert_int_equal(lab_unflushed_writes(&u), 1);
	cut(&u, LAB_KEEP_NONE, 0, 0, false);
	assert_int_equal(in(&u, 3), 'a');
	assert_int_equal(in(&u, 9), 'b');
	assert_int_equal(lab_unflushed_discard(&u, 4 * BLOCK, 0), 0);
	cut(&u, LAB_KEEP_FIRST, 1, 0, false);
	assert_int_equal(in(&u, 3), '\0');
	assert_int_equal(in(&u, 9), 'b');
	finish(&u);
}

static void memory_is_bounded_and_the_oldest_writes_are_safe(void **state)
{
	struct lab_unflushed u = begin();

	(void)state;
	for (size_t i = 0; i < 8; i++)
		fill(&u, i, 'a');
	flush(&u);
	u.most = 4 * BLOCK;
	for (size_t i = 0; i < 8; i++)
		fill(&u, i, 'b');
	assert_int_equal(u.destaged, 4);
	assert_int_equal(u.bytes, 4 * BLOCK);
	cut(&u, LAB_KEEP_NONE, 0, 0, false);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(in(&u, i), i < 4 ? 'b' : 'a');
	finish(&u);
}

static void a_cache_that_writes_through_loses_nothing(void **state)
{
	struct lab_unflushed u = begin();

	(void)state;
	fill(&u, 0, 'a');
	lab_unflushed_keep(&u, false);
	fill(&u, 1, 'b');
	cut(&u, LAB_KEEP_NONE, 0, 0, false);
	assert_int_equal(in(&u, 0), 'a');
	assert_int_equal(in(&u, 1), 'b');
	finish(&u);
}

static void bits_flip_only_where_data_is(void **state)
{
	struct lab_disk_flip flip = { 3, 0, UINT64_MAX, 5 };
	uint64_t offset[3], again[3];
	struct lab_unflushed u = begin();
	struct lp_error err;

	(void)state;
	for (size_t i = 10; i < 20; i++)
		fill(&u, i, 'a');
	assert_int_equal(lab_store_flip(u.store, &flip, offset, &err), 0);
	for (size_t i = 0; i < 3; i++) {
		char bits = (char)(at(&u, offset[i]) ^ 'a');

		assert_in_range(offset[i], 10 * BLOCK, 20 * BLOCK - 1);
		assert_true(bits != 0 && (bits & (bits - 1)) == 0);
		assert_true(i == 0 ||
			    offset[i] / BLOCK > offset[i - 1] / BLOCK);
	}
	/* The same seed chooses the same bits: they are as before. */
	assert_int_equal(lab_store_flip(u.store, &flip, again, &err), 0);
	assert_memory_equal(offset, again, sizeof(offset));
	assert_int_equal(at(&u, offset[0]), 'a');
	flip.to = 12 * BLOCK;
	assert_int_equal(lab_store_flip(u.store, &flip, offset, &err),
			 -ENODATA);
	assert_string_equal(err.text, "only 2 blocks hold data there");
	finish(&u);
}

static void a_flush_covers_only_what_came_before_it(void **state)
{
	struct lab_unflushed u = begin();
	struct lab_disk_settings settings;
	struct lab_request flushing = { .kind = LAB_FLUSH }, answered;
	struct lab_drive drive;

	(void)state;
	lab_disk_settings_default(&settings);
	assert_int_equal(
		lab_drive_init(&drive, BLOCKS * BLOCK, &settings, NULL), 0);
	drive.unflushed = &u;
	fill(&u, 0, 'a');
	lab_drive_judge(&drive, &flushing);
	assert_int_equal(lab_drive_submit(&drive, &flushing, 1), 0);
	fill(&u, 1, 'b');
	assert_int_equal(lab_unflushed_writes(&u), 2);
	assert_true(lab_drive_take(&drive, 1, &answered));
	assert_int_equal(lab_unflushed_writes(&u), 1);
	cut(&u, LAB_KEEP_NONE, 0, 0, false);
	assert_int_equal(in(&u, 0), 'a');
	assert_int_equal(in(&u, 1), '\0');
	lab_drive_done(&drive);
	finish(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_flushed_stays_and_the_rest_is_lost),
		cmocka_unit_test(the_first_writes_can_be_kept),
		cmocka_unit_test(chance_keeps_a_part_and_repeats_itself),
		cmocka_unit_test(the_last_kept_write_can_end_at_a_sector),
		cmocka_unit_test(a_discard_can_be_lost_as_well),
		cmocka_unit_test(
			memory_is_bounded_and_the_oldest_writes_are_safe),
		cmocka_unit_test(a_cache_that_writes_through_loses_nothing),
		cmocka_unit_test(bits_flip_only_where_data_is),
		cmocka_unit_test(a_flush_covers_only_what_came_before_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
