/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The times of a block: in the largest of 1 s, 1 ms, 1 us, 1 ns in which all
 * of them are whole, as differences of differences, so that a recorder that
 * keeps its beat costs nothing.
 */
#include "archive/encode.h"
#include "archive/units.h"

static unsigned unit_of(const int64_t *t, size_t n)
{
	unsigned unit = TIME_UNITS - 1;

	for (size_t i = 0; i < n; i++)
		while (unit > 0 && t[i] % lp_time_units_ns[unit] != 0)
			unit--;
	return unit;
}

void lp_encode_times(struct plane_set *set, const int64_t *t, size_t n,
		     struct lp_buffer *out)
{
	unsigned unit = unit_of(t, n);
	int64_t ns = lp_time_units_ns[unit];
	lp_auto_free uint64_t *steps = NULL;
	size_t capacity = 0;

	lp_buffer_u8(out, (uint8_t)unit);
	lp_buffer_varint(out, lp_zigzag(t[0] / ns));
	if (n == 1)
		return;
	if (lp_grow(&steps, &capacity, n, sizeof(*steps)) < 0) {
		set->failed = true;
		return;
	}
	for (size_t i = 1; i < n; i++)
		steps[i - 1] =
			(uint64_t)(t[i] / ns) - (uint64_t)(t[i - 1] / ns);
	lp_planes_reset(set);
	lp_planes_put(set, steps, n - 1, 0);
	lp_planes_finish(set, out);
}
