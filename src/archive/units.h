/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LP_ARCHIVE_UNITS_H
#define LP_ARCHIVE_UNITS_H

#include <stdint.h>

#define TIME_UNITS 4

static const int64_t lp_time_units_ns[TIME_UNITS] = {
	1,
	1000,
	1000000,
	1000000000,
};

#endif
