/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/crc32c.h"

#include <string.h>

static void known_vectors_have_their_published_sums(void **state)
{
	unsigned char zeros[32] = { 0 }, ones[32];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	/* The check value of the catalogue, and two of RFC 3720 B.4. */
	assert_int_equal(lp_crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(lp_crc32c(0, zeros, 32), 0x8a9136aa);
	assert_int_equal(lp_crc32c(0, ones, 32), 0x62a8ab43);
	assert_int_equal(lp_crc32c(0, "", 0), 0);
}

static void all_three_ways_agree_at_every_length_and_offset(void **state)
{
	unsigned char bytes[96];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 37 + 11);
	for (size_t from = 0; from < 9; from++)
		for (size_t n = 0; from + n <= sizeof(bytes); n++) {
			uint32_t sum = lp_crc32c_plain(5, bytes + from, n);

			assert_int_equal(lp_crc32c(5, bytes + from, n), sum);
			assert_int_equal(lp_crc32c_table(5, bytes + from, n),
					 sum);
		}
}

static void a_sum_can_be_continued(void **state)
{
	uint32_t first;

	(void)state;
	for (size_t cut = 0; cut <= 9; cut++) {
		first = lp_crc32c(0, "123456789", cut);
		assert_int_equal(lp_crc32c(first, &"123456789"[cut], 9 - cut),
				 0xe3069283);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_vectors_have_their_published_sums),
		cmocka_unit_test(
			all_three_ways_agree_at_every_length_and_offset),
		cmocka_unit_test(a_sum_can_be_continued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
