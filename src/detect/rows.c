/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/rows.h"

#include <stdlib.h>
#include <string.h>

#define COUNT uint8_t
#define NAME(verb) verb##_narrow
#include "detect/rows_template.h"
#undef COUNT
#undef NAME

#define COUNT uint16_t
#define NAME(verb) verb##_wide
#include "detect/rows_template.h"
#undef COUNT
#undef NAME

static void cumulate_wide(void *row, size_t length)
{
	uint16_t *c = row;

	for (size_t b = 1; b < length; b++)
		c[b] = (uint16_t)(c[b] + c[b - 1]);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/*
 * Eight at a time: a word times 0x0101...01 has in each byte the sum of the
 * bytes up to it, and no sum here exceeds a byte.
 */
static void cumulate_narrow(void *row, size_t length)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint8_t *c = row;
	uint64_t before = 0;

	for (size_t b = 0; b < length; b += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, c + b, sizeof(word));
		word *= ones;
		before += word >> 56;
		word += (before - (word >> 56)) * ones;
		memcpy(c + b, &word, sizeof(word));
	}
}
#else
static void cumulate_narrow(void *row, size_t length)
{
	uint8_t *c = row;

	for (size_t b = 1; b < length; b++)
		c[b] = (uint8_t)(c[b] + c[b - 1]);
}
#endif

#define ROWS(type, suffix)                                                     \
	{                                                                      \
		.size = sizeof(type), .increment = increment_##suffix,         \
		.cumulate = cumulate_##suffix, .at = at_##suffix,              \
		.sum = sum_##suffix, .l1 = l1_##suffix,                        \
		.l1_to_all = l1_to_all_##suffix,                               \
		.l1_scaled = l1_scaled_##suffix, .median = median_##suffix     \
	}

const struct lp_rows *lp_rows_for(size_t most)
{
	static const struct lp_rows narrow = ROWS(uint8_t, narrow);
	static const struct lp_rows wide = ROWS(uint16_t, wide);

	return most <= UINT8_MAX ? &narrow : &wide;
}
