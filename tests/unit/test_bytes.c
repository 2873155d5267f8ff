/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/bytes.h"

static struct lp_cursor over(const struct lp_buffer *buffer)
{
	return (struct lp_cursor){
		.at = buffer->data,
		.end = buffer->data + buffer->size,
	};
}

static void numbers_are_stored_low_byte_first(void **state)
{
	struct lp_buffer b = { 0 };

	(void)state;
	lp_buffer_u32(&b, 0x04030201);
	lp_buffer_u64(&b, UINT64_C(0x0807060504030201));
	assert_memory_equal(b.data, "\1\2\3\4\1\2\3\4\5\6\7\10", 12);
	lp_buffer_done(&b);
}

static void what_was_put_is_taken_in_order(void **state)
{
	struct lp_buffer b = { 0 };
	struct lp_cursor c;
	const char *text;
	size_t n;

	(void)state;
	lp_buffer_u8(&b, 200);
	lp_buffer_u32(&b, UINT32_MAX);
	lp_buffer_u64(&b, UINT64_MAX);
	lp_buffer_string(&b, "abc");
	lp_buffer_string(&b, NULL);
	c = over(&b);
	assert_int_equal(lp_cursor_u8(&c), 200);
	assert_int_equal(lp_cursor_u32(&c), UINT32_MAX);
	assert_true(lp_cursor_u64(&c) == UINT64_MAX);
	text = lp_cursor_string(&c, &n);
	assert_int_equal(n, 3);
	assert_memory_equal(text, "abc", 3);
	assert_non_null(lp_cursor_string(&c, &n));
	assert_int_equal(n, 0);
	assert_int_equal(lp_cursor_left(&c), 0);
	assert_false(c.failed);
	lp_buffer_done(&b);
}

static void varints_round_trip_at_every_size(void **state)
{
	struct lp_buffer b = { 0 };
	struct lp_cursor c;

	(void)state;
	for (int bit = 0; bit < 64; bit++) {
		lp_buffer_varint(&b, UINT64_C(1) << bit);
		lp_buffer_varint(&b, (UINT64_C(1) << bit) - 1);
	}
	lp_buffer_varint(&b, UINT64_MAX);
	c = over(&b);
	for (int bit = 0; bit < 64; bit++) {
		assert_true(lp_cursor_varint(&c) == UINT64_C(1) << bit);
		assert_true(lp_cursor_varint(&c) == (UINT64_C(1) << bit) - 1);
	}
	assert_true(lp_cursor_varint(&c) == UINT64_MAX);
	assert_int_equal(lp_cursor_left(&c), 0);
	assert_false(c.failed);
	lp_buffer_done(&b);
}

static void a_varint_over_64_bits_or_without_an_end_fails(void **state)
{
	static const uint8_t large[] = { 0xff, 0xff, 0xff, 0xff, 0xff,
					 0xff, 0xff, 0xff, 0xff, 0x02 };
	static const uint8_t endless[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					   0x80, 0x80, 0x80, 0x81, 0x00 };
	struct lp_cursor c = { large, large + sizeof(large), false };

	(void)state;
	assert_int_equal(lp_cursor_varint(&c), 0);
	assert_true(c.failed);
	c = (struct lp_cursor){ endless, endless + sizeof(endless), false };
	assert_int_equal(lp_cursor_varint(&c), 0);
	assert_true(c.failed);
	c = (struct lp_cursor){ endless, endless + 3, false };
	assert_int_equal(lp_cursor_varint(&c), 0);
	assert_true(c.failed);
}

static void reading_past_the_end_fails_once_and_for_all(void **state)
{
	static const uint8_t three[] = { 1, 2, 3 };
	struct lp_cursor c = { three, three + 3, false };

	(void)state;
	assert_int_equal(lp_cursor_u32(&c), 0);
	assert_true(c.failed);
	assert_int_equal(lp_cursor_u8(&c), 0);
	assert_null(lp_cursor_take(&c, 0));
}

static void a_string_longer_than_what_is_left_fails(void **state)
{
	static const uint8_t bytes[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					 0xff, 0xff, 0xff, 0x01, 'a' };
	struct lp_cursor c = { bytes, bytes + sizeof(bytes), false };
	size_t n = 9;

	(void)state;
	assert_null(lp_cursor_string(&c, &n));
	assert_int_equal(n, 0);
	assert_true(c.failed);
}

static void a_buffer_that_cannot_grow_says_so_and_keeps_what_it_has(
	void **state)
{
	struct lp_buffer b = { 0 };

	(void)state;
	lp_buffer_u8(&b, 1);
	assert_null(lp_buffer_extend(&b, SIZE_MAX / 2));
	assert_true(b.failed);
	lp_buffer_u8(&b, 2);
	assert_int_equal(b.size, 1);
	lp_buffer_done(&b);
	assert_false(b.failed);
}

static void zigzag_folds_signs_and_back(void **state)
{
	static const int64_t some[] = { 0, -1, 1, INT64_MIN, INT64_MAX, -4711 };

	(void)state;
	assert_int_equal(lp_zigzag(-1), 1);
	assert_int_equal(lp_zigzag(1), 2);
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		assert_true(lp_unzigzag(lp_zigzag(some[i])) == some[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_stored_low_byte_first),
		cmocka_unit_test(what_was_put_is_taken_in_order),
		cmocka_unit_test(varints_round_trip_at_every_size),
		cmocka_unit_test(a_varint_over_64_bits_or_without_an_end_fails),
		cmocka_unit_test(reading_past_the_end_fails_once_and_for_all),
		cmocka_unit_test(a_string_longer_than_what_is_left_fails),
		cmocka_unit_test(
			a_buffer_that_cannot_grow_says_so_and_keeps_what_it_has),
		cmocka_unit_test(zigzag_folds_signs_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
