/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a raw counter did between two samples.
 *
 * Counters wrap, are reset by a reboot or a re-plugged device, stay at all
 * ones when they are full (InfiniBand), and a few of the kernel's go back a
 * little now and then (iowait, proc(5)). All of that is normal.
 */
#ifndef LP_TABLE_DELTA_H
#define LP_TABLE_DELTA_H

#include "model/catalogue.h"

enum lp_delta {
	LP_DELTA_UP,     /* or unchanged */
	LP_DELTA_WRAP32, /* went on from 0 behind 2^32 */
	LP_DELTA_WRAP64, /* went on from 0 behind 2^64 */
	LP_DELTA_WRAP,   /* went on from 0 behind another width */
	LP_DELTA_DIP,    /* went back a little: this value is not to be used */
	LP_DELTA_RESET,  /* began anew: the increase is not known */
};

/* Whether the increase of the column is what matters, not its level. */
bool lp_delta_counts(const struct lp_column *column);

/* A saturating counter at all ones: its true value is not known. */
bool lp_delta_saturated(const struct lp_column *column, uint64_t value);

/* From one value to the next; neither is saturated. */
enum lp_delta lp_delta_classify(const struct lp_column *column, uint64_t before,
				uint64_t after);

/*
 * What must be added to `after` and all later values so that the difference
 * to `before` is the increase, modulo 2^64. 0 when it did not wrap.
 */
uint64_t lp_delta_carry(const struct lp_column *column, enum lp_delta delta);

/*
 * Whether all differences modulo 2^64, that of `before` to the first value
 * included, are increases at first sight: below 2^62. If not, look closer with
 * lp_delta_classify. *still (may be NULL): whether all are 0.
 */
bool lp_delta_plain(uint64_t before, const uint64_t *values, size_t n,
		    bool *still);

#endif
