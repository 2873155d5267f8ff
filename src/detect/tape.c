/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/tape.h"

#include "detect/pair.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Series whose values of one time share a line of the cache. */
#define BLOCK 8
#define PAIRS (BLOCK / 2)
/* At least so many new rows fit, so that old ones are seldom moved. */
#define ROOM_LEAST 32

/*
 * Values as they came, [block][row][BLOCK]:
 *
 *     | smooth - 1 rows before | averaged | new |     |
 *     0                                 done  end   rows
 */
struct lp_tape {
	size_t n, smooth, window;
	size_t rows;      /* of a block */
	size_t done, end; /* averaged up to here, filled up to here */
	double *values;
	double *averages; /* [n][window] */
};

static size_t n_blocks(const struct lp_tape *tape)
{
	return (tape->n + BLOCK - 1) / BLOCK;
}

static double *block_of(const struct lp_tape *tape, size_t b)
{
	return tape->values + b * tape->rows * BLOCK;
}

static void fill_missing(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = NAN;
}

struct lp_tape *lp_tape_new(size_t n, size_t smooth, size_t window,
			    size_t shift)
{
	struct lp_tape *tape = calloc(1, sizeof(*tape));
	size_t room = shift > ROOM_LEAST ? shift : ROOM_LEAST;

	if (!tape)
		return NULL;
	tape->n = n;
	tape->smooth = smooth;
	tape->window = window;
	/* Odd: blocks do not begin at the same place of the cache. */
	tape->rows = (smooth - 1 + room) | 1;
	tape->done = tape->end = smooth - 1;
	tape->values = reallocarray(NULL, n_blocks(tape) * tape->rows + 1,
				    BLOCK * sizeof(double));
	tape->averages = reallocarray(NULL, n * window + 1, sizeof(double));
	if (!tape->values || !tape->averages) {
		lp_tape_free(tape);
		return NULL;
	}
	fill_missing(tape->values, n_blocks(tape) * tape->rows * BLOCK);
	fill_missing(tape->averages, n * window);
	return tape;
}

void lp_tape_free(struct lp_tape *tape)
{
	if (!tape)
		return;
	free(tape->values);
	free(tape->averages);
	free(tape);
}

/* One series, of which something is missing. */
static double mean_of_present(const double *x, size_t width)
{
	size_t present = 0;
	double sum = 0, mean;

	for (size_t k = 0; k < width; k++)
		if (fabs(x[k * BLOCK]) <= DBL_MAX) {
			sum += x[k * BLOCK];
			present++;
		}
	mean = sum / (double)present;
	return 2 * present < width || !(fabs(mean) <= DBL_MAX) ? NAN : mean;
}

/* A sum that is a number had all its samples. */
static inline void divide(const lp_pair *sums, const double *from, size_t width,
			  double *means)
{
	lp_pair odd = { 0, 0 };

	for (size_t p = 0; p < PAIRS; p++) {
		lp_pair m = sums[p] / (double)width;

		lp_pair_store(means + 2 * p, m);
		odd += m - m; /* 0, or NaN of what is no number */
	}
	if (odd[0] + odd[1] == 0)
		return;
	for (size_t b = 0; b < BLOCK; b++)
		if (!(fabs(means[b]) <= DBL_MAX))
			means[b] = mean_of_present(from + b, width);
}

/* Of two rows, one behind the other, whose samples are read only once. */
static inline void average_two(const double *from, size_t width, double *means)
{
	lp_pair sums[PAIRS] = { 0 }, next[PAIRS] = { 0 };

	for (size_t p = 0; p < PAIRS; p++)
		sums[p] += lp_pair_load(from + 2 * p);
	for (size_t k = 1; k < width; k++)
		for (size_t p = 0; p < PAIRS; p++) {
			lp_pair v = lp_pair_load(from + k * BLOCK + 2 * p);

			sums[p] += v;
			next[p] += v;
		}
	for (size_t p = 0; p < PAIRS; p++)
		next[p] += lp_pair_load(from + width * BLOCK + 2 * p);
	divide(sums, from, width, means);
	divide(next, from + BLOCK, width, means + BLOCK);
}

static inline void average_one(const double *from, size_t width, double *means)
{
	lp_pair sums[PAIRS] = { 0 };

	for (size_t k = 0; k < width; k++)
		for (size_t p = 0; p < PAIRS; p++)
			sums[p] += lp_pair_load(from + k * BLOCK + 2 * p);
	divide(sums, from, width, means);
}

/* Averages of the newest `count` rows of a block, behind those still wanted. */
static void average_block(struct lp_tape *tape, size_t block, size_t count)
{
	size_t w = tape->window, first = block * BLOCK;
	size_t series = tape->n - first < BLOCK ? tape->n - first : BLOCK;
	double *to = tape->averages + first * w;
	const double *from = block_of(tape, block) +
			     (tape->end - count + 1 - tape->smooth) * BLOCK;

	for (size_t b = 0; b < series; b++)
		memmove(to + b * w, to + b * w + count,
			(w - count) * sizeof(*to));
	for (size_t k = w - count; k < w; k += 2, from += 2 * BLOCK) {
		size_t rows = k + 1 < w ? 2 : 1;
		double means[2 * BLOCK];

		if (rows == 2)
			average_two(from, tape->smooth, means);
		else
			average_one(from, tape->smooth, means);
		for (size_t b = 0; b < series; b++)
			for (size_t r = 0; r < rows; r++)
				to[b * w + k + r] = means[r * BLOCK + b];
	}
}

const double *lp_tape_window(struct lp_tape *tape)
{
	size_t new = tape->end - tape->done;
	size_t count = new < tape->window ? new : tape->window;

	assert(tape->done <= tape->end && tape->end <= tape->rows);
	for (size_t b = 0; count && b < n_blocks(tape); b++)
		average_block(tape, b, count);
	tape->done = tape->end;
	return tape->averages;
}

/* Only what the next averages need stays, at the front. */
static void rewind_tape(struct lp_tape *tape)
{
	size_t kept = tape->smooth - 1;

	lp_tape_window(tape);
	for (size_t b = 0; b < n_blocks(tape); b++) {
		double *block = block_of(tape, b);

		memmove(block, block + (tape->end - kept) * BLOCK,
			kept * BLOCK * sizeof(*block));
	}
	tape->done = tape->end = kept;
}

void lp_tape_push(struct lp_tape *tape, const double *row)
{
	size_t left = tape->n % BLOCK, whole = tape->n - left;
	size_t stride = tape->rows * BLOCK;
	double *to;

	if (tape->end == tape->rows)
		rewind_tape(tape);
	to = tape->values + tape->end++ * BLOCK;
	if (!row) {
		for (size_t b = 0; b < n_blocks(tape); b++)
			fill_missing(to + b * stride, BLOCK);
		return;
	}
	for (size_t i = 0; i < whole; i += BLOCK, to += stride)
		memcpy(to, row + i, BLOCK * sizeof(*to));
	if (left)
		memcpy(to, row + whole, left * sizeof(*to));
}
