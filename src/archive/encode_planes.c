/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A series of integers as a mode, a base and byte planes: which mode is the
 * smallest, and what then stands in the planes.
 */
#include "archive/encode.h"

#include <stdlib.h>

void lp_planes_reset(struct plane_set *set)
{
	set->codes.size = set->scales.size = set->heads.size = 0;
	for (size_t p = 0; p < PLANES; p++)
		set->planes[p].size = 0;
}

void lp_planes_done(struct plane_set *set)
{
	lp_buffer_done(&set->codes);
	lp_buffer_done(&set->scales);
	lp_buffer_done(&set->heads);
	for (size_t p = 0; p < PLANES; p++)
		lp_buffer_done(&set->planes[p]);
	free(set->scratch);
}

void lp_planes_absent(struct plane_set *set)
{
	lp_buffer_u8(&set->codes, MODE_ABSENT);
}

static unsigned bits_of(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

static bool is_constant(const uint64_t *v, size_t n)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= v[i] ^ v[0];
	return differ == 0;
}

/* The differences, and whether none of them is negative. */
static bool difference(const uint64_t *v, size_t n, uint64_t *x)
{
	uint64_t any = 0;

	for (size_t i = 1; i < n; i++) {
		x[i - 1] = v[i] - v[i - 1];
		any |= x[i - 1];
	}
	return (int64_t)any >= 0;
}

static uint64_t smallest(const uint64_t *v, size_t n)
{
	uint64_t least = v[0];

	for (size_t i = 1; i < n; i++)
		least = v[i] < least ? v[i] : least;
	return least;
}

/*
 * Which of two ways needs fewer bits: the sum over the values, since what is
 * rare and large (one reset of a counter) costs little after compression.
 */
static bool offsets_are_smaller(const uint64_t *v, size_t n, uint64_t least,
				const uint64_t *differences)
{
	uint64_t offsets = bits_of(v[0] - least), zigzags = 0;

	for (size_t i = 1; i < n; i++) {
		offsets += bits_of(v[i] - least);
		zigzags += bits_of(lp_zigzag((int64_t)differences[i - 1]));
	}
	return offsets <= zigzags;
}

/* One function per width, so that each loop is free of decisions. */
static inline void split(const uint64_t *x, size_t n, unsigned shift,
			 unsigned width, uint8_t *const out[PLANES])
{
	for (unsigned p = 0; p < width; p++) {
		uint8_t *plane = out[p];
		unsigned by = shift + 8 * p;

		for (size_t i = 0; i < n; i++)
			plane[i] = (uint8_t)(x[i] >> by);
	}
}

static void put_planes(struct plane_set *set, const uint64_t *x, size_t n,
		       unsigned shift, unsigned width)
{
	uint8_t *out[PLANES];

	for (unsigned p = 0; p < width; p++) {
		out[p] = lp_buffer_extend(&set->planes[p], n);
		if (!out[p])
			return;
	}
	split(x, n, shift, width, out);
}

static void put_series(struct plane_set *set, enum mode mode, uint64_t presence,
		       uint64_t base, const uint64_t *x, size_t n)
{
	uint64_t any = 0;
	unsigned shift, width;

	for (size_t i = 0; i < n; i++)
		any |= x[i];
	shift = any ? (unsigned)__builtin_ctzll(any) : 0;
	width = (bits_of(any >> shift) + 7) / 8;
	/* A shift that saves no byte of any value is not worth its own. */
	if ((bits_of(any) + 7) / 8 == width && shift < 2)
		shift = 0;
	lp_buffer_u8(&set->codes, (uint8_t)((unsigned)mode | width << 4 |
					    (shift ? CODE_SHIFTED : 0u)));
	lp_buffer_varint(&set->heads, presence);
	if (shift)
		lp_buffer_varint(&set->heads, shift);
	lp_buffer_varint(&set->heads, base);
	put_planes(set, x, n, shift, width);
}

void lp_planes_put_same(struct plane_set *set, uint64_t v, uint64_t presence)
{
	lp_buffer_u8(&set->codes, v ? MODE_CONSTANT : MODE_ZERO);
	lp_buffer_varint(&set->heads, presence);
	if (v)
		lp_buffer_varint(&set->heads, v);
}

static bool reserve(struct plane_set *set, size_t n)
{
	if (lp_grow(&set->scratch, &set->scratch_capacity, n,
		    sizeof(*set->scratch)) < 0)
		set->failed = true;
	return !set->failed;
}

static void put_changing(struct plane_set *set, const uint64_t *v, size_t n,
			 uint64_t presence)
{
	uint64_t *x = set->scratch, least;

	if (difference(v, n, x)) {
		put_series(set, MODE_DELTA, presence, v[0], x, n - 1);
		return;
	}
	least = smallest(v, n);
	if (offsets_are_smaller(v, n, least, x)) {
		for (size_t i = 0; i < n; i++)
			x[i] = v[i] - least;
		put_series(set, MODE_OFFSET, presence, least, x, n);
		return;
	}
	for (size_t i = 0; i < n - 1; i++)
		x[i] = lp_zigzag((int64_t)x[i]);
	put_series(set, MODE_ZIGZAG, presence, v[0], x, n - 1);
}

void lp_planes_put(struct plane_set *set, const uint64_t *v, size_t n,
		   uint64_t presence)
{
	if (is_constant(v, n))
		lp_planes_put_same(set, v[0], presence);
	else if (reserve(set, n))
		put_changing(set, v, n, presence);
}

void lp_planes_put_xor(struct plane_set *set, const uint64_t *v, size_t n,
		       uint64_t presence)
{
	if (is_constant(v, n)) {
		lp_planes_put_same(set, v[0], presence);
		return;
	}
	if (!reserve(set, n))
		return;
	for (size_t i = 1; i < n; i++)
		set->scratch[i - 1] = v[i] ^ v[i - 1];
	put_series(set, MODE_XOR, presence, v[0], set->scratch, n - 1);
}

static void take(struct plane_set *set, struct lp_buffer *part,
		 struct lp_buffer *out)
{
	if (part->failed)
		set->failed = true;
	else
		lp_buffer_put(out, part->data, part->size);
}

void lp_planes_finish(struct plane_set *set, struct lp_buffer *out)
{
	take(set, &set->codes, out);
	take(set, &set->scales, out);
	take(set, &set->heads, out);
	for (size_t p = 0; p < PLANES; p++)
		take(set, &set->planes[p], out);
}
