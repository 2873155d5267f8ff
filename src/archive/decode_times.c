/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/decode.h"
#include "archive/units.h"

#include <errno.h>

/* The first time, then the steps, as a series of one column. */
int lp_decode_times(struct decoder *d, struct lp_cursor *in, size_t n)
{
	uint8_t unit = lp_cursor_u8(in);
	uint64_t t = (uint64_t)lp_unzigzag(lp_cursor_varint(in)), ns;
	uint64_t *out = lp_pool_alloc(&d->pool, n * sizeof(*out));
	struct plane_cursor planes;
	int status;

	if (in->failed || unit >= TIME_UNITS)
		return lp_decode_bad(d, "times in an unknown unit");
	if (!out)
		return -ENOMEM;
	ns = (uint64_t)lp_time_units_ns[unit];
	d->n_presence = 0;
	out[0] = t * ns;
	if (n > 1) {
		status = lp_decode_heads(d, in, 1, false, n - 1, &planes);
		if (status < 0)
			return status;
		if (d->heads[0].mode == MODE_ABSENT)
			return lp_decode_bad(d, "no times");
		lp_decode_series(&d->heads[0], &planes, out + 1);
	}
	for (size_t i = 1; i < n; i++) {
		t += out[i];
		out[i] = t * ns;
	}
	d->chunk.time_ns = (int64_t *)out;
	d->chunk.n_samples = n;
	return 0;
}
