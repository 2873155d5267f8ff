/* SPDX-License-Identifier: Apache-2.0 */
#include "table/strip.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK LP_STRIP_BLOCK

/* Rounded down, before the epoch as well. */
static int64_t block_of(int64_t at)
{
	return at >= 0 ? at / BLOCK : -((BLOCK - 1 - at) / BLOCK);
}

static size_t place_in(int64_t at)
{
	return (size_t)(at - block_of(at) * BLOCK);
}

/* ---- putting ---- */

/*
 * Room for so many blocks. There are thousands of strips, so doubling would
 * waste as much as it saves: up to the end, if that is known, or an eighth more
 * than is needed.
 */
static int grow(struct lp_strip *s, size_t need, size_t expected)
{
	size_t room = need < expected ? expected : need + need / 8;
	struct lp_strip_block *blocks;

	if (need <= s->capacity)
		return 0;
	blocks = reallocarray(s->blocks, room, sizeof(*blocks));
	if (!blocks)
		return -ENOMEM;
	s->blocks = blocks;
	s->capacity = room;
	return 0;
}

/* Make room for the blocks [from, to]; new ones are missing. */
static int cover(struct lp_strip *s, int64_t from, int64_t to, int64_t end)
{
	int64_t first = s->n && s->first < from ? s->first : from;
	int64_t last = s->first + (int64_t)s->n - 1;
	size_t shift, need;

	if (!s->n || last < to)
		last = to;
	shift = s->n ? (size_t)(s->first - first) : 0;
	need = (size_t)(last - first) + 1;
	if (grow(s, need, end > first ? (size_t)(end - first) : 0) < 0)
		return -ENOMEM;
	if (shift)
		memmove(s->blocks + shift, s->blocks,
			s->n * sizeof(*s->blocks));
	memset(s->blocks, 0, shift * sizeof(*s->blocks));
	memset(s->blocks + shift + s->n, 0,
	       (need - shift - s->n) * sizeof(*s->blocks));
	s->first = first;
	s->n = need;
	return 0;
}

/* 0 and -0 are two. */
static bool same(float a, float b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

static bool all_same(const double *value, size_t n)
{
	float first = (float)value[0];

	for (size_t i = 1; i < n; i++)
		if (!same((float)value[i], first))
			return false;
	return true;
}

/* Whether the values can be kept as one stretch with what is there. */
static bool join(struct lp_strip_block *b, size_t from, const double *value,
		 size_t n)
{
	size_t to = from + n;
	bool empty = b->from == b->to;

	if (!empty &&
	    (from > b->to || to < b->from || !same((float)value[0], b->all)))
		return false;
	if (!all_same(value, n))
		return false;
	b->all = (float)value[0];
	b->from = (uint16_t)(empty || from < b->from ? from : b->from);
	b->to = (uint16_t)(empty || to > b->to ? to : b->to);
	return true;
}

/* From now on every point has its own value. */
static int spread(struct lp_strip_block *b)
{
	float *value = malloc(BLOCK * sizeof(*value));

	if (!value)
		return -ENOMEM;
	for (size_t i = 0; i < BLOCK; i++)
		value[i] = i >= b->from && i < b->to ? b->all : NAN;
	b->value = value;
	return 0;
}

/* The part of some values that lies in a block. */
static int put_part(struct lp_strip_block *b, size_t from, const double *value,
		    size_t n)
{
	for (; n && isnan(value[0]); n--, value++)
		from++;
	while (n && isnan(value[n - 1]))
		n--;
	if (!n || (!b->value && join(b, from, value, n)))
		return 0;
	if (!b->value && spread(b) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		b->value[from + i] =
			isnan(value[i]) ? b->value[from + i] : (float)value[i];
	return 0;
}

/* How many of the n points from `at` on lie in its block. */
static size_t part_of(int64_t at, size_t n)
{
	size_t room = BLOCK - place_in(at);

	return n < room ? n : room;
}

int lp_strip_put(struct lp_strip *s, int64_t at, const double *value, size_t n,
		 int64_t end)
{
	if (!n)
		return 0;
	if (cover(s, block_of(at), block_of(at + (int64_t)n - 1),
		  block_of(end) + 1) < 0)
		return -ENOMEM;
	while (n) {
		size_t part = part_of(at, n);

		if (put_part(&s->blocks[block_of(at) - s->first], place_in(at),
			     value, part) < 0)
			return -ENOMEM;
		at += (int64_t)part;
		value += part;
		n -= part;
	}
	return 0;
}

void lp_strip_drop(struct lp_strip *s, int64_t before)
{
	int64_t first = block_of(before);
	size_t n;

	if (!s->n || s->first >= first)
		return;
	n = (size_t)(first - s->first) < s->n ? (size_t)(first - s->first)
					      : s->n;
	for (size_t i = 0; i < n; i++)
		free(s->blocks[i].value);
	memmove(s->blocks, s->blocks + n, (s->n - n) * sizeof(*s->blocks));
	s->n -= n;
	s->first += (int64_t)n;
}

void lp_strip_done(struct lp_strip *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->blocks[i].value);
	free(s->blocks);
	*s = (struct lp_strip){ 0 };
}

/* ---- asking ---- */

/* What nobody put. */
static const struct lp_strip_block missing;

static const struct lp_strip_block *find(const struct lp_strip *s, int64_t at)
{
	int64_t i = block_of(at) - s->first;

	return i < 0 || i >= (int64_t)s->n ? &missing : &s->blocks[i];
}

static double value_in(const struct lp_strip_block *b, size_t i)
{
	if (b->value)
		return (double)b->value[i];
	return i >= b->from && i < b->to ? (double)b->all : NAN;
}

double lp_strip_at(const struct lp_strip *s, int64_t at)
{
	return value_in(find(s, at), place_in(at));
}

static void fill(double *out, size_t n, size_t stride, double value)
{
	for (size_t i = 0; i < n; i++)
		out[i * stride] = value;
}

/* The points [i, end) of a block of equal values. */
static void copy_stretch(const struct lp_strip_block *b, size_t i, size_t end,
			 double *out, size_t stride)
{
	size_t from = b->from > i ? b->from : i, to = b->to < end ? b->to : end;

	if (from >= to) {
		fill(out, end - i, stride, NAN);
		return;
	}
	fill(out, from - i, stride, NAN);
	fill(out + (from - i) * stride, to - from, stride, (double)b->all);
	fill(out + (to - i) * stride, end - to, stride, NAN);
}

void lp_strip_copy(const struct lp_strip *s, int64_t at, size_t n, double *out,
		   size_t stride)
{
	while (n) {
		const struct lp_strip_block *b = find(s, at);
		size_t part = part_of(at, n), i = place_in(at);

		if (!b->value)
			copy_stretch(b, i, i + part, out, stride);
		else if (stride == 1) /* the compiler's vectors */
			for (size_t k = 0; k < part; k++)
				out[k] = (double)b->value[i + k];
		else
			for (size_t k = 0; k < part; k++)
				out[k * stride] = (double)b->value[i + k];
		out += part * stride;
		at += (int64_t)part;
		n -= part;
	}
}

/* Of the points [i, end) of a block those before the first above 0. */
static size_t quiet_in(const struct lp_strip_block *b, size_t i, size_t end)
{
	size_t from = i;

	if (!b->value && !(b->all > 0))
		return end - i;
	while (i < end && !(value_in(b, i) > 0))
		i++;
	return i - from;
}

/* Those before the first that is not 0. */
static size_t zeros_in(const struct lp_strip_block *b, size_t i, size_t end)
{
	size_t from = i;

	if (!b->value && b->all == 0 && i >= b->from && end <= b->to)
		return end - i;
	while (i < end && value_in(b, i) == 0)
		i++;
	return i - from;
}

size_t lp_strip_quiet(const struct lp_strip *s, int64_t at, size_t n,
		      size_t *known)
{
	size_t quiet = 0;
	bool zeros = true;

	*known = 0;
	while (quiet < n) {
		const struct lp_strip_block *b = find(s, at);
		size_t part = part_of(at, n - quiet), i = place_in(at);
		size_t in;

		if (zeros) {
			in = zeros_in(b, i, i + part);
			*known += in;
			zeros = in == part;
		}
		in = quiet_in(b, i, i + part);
		quiet += in;
		if (in < part)
			break;
		at += (int64_t)part;
	}
	return quiet;
}

/* The same of the points [i, end) of a block. */
static enum lp_strip_rest rest_in(const struct lp_strip_block *b, size_t i,
				  size_t end)
{
	bool zero = true;

	if (!b->value) {
		if (b->from == b->to)
			return LP_STRIP_RESTS;
		if (b->all != 0)
			return i < b->to && end > b->from ? LP_STRIP_WORKS
							  : LP_STRIP_RESTS;
		return same(b->all, 0) && i >= b->from && end <= b->to
			       ? LP_STRIP_ZERO
			       : LP_STRIP_RESTS;
	}
	for (; i < end; i++) {
		if (b->value[i] > 0 || b->value[i] < 0)
			return LP_STRIP_WORKS;
		zero &= same(b->value[i], 0);
	}
	return zero ? LP_STRIP_ZERO : LP_STRIP_RESTS;
}

enum lp_strip_rest lp_strip_rest(const struct lp_strip *s, int64_t at, size_t n)
{
	enum lp_strip_rest rest = LP_STRIP_ZERO;

	while (n && rest != LP_STRIP_WORKS) {
		size_t part = part_of(at, n), i = place_in(at);
		enum lp_strip_rest here = rest_in(find(s, at), i, i + part);

		rest = here < rest ? here : rest;
		at += (int64_t)part;
		n -= part;
	}
	return rest;
}
