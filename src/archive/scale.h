/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Powers of ten, all exact in a double.
 */
#ifndef LP_ARCHIVE_SCALE_H
#define LP_ARCHIVE_SCALE_H

#include "archive/format.h"

static const double lp_powers_of_ten[SCALE_MAX + 1] = {
	1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
};

static inline double lp_scale_apply(int64_t integer, unsigned scale)
{
	return (double)integer / lp_powers_of_ten[scale];
}

#endif
