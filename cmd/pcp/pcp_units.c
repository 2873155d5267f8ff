/* SPDX-License-Identifier: Apache-2.0 */
#include "pcp_units.h"

#include "base/bytes.h"

#include <math.h>
#include <string.h>

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool space_size(const pmUnits *units, uint64_t *bytes)
{
	if (units->dimSpace != 1 || units->dimCount != 0 ||
	    units->scaleSpace > PM_SPACE_EBYTE)
		return false;
	/* A rate is a level of its own: bytes per second, and no other. */
	if (units->dimTime != 0 &&
	    (units->dimTime != -1 || units->scaleTime != PM_TIME_SEC))
		return false;
	*bytes = UINT64_C(1) << (10 * units->scaleSpace);
	return true;
}

static bool time_size(const pmUnits *units, uint64_t *ns)
{
	static const uint64_t sizes[] = {
		[PM_TIME_NSEC] = 1,
		[PM_TIME_USEC] = 1000,
		[PM_TIME_MSEC] = 1000000,
		[PM_TIME_SEC] = 1000000000,
		[PM_TIME_MIN] = UINT64_C(60000000000),
		[PM_TIME_HOUR] = UINT64_C(3600000000000),
	};

	if (units->dimTime != 1 || units->dimSpace != 0 ||
	    units->dimCount != 0 || units->scaleTime > PM_TIME_HOUR)
		return false;
	*ns = sizes[units->scaleTime];
	return true;
}

static bool count_size(const pmUnits *units, uint64_t *size)
{
	*size = 1;
	return units->dimSpace == 0 && units->dimTime == 0 &&
	       (units->dimCount == 0 ||
		(units->dimCount == 1 && units->scaleCount == 0));
}

bool lp_pcp_scale_init(struct lp_pcp_scale *scale, const pmUnits *from,
		       struct lp_pcp_unit to)
{
	uint64_t size, common;
	bool fits = false;

	if (to.dimension == LP_PCP_SPACE)
		fits = space_size(from, &size);
	else if (to.dimension == LP_PCP_TIME)
		fits = time_size(from, &size);
	else
		fits = count_size(from, &size);
	if (!fits)
		return false;
	common = greatest_divisor(size, to.size);
	scale->times = size / common;
	scale->by = to.size / common;
	return true;
}

uint64_t lp_pcp_scale_u64(const struct lp_pcp_scale *scale, uint64_t v)
{
	if (scale->times == 1 && scale->by == 1)
		return v;
	return (uint64_t)((unsigned __int128)v * scale->times / scale->by);
}

double lp_pcp_scale_f64(const struct lp_pcp_scale *scale, double v)
{
	return v * (double)scale->times / (double)scale->by;
}

/* The exponent of a power of two; -1: it is none. */
static int exponent(uint64_t v)
{
	return v && (v & (v - 1)) == 0 ? __builtin_ctzll(v) : -1;
}

uint8_t lp_pcp_width(int type, const struct lp_pcp_scale *scale,
		     uint8_t kernel_width)
{
	int up = exponent(scale->times), down = exponent(scale->by);
	int width = 64;

	if ((type == PM_TYPE_32 || type == PM_TYPE_U32) && up >= 0 && down >= 0)
		width = 32 + up - down;
	if (width > 64)
		width = 64;
	return width < kernel_width ? (uint8_t)width : kernel_width;
}

/* Behind the 4 bytes that say type and length. */
static bool block_bytes(const pmValue *value, void *bytes, size_t n)
{
	const pmValueBlock *block = value->value.pval;

	if (block->vlen < PM_VAL_HDR_SIZE + n)
		return false;
	memcpy(bytes, block->vbuf, n);
	return true;
}

static bool integer_value(int type, int format, const pmValue *value,
			  uint64_t *bits)
{
	int32_t narrow = value->value.lval;
	uint64_t wide;

	if (type == PM_TYPE_U32 && format == PM_VAL_INSITU) {
		*bits = (uint32_t)narrow;
		return true;
	}
	if (type == PM_TYPE_32 && format == PM_VAL_INSITU) {
		*bits = (uint64_t)narrow;
		return narrow >= 0;
	}
	if (format == PM_VAL_INSITU || !block_bytes(value, &wide, sizeof(wide)))
		return false;
	*bits = wide;
	return type == PM_TYPE_U64 || (type == PM_TYPE_64 && !(wide >> 63));
}

bool lp_pcp_value(int type, int format, const pmValue *value, uint64_t *bits,
		  bool *real)
{
	double d = NAN;
	float f;

	*real = type == PM_TYPE_FLOAT || type == PM_TYPE_DOUBLE;
	if (!*real)
		return type >= PM_TYPE_32 && type <= PM_TYPE_U64 &&
		       integer_value(type, format, value, bits);
	if (format == PM_VAL_INSITU)
		return false;
	if (type == PM_TYPE_DOUBLE) {
		if (!block_bytes(value, &d, sizeof(d)))
			return false;
	} else if (block_bytes(value, &f, sizeof(f))) {
		d = (double)f;
	}
	*bits = lp_double_bits(d);
	return isfinite(d) && d >= 0;
}

const char *lp_pcp_text(int type, int format, const pmValue *value)
{
	const pmValueBlock *block;
	size_t n;

	if (type != PM_TYPE_STRING || format == PM_VAL_INSITU)
		return NULL;
	block = value->value.pval;
	if (block->vlen <= PM_VAL_HDR_SIZE)
		return NULL;
	n = block->vlen - PM_VAL_HDR_SIZE;
	return memchr(block->vbuf, '\0', n) ? block->vbuf : NULL;
}
