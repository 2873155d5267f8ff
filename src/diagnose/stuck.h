/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ports whose counters stay at their largest value: InfiniBand's 32-bit ones
 * do, until somebody resets them. Their rates are missing then; the port is
 * not.
 */
#ifndef LP_DIAGNOSE_STUCK_H
#define LP_DIAGNOSE_STUCK_H

#include "diagnose/diagnose.h"

/*
 * Whether a peer that has no values of the unit's metric from begin_ns to
 * end_ns was recorded all the same. Only for InfiniBand; else false.
 */
bool lp_counter_stuck(const struct lp_unit *unit,
		      const struct lp_diagnose_input *input, size_t peer,
		      int64_t begin_ns, int64_t end_ns);

#endif
