/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A strip: the values of one component in one metric, on the grid.
 *
 * Most components rest most of the time, and spare paths always: a stretch of
 * equal values takes no room. Values are kept as floats.
 */
#ifndef LP_TABLE_STRIP_H
#define LP_TABLE_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points that are kept together. */
#define LP_STRIP_BLOCK 128

struct lp_strip_block {
	float *value; /* by point; NULL: those of [from, to) are `all`, the
			 others are missing */
	float all;
	uint16_t from, to;
};

/* Zero-initialise. Points are known by their index on the grid. */
struct lp_strip {
	struct lp_strip_block *blocks;
	int64_t first; /* block of the grid that blocks[0] is */
	size_t n, capacity;
};

/*
 * Set n points from `at` on; where a value is NaN, what is known of the point
 * stays. end: how far points will come, as far as known: room is made for them
 * at once. 0 or -ENOMEM.
 */
int lp_strip_put(struct lp_strip *strip, int64_t at, const double *value,
		 size_t n, int64_t end);
/* Free what is before this point, as far as it can be; nobody will ask. */
void lp_strip_drop(struct lp_strip *strip, int64_t before);
void lp_strip_done(struct lp_strip *strip);

/* The value at a point; NaN: missing. */
double lp_strip_at(const struct lp_strip *strip, int64_t at);
/* out[r * stride] is point at + r. */
void lp_strip_copy(const struct lp_strip *strip, int64_t at, size_t n,
		   double *out, size_t stride);
/*
 * How many points from `at` on, at most n, have no value above 0; *known: how
 * many of these, from `at` on, have one.
 */
size_t lp_strip_quiet(const struct lp_strip *strip, int64_t at, size_t n,
		      size_t *known);

enum lp_strip_rest {
	LP_STRIP_WORKS,
	LP_STRIP_RESTS, /* all n points are 0 or missing */
	LP_STRIP_ZERO,  /* all are 0, and none is -0 or missing */
};
enum lp_strip_rest lp_strip_rest(const struct lp_strip *strip, int64_t at,
				 size_t n);

#endif
