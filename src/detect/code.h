/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Codes: numbers in 16 bits, in the order of their values. As a float of half
 * precision, but without its gradual underflow, and with a range that residuals
 * need:
 *
 *     0 | 15 bits: exponent (5), fraction (10)     negative numbers: minus that
 *
 * Off by at most 1/2048 of the number, or by 2^-14 where it is nearly 0.
 */
#ifndef LP_DETECT_CODE_H
#define LP_DETECT_CODE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Missing; above all others, so that none of them has to be left out. */
#define LP_CODE_MISSING INT16_MAX
#define LP_CODE_LARGEST (INT16_MAX - 1)

/* Bits of a float's fraction that a code leaves out. */
#define LP_CODE_SHIFT 13
/* Exponents begin at 2^-14: 127 - 14, less one for the code of 0. */
#define LP_CODE_FIRST (INT32_C(112) << 10)

/* The code of |v|, to the nearest; v is no NaN. */
static inline int32_t lp_code_of_size(float v)
{
	uint32_t bits;
	int32_t code;

	memcpy(&bits, &v, sizeof(bits));
	bits &= INT32_MAX;
	bits += 1u << (LP_CODE_SHIFT - 1);
	code = (int32_t)(bits >> LP_CODE_SHIFT) - LP_CODE_FIRST;
	code = code < 1024 ? 0 : code - 1023;
	return code > LP_CODE_LARGEST ? LP_CODE_LARGEST : code;
}

/* NaN: missing. */
static inline int16_t lp_code_of(float v)
{
	int32_t size = lp_code_of_size(v);

	if (v != v)
		return LP_CODE_MISSING;
	return (int16_t)(v < 0 ? -size : size);
}

/* The number; of one that is missing, something. */
static inline float lp_code_value(int16_t code)
{
	int32_t size = code < 0 ? -code : code;
	int32_t bits =
		size ? (size + 1023 + LP_CODE_FIRST) << LP_CODE_SHIFT : 0;
	float v;

	memcpy(&v, &bits, sizeof(v));
	return code < 0 ? -v : v;
}

/* How many of x[n] are below p. */
size_t lp_codes_below(const int16_t *x, size_t n, int16_t p);

/* The two in the middle, or twice the one that is. */
struct lp_codes_middle {
	int16_t low, high;
};

/* The median that they make. */
static inline float lp_codes_median(struct lp_codes_middle middle)
{
	return (lp_code_value(middle.low) + lp_code_value(middle.high)) / 2;
}

/*
 * Of those that are not missing, of which there are `known`, at least one. The
 * search begins at what *middle is.
 */
void lp_codes_find_middle(const int16_t *x, size_t n, size_t known,
			  struct lp_codes_middle *middle);

#endif
