/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/sizes.h"

#include <math.h>

static float begin_of(uint32_t bin)
{
	return bin < LP_SIZES_BINS
		       ? lp_code_value((int16_t)(bin << LP_SIZES_SHIFT))
		       : lp_code_value(LP_CODE_LARGEST);
}

/* The number of this rank, if those of a bin lie evenly in it. */
static float at_rank(struct lp_sizes *p, uint32_t rank)
{
	double part;
	float begin;

	while (rank < p->below)
		p->below -= p->count[--p->bin];
	while (rank >= p->below + p->count[p->bin])
		p->below += p->count[p->bin++];
	part = ((double)(rank - p->below) + 0.5) / (double)p->count[p->bin];
	begin = begin_of(p->bin);
	return begin + (float)part * (begin_of(p->bin + 1) - begin);
}

float lp_sizes_median(struct lp_sizes *p)
{
	if (p->n == 0)
		return NAN;
	return (at_rank(p, (p->n - 1) / 2) + at_rank(p, p->n / 2)) / 2;
}
