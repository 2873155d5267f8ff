/* SPDX-License-Identifier: Apache-2.0 */
#include "table/delta.h"

#define TWO_31 (UINT64_C(1) << 31)
#define TWO_32 (UINT64_C(1) << 32)
#define TWO_62 (UINT64_C(1) << 62)

/*
 * A counter that fell by less than 1/64 of a large value did not begin anew:
 * it would have had to come back that far within one interval.
 */
#define DIP_FRACTION 64
#define DIP_LEAST 65536

bool lp_delta_counts(const struct lp_column *column)
{
	return column->kind == LP_COUNTER || column->kind == LP_SATURATING ||
	       column->kind == LP_MOMENTS || column->kind == LP_HISTOGRAM;
}

/*
 * Which legacy InfiniBand counters are 32 bits wide depends on driver and
 * kernel, so all ones of 32 bits are full at any width.
 */
bool lp_delta_saturated(const struct lp_column *column, uint64_t value)
{
	if (column->kind != LP_SATURATING)
		return false;
	if (column->width > 0 && column->width < 64 &&
	    value == (UINT64_C(1) << column->width) - 1)
		return true;
	return value == TWO_32 - 1 || value == UINT64_MAX;
}

/*
 * Half of the range tells a wrap from a reset: a counter that wrapped went
 * less than half of its range in one interval.
 */
static enum lp_delta classify_narrow(unsigned width, uint64_t before,
				     uint64_t after)
{
	uint64_t range = UINT64_C(1) << width;

	if (((after - before) & (range - 1)) >= range / 2)
		return LP_DELTA_RESET;
	return width == 32 ? LP_DELTA_WRAP32 : LP_DELTA_WRAP;
}

static enum lp_delta classify_wide(uint64_t before, uint64_t after)
{
	if (after - before < TWO_62)
		return LP_DELTA_WRAP64;
	/* 32-bit kernels and drivers behind a 64-bit column. */
	if (before >= TWO_31 && before < TWO_32 &&
	    ((after - before) & (TWO_32 - 1)) < TWO_31)
		return LP_DELTA_WRAP32;
	if (before >= DIP_LEAST && before - after < before / DIP_FRACTION)
		return LP_DELTA_DIP;
	return LP_DELTA_RESET;
}

enum lp_delta lp_delta_classify(const struct lp_column *column, uint64_t before,
				uint64_t after)
{
	unsigned width = column->width;

	if (after >= before)
		return LP_DELTA_UP;
	if (column->kind == LP_SATURATING)
		return LP_DELTA_RESET; /* somebody cleared it */
	/* A value beyond the width: the source counts wider than the kernel. */
	if (width > 0 && width < 64 && before >> width == 0)
		return classify_narrow(width, before, after);
	return classify_wide(before, after);
}

uint64_t lp_delta_carry(const struct lp_column *column, enum lp_delta delta)
{
	if (delta == LP_DELTA_WRAP32)
		return TWO_32;
	return delta == LP_DELTA_WRAP ? UINT64_C(1) << column->width : 0;
}

/* No comparison: the loop is a few vector instructions. */
bool lp_delta_plain(uint64_t before, const uint64_t *values, size_t n,
		    bool *still)
{
	uint64_t bits = n ? values[0] - before : 0;

	for (size_t i = 1; i < n; i++)
		bits |= values[i] - values[i - 1];
	if (still)
		*still = bits == 0;
	return bits < TWO_62;
}
