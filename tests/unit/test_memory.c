/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void growing_keeps_what_is_there(void **state)
{
	int *array = NULL;
	size_t capacity = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(lp_grow(&array, &capacity, (size_t)i + 1,
					 sizeof(*array)),
				 0);
		array[i] = i;
	}
	assert_true(capacity >= 1000 && capacity < 2000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(array[i], i);
	free(array);
}

static void growing_beyond_memory_leaves_the_array(void **state)
{
	size_t capacity = 0;
	char *array = NULL;

	(void)state;
	assert_int_equal(lp_grow(&array, &capacity, 5, 1), 0);
	array[4] = 'x';
	/* The product does not fit into a size_t. */
	assert_int_equal(lp_grow(&array, &capacity, SIZE_MAX / 2, 16), -ENOMEM);
	assert_int_equal(array[4], 'x');
	assert_true(capacity < 100);
	free(array);
}

static void pieces_are_cleared_aligned_and_apart(void **state)
{
	struct lp_arena arena = { 0 };
	unsigned char *last = NULL;

	(void)state;
	for (size_t n = 0; n < 300; n++) {
		unsigned char *piece = lp_arena_alloc(&arena, n);

		assert_non_null(piece);
		assert_int_equal((uintptr_t)piece % 16, 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(piece[i], 0);
		memset(piece, 0xee, n);
		if (last && n > 1)
			assert_int_equal(last[n - 2], 0xee);
		last = piece;
	}
	lp_arena_done(&arena);
}

static void a_piece_may_be_larger_than_a_page(void **state)
{
	struct lp_arena arena = { 0 };
	char *small = lp_arena_string(&arena, "small");
	char *large = lp_arena_alloc(&arena, 1 << 20);

	(void)state;
	memset(large, 'x', 1 << 20);
	assert_string_equal(small, "small");
	assert_null(lp_arena_alloc(&arena, SIZE_MAX));
	assert_null(lp_arena_alloc(&arena, SIZE_MAX - 64));
	lp_arena_done(&arena);
	lp_arena_done(&arena);
}

static void strings_are_copied_to_their_length(void **state)
{
	struct lp_arena arena = { 0 };
	char text[] = "sda1";
	char *copy = lp_arena_string_n(&arena, text, 3);

	(void)state;
	text[0] = 'X';
	assert_string_equal(copy, "sda");
	lp_arena_done(&arena);
}

static void a_reset_arena_starts_anew_with_cleared_pieces(void **state)
{
	struct lp_arena arena = { 0 };

	(void)state;
	lp_arena_reset(&arena);
	for (int round = 0; round < 3; round++) {
		char *piece = lp_arena_alloc(&arena, 100000);

		assert_int_equal(piece[99999], 0);
		memset(piece, 1, 100000);
		lp_arena_reset(&arena);
	}
	lp_arena_done(&arena);
}

static void a_reset_arena_can_keep_all_its_room(void **state)
{
	struct lp_arena arena = { 0 };
	char *first = NULL;

	(void)state;
	lp_arena_reset_whole(&arena, 300000);
	for (int round = 0; round < 4; round++) {
		char *a = lp_arena_alloc(&arena, 100000);
		char *b = lp_arena_alloc(&arena, 200000);

		assert_int_equal(a[99999] + b[199999], 0);
		memset(a, 1, 100000);
		memset(b, 1, 200000);
		/* From the second round on in one page, always the same. */
		if (round == 1)
			first = a;
		assert_true(round < 2 || a == first);
		assert_true(round < 1 || b == a + 100000);
		lp_arena_reset_whole(&arena, 300000);
	}
	lp_arena_reset_whole(&arena, 400000);
	assert_null(arena.pages);
	lp_arena_done(&arena);
}

static int opened_and_left(void)
{
	lp_auto_close int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return fd;
}

static void owners_close_at_the_end_of_their_block(void **state)
{
	int fd = opened_and_left();

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(errno, EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growing_keeps_what_is_there),
		cmocka_unit_test(growing_beyond_memory_leaves_the_array),
		cmocka_unit_test(pieces_are_cleared_aligned_and_apart),
		cmocka_unit_test(a_piece_may_be_larger_than_a_page),
		cmocka_unit_test(strings_are_copied_to_their_length),
		cmocka_unit_test(a_reset_arena_starts_anew_with_cleared_pieces),
		cmocka_unit_test(a_reset_arena_can_keep_all_its_room),
		cmocka_unit_test(owners_close_at_the_end_of_their_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
