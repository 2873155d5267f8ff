/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/sort.h"

#include <string.h>

/* Below this many, tables cost more than they save. */
#define FEW 48
#define DIGIT_BITS 8
#define DIGITS (1u << DIGIT_BITS)

static void sort_few(uint32_t *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t v = x[i];
		size_t k = i;

		for (; k > 0 && x[k - 1] > v; k--)
			x[k] = x[k - 1];
		x[k] = v;
	}
}

/* One digit; what was in order stays so. False: all have the same digit. */
static int sort_digit(const uint32_t *from, uint32_t *to, size_t n, int shift)
{
	size_t place[DIGITS] = { 0 }, before = 0;

	for (size_t i = 0; i < n; i++)
		place[from[i] >> shift & (DIGITS - 1)]++;
	if (place[from[0] >> shift & (DIGITS - 1)] == n)
		return 0;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t here = place[d];

		place[d] = before;
		before += here;
	}
	for (size_t i = 0; i < n; i++)
		to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	return 1;
}

void lp_sort_u32(uint32_t *x, size_t n, uint32_t *scratch)
{
	uint32_t *from = x, *to = scratch, *other;

	if (n < FEW) {
		sort_few(x, n);
		return;
	}
	for (int shift = 0; shift < 32; shift += DIGIT_BITS) {
		if (!sort_digit(from, to, n, shift))
			continue;
		other = from;
		from = to;
		to = other;
	}
	if (from != x)
		memcpy(x, from, n * sizeof(*x));
}
