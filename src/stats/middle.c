/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/middle.h"

#include "stats/quantile.h"

#include <math.h>

void lp_middle_of(double *x, size_t n, struct lp_middle *middle)
{
	size_t at = n / 2;
	size_t ranks[3] = { at ? at - 1 : 0, at, at + 1 < n ? at + 1 : at };
	double values[3] = { NAN, NAN, NAN };

	if (n > 0)
		lp_select_ranks(x, n, ranks, 3, values);
	*middle = (struct lp_middle){
		.n = n, .low = values[0], .at = values[1], .high = values[2]
	};
}

double lp_median_without(const struct lp_middle *m, double v)
{
	if (m->n < 2)
		return NAN;
	/* An odd number is left: one of the two in the middle. */
	if (m->n % 2 == 0)
		return v < m->at ? m->at : m->low;
	if (v < m->at)
		return (m->at + m->high) / 2;
	return ((v > m->at ? m->at : m->high) + m->low) / 2;
}
