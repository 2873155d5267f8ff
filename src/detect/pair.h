/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two doubles that every processor adds or compares at once. For sums that a
 * compiler may not reorder by itself.
 */
#ifndef LP_DETECT_PAIR_H
#define LP_DETECT_PAIR_H

#include <stdint.h>
#include <string.h>

typedef double lp_pair __attribute__((vector_size(2 * sizeof(double))));
/* What comparing gives: -1 where true, else 0. */
typedef int64_t lp_pair_bits __attribute__((vector_size(2 * sizeof(int64_t))));

static inline lp_pair lp_pair_load(const double *from)
{
	lp_pair v;

	memcpy(&v, from, sizeof(v));
	return v;
}

static inline void lp_pair_store(double *to, lp_pair v)
{
	memcpy(to, &v, sizeof(v));
}

/* The lesser of each; that of b where a is NaN. */
static inline lp_pair lp_pair_min(lp_pair a, lp_pair b)
{
	return (lp_pair){ a[0] < b[0] ? a[0] : b[0],
			  a[1] < b[1] ? a[1] : b[1] };
}

static inline lp_pair lp_pair_max(lp_pair a, lp_pair b)
{
	return (lp_pair){ a[0] > b[0] ? a[0] : b[0],
			  a[1] > b[1] ? a[1] : b[1] };
}

static inline lp_pair lp_pair_abs(lp_pair v)
{
	const lp_pair_bits mask = { INT64_MAX, INT64_MAX };

	return (lp_pair)((lp_pair_bits)v & mask);
}

#endif
