/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Medians by counting: the compiler turns these loops into wide ones, so that a
 * pass takes as long as a few steps of a selection. A median that was right a
 * moment ago is at most a few places off.
 */
#include "detect/code.h"

/* Passes that go from one value to the next, before all is bisected. */
#define STEPS_MAX 4
/* Counted at once, in numbers as narrow as the codes. */
#define PIECE 32768

static size_t piece_below(const int16_t *x, size_t n, int16_t p)
{
	uint16_t below = 0;

	for (size_t i = 0; i < n; i++)
		below = (uint16_t)(below + (x[i] < p));
	return below;
}

size_t lp_codes_below(const int16_t *x, size_t n, int16_t p)
{
	size_t below = 0;

	for (; n > PIECE; n -= PIECE, x += PIECE)
		below += piece_below(x, PIECE, p);
	return below + piece_below(x, n, p);
}

/*
 * The distance to the nearest one above p, less one. Those that are not above
 * are farther, since numbers go round. The compiler knows the smallest of
 * signed numbers only.
 */
static uint16_t nearest_above(const int16_t *x, size_t n, int16_t p)
{
	const uint16_t from = (uint16_t)(p + 1), half = 0x8000;
	int16_t least = INT16_MAX;

	for (size_t i = 0; i < n; i++) {
		uint16_t far = (uint16_t)((uint16_t)x[i] - from);
		int16_t v = (int16_t)(far ^ half);

		least = v < least ? v : least;
	}
	return (uint16_t)((uint16_t)least ^ half);
}

static uint16_t nearest_below(const int16_t *x, size_t n, int16_t p)
{
	const uint16_t from = (uint16_t)(p - 1), half = 0x8000;
	int16_t least = INT16_MAX;

	for (size_t i = 0; i < n; i++) {
		uint16_t far = (uint16_t)(from - (uint16_t)x[i]);
		int16_t v = (int16_t)(far ^ half);

		least = v < least ? v : least;
	}
	return (uint16_t)((uint16_t)least ^ half);
}

/* The largest value that at most k are below. */
static int16_t bisect(const int16_t *x, size_t n, size_t k)
{
	int32_t low = INT16_MIN, high = LP_CODE_MISSING;

	while (high - low > 1) {
		int32_t middle = (low + high) >> 1;

		if (lp_codes_below(x, n, (int16_t)middle) <= k)
			low = middle;
		else
			high = middle;
	}
	return (int16_t)low;
}

/* The next larger one; there is one. */
static int16_t next_of(const int16_t *x, size_t n, int16_t p)
{
	return (int16_t)(p + 1 + nearest_above(x, n, p));
}

/* The value of rank k; so many are not above it. */
static int16_t find(const int16_t *x, size_t n, size_t k, int16_t p,
		    size_t *upto)
{
	for (int step = 0; step < STEPS_MAX; step++) {
		size_t below = lp_codes_below(x, n, p);

		*upto = lp_codes_below(x, n, (int16_t)(p + 1));
		if (k >= below && k < *upto)
			return p;
		p = k < below ? (int16_t)(p - 1 - nearest_below(x, n, p))
			      : next_of(x, n, p);
	}
	p = bisect(x, n, k);
	*upto = lp_codes_below(x, n, (int16_t)(p + 1));
	return p;
}

void lp_codes_find_middle(const int16_t *x, size_t n, size_t known,
			  struct lp_codes_middle *middle)
{
	size_t upto;

	middle->low = find(x, n, (known - 1) / 2, middle->low, &upto);
	middle->high =
		known / 2 < upto ? middle->low : next_of(x, n, middle->low);
}
