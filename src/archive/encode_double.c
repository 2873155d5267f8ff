/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doubles that a tool printed with a few decimals (12.34) are integers of some
 * power of ten. Dividing that integer by the power gives the double nearest to
 * the decimal, which is what reading the text gave: exact, bit by bit. What
 * does not come back exactly is kept as bits.
 */
#include "archive/encode.h"
#include "archive/scale.h"

#include <math.h>

/* Integers up to here, and their quotients, are exact in a double. */
#define EXACT 9007199254740992.0 /* 2^53 */

static bool is_exact(double v, unsigned scale, int64_t *integer)
{
	double scaled = v * lp_powers_of_ten[scale];

	if (!(fabs(scaled) < EXACT))
		return false;
	/* Not nearbyint: it alone would load libm into the recorder. */
	*integer = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
	return lp_double_bits(lp_scale_apply(*integer, scale)) ==
	       lp_double_bits(v);
}

/* The smallest scale from `scale` on that holds v; above SCALE_MAX: none. */
static unsigned raise_scale(double v, unsigned scale)
{
	int64_t integer;

	while (scale <= SCALE_MAX && !is_exact(v, scale, &integer))
		scale++;
	return scale;
}

bool lp_decimal_encode(uint64_t *bits, size_t n, uint8_t *scale)
{
	unsigned s = 0;
	int64_t integer;

	for (size_t i = 0; i < n && s <= SCALE_MAX; i++)
		s = raise_scale(lp_bits_double(bits[i]), s);
	if (s > SCALE_MAX)
		return false;
	/* A later value may have raised the scale over an earlier one. */
	for (size_t i = 0; i < n; i++)
		if (!is_exact(lp_bits_double(bits[i]), s, &integer))
			return false;
	for (size_t i = 0; i < n; i++) {
		is_exact(lp_bits_double(bits[i]), s, &integer);
		bits[i] = (uint64_t)integer;
	}
	*scale = (uint8_t)s;
	return true;
}
