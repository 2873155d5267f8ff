/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing drifts: what is added and taken away are multiples of a power of two,
 * so that their sums are exact as long as a double has a bit for each multiple.
 * That is up to 2^41 ms or requests, and 2^45 bytes (14 GB a second).
 */
#include "detect/carry.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Parts of one, to which times and counts, and amounts, are rounded. */
#define FINE 4096
#define COARSE 256

struct lp_carry {
	size_t n, n_sums, n_lengths, count, depth;
	enum lp_sum which[LP_SUMS];
	size_t lengths[LP_BLOCKS_LENGTHS];
	struct lp_sums *sums[LP_BLOCKS_LENGTHS]; /* [n] */
	float *blocks; /* [depth][n][n_sums], NaN: missing */
};

struct lp_carry *lp_carry_new(size_t n, const enum lp_sum *which, size_t n_sums,
			      const size_t *lengths)
{
	struct lp_carry *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->n = n;
	c->n_sums = n_sums;
	for (size_t s = 0; s < n_sums; s++)
		c->which[s] = which[s];
	for (; lengths[c->n_lengths]; c->n_lengths++) {
		size_t w = c->n_lengths;

		assert(w < LP_BLOCKS_LENGTHS && lengths[w] > c->depth);
		c->lengths[w] = c->depth = lengths[w];
		c->sums[w] = calloc(n + 1, sizeof(struct lp_sums));
		if (!c->sums[w])
			goto fail;
	}
	c->blocks = calloc(c->depth * n * n_sums + 1, sizeof(*c->blocks));
	if (c->blocks)
		return c;
fail:
	lp_carry_free(c);
	return NULL;
}

void lp_carry_free(struct lp_carry *c)
{
	if (!c)
		return;
	for (size_t w = 0; w < LP_BLOCKS_LENGTHS; w++)
		free(c->sums[w]);
	free(c->blocks);
	free(c);
}

static float *block_at(const struct lp_carry *c, size_t block)
{
	return c->blocks + block % c->depth * c->n * c->n_sums;
}

static float rounded(enum lp_sum which, double v)
{
	bool amount = which == LP_SUM_IN || which == LP_SUM_OUT ||
		      which == LP_SUM_RESENT;
	double parts = amount ? COARSE : FINE;

	return (float)(nearbyint(v * parts) / parts);
}

static void keep(struct lp_carry *c, const struct lp_sums *block)
{
	float *kept = block_at(c, c->count);

	for (size_t i = 0; i < c->n; i++)
		for (size_t s = 0; s < c->n_sums; s++) {
			enum lp_sum which = c->which[s];

			*kept++ = block[i].present[which]
					  ? rounded(which, block[i].v[which])
					  : NAN;
		}
}

/* Add a block to all sums, or take it away. */
static void count_block(const struct lp_carry *c, struct lp_sums *sums,
			const float *kept, int sign)
{
	for (size_t i = 0; i < c->n; i++)
		for (size_t s = 0; s < c->n_sums; s++) {
			enum lp_sum which = c->which[s];
			float v = *kept++;
			bool known = !isnan(v);

			sums[i].v[which] += known ? sign * (double)v : 0;
			sums[i].present[which] =
				(uint16_t)(sums[i].present[which] +
					   (known ? sign : 0));
		}
}

void lp_carry_add(struct lp_carry *c, const struct lp_sums *block)
{
	/* What is too old, before the longest window's place is needed. */
	for (size_t w = 0; w < c->n_lengths; w++)
		if (c->count >= c->lengths[w])
			count_block(c, c->sums[w],
				    block_at(c, c->count - c->lengths[w]), -1);
	keep(c, block);
	for (size_t w = 0; w < c->n_lengths; w++)
		count_block(c, c->sums[w], block_at(c, c->count), 1);
	c->count++;
}

const struct lp_sums *lp_carry_sums(const struct lp_carry *c, size_t last)
{
	size_t w = 0;

	while (w + 1 < c->n_lengths && c->lengths[w] < last)
		w++;
	assert(c->lengths[w] == last ||
	       (last == c->count && last < c->lengths[w]));
	return c->sums[w];
}
