/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Series of integers from their heads and byte planes. The loops at the end
 * are where reading an archive spends its time.
 */
#include "archive/decode.h"

#include <errno.h>

static int check_head(struct decoder *d, const struct series_head *h)
{
	if (h->mode >= MODES || h->width > 8 || h->shift > 63)
		return lp_decode_bad(d, "an unknown way of encoding");
	if (h->presence > d->n_presence)
		return lp_decode_bad(d, "a presence bitmap that is not there");
	if (h->scale != SCALE_BITS && h->scale > SCALE_MAX)
		return lp_decode_bad(d, "an unknown scale");
	return 0;
}

static int read_head(struct decoder *d, struct lp_cursor *in, uint8_t code,
		     size_t n_samples, struct series_head *h)
{
	uint64_t shift = 0;
	int status;

	h->mode = code & CODE_MODE;
	h->width = CODE_WIDTH(code);
	h->base = h->n = h->entries = h->presence = h->shift = 0;
	if (h->mode == MODE_ABSENT) {
		h->width = 0;
		return 0;
	}
	h->presence = lp_cursor_varint(in);
	if (code & CODE_SHIFTED)
		shift = lp_cursor_varint(in);
	h->shift = shift > 63 ? 64 : (unsigned)shift;
	if (h->mode != MODE_ZERO)
		h->base = lp_cursor_varint(in);
	status = check_head(d, h);
	if (status < 0)
		return status;
	h->n = h->presence ? d->presence[h->presence - 1].count : n_samples;
	if (h->mode >= MODE_DELTA)
		h->entries = h->mode == MODE_OFFSET ? h->n : h->n - 1;
	return 0;
}

/* The planes must fill the rest of the section exactly. */
static int place_planes(struct decoder *d, struct lp_cursor *in,
			size_t n_series, struct plane_cursor *planes)
{
	uint64_t sizes[8] = { 0 }, total = 0;

	for (size_t s = 0; s < n_series; s++)
		for (unsigned p = 0; p < d->heads[s].width; p++)
			sizes[p] += d->heads[s].entries;
	for (size_t p = 0; p < 8; p++) {
		planes->at[p] =
			in->at + (total < lp_cursor_left(in) ? total : 0);
		total += sizes[p];
	}
	if (in->failed || total != lp_cursor_left(in))
		return lp_decode_bad(d, "planes that do not fill their "
					"section");
	return 0;
}

int lp_decode_heads(struct decoder *d, struct lp_cursor *in, size_t n_series,
		    bool scales, size_t n_samples, struct plane_cursor *planes)
{
	const uint8_t *codes = lp_cursor_take(in, n_series);
	const uint8_t *scale = scales ? lp_cursor_take(in, n_series) : NULL;

	if (in->failed)
		return lp_decode_bad(d, "a section that is too short");
	if (lp_grow(&d->heads, &d->heads_capacity, n_series,
		    sizeof(*d->heads)) < 0)
		return -ENOMEM;
	for (size_t s = 0; s < n_series; s++) {
		int status;

		d->heads[s].scale = scale ? scale[s] : SCALE_BITS;
		status = read_head(d, in, codes[s], n_samples, &d->heads[s]);
		if (status < 0)
			return status;
	}
	return place_planes(d, in, n_series, planes);
}

/* The i-th number of the planes; width is a constant in every caller. */
static inline uint64_t entry(const uint8_t *const at[8], size_t i,
			     unsigned width, unsigned shift)
{
	uint64_t x = 0;

	for (unsigned p = 0; p < width; p++)
		x |= (uint64_t)at[p][i] << 8 * p;
	return x << shift;
}

static inline __attribute__((always_inline)) void series_of(
	const struct series_head *h, const uint8_t *const at[8], unsigned width,
	uint64_t *restrict out)
{
	uint64_t v = h->base;
	unsigned shift = h->shift;
	size_t n = h->entries;

	switch (h->mode) {
	case MODE_DELTA:
		*out++ = v;
		for (size_t i = 0; i < n; i++)
			out[i] = v += entry(at, i, width, shift);
		break;
	case MODE_ZIGZAG:
		*out++ = v;
		for (size_t i = 0; i < n; i++)
			out[i] = v += (uint64_t)lp_unzigzag(
				entry(at, i, width, shift));
		break;
	case MODE_XOR:
		*out++ = v;
		for (size_t i = 0; i < n; i++)
			out[i] = v ^= entry(at, i, width, shift);
		break;
	default: /* MODE_OFFSET */
		for (size_t i = 0; i < n; i++)
			out[i] = v + entry(at, i, width, shift);
	}
}

/* One loop per width, free of decisions. */
static void by_width(const struct series_head *h, const uint8_t *const at[8],
		     uint64_t *out)
{
	switch (h->width) {
	case 0:
		series_of(h, at, 0, out);
		break;
	case 1:
		series_of(h, at, 1, out);
		break;
	case 2:
		series_of(h, at, 2, out);
		break;
	case 3:
		series_of(h, at, 3, out);
		break;
	case 4:
		series_of(h, at, 4, out);
		break;
	default:
		series_of(h, at, h->width, out);
	}
}

void lp_decode_series(const struct series_head *h, struct plane_cursor *planes,
		      uint64_t *out)
{
	if (h->mode == MODE_ZERO || h->mode == MODE_CONSTANT) {
		for (size_t i = 0; i < h->n; i++)
			out[i] = h->base;
		return;
	}
	by_width(h, planes->at, out);
	for (unsigned p = 0; p < h->width; p++)
		planes->at[p] += h->entries;
}
