/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One metric of one peer group in one window of time, as histograms that share
 * their bins, plain and cumulative.
 */
#ifndef LP_DETECT_CURVE_H
#define LP_DETECT_CURVE_H

#include "base/memory.h"
#include "detect/rows.h"
#include "model/catalogue.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * n components, w samples each: x[component * w + sample]. NaN is missing, and
 * so is what is infinite: no counter gives it, and it has no place in a range.
 */
struct lp_window {
	const double *x;
	size_t n, w;
};

static inline bool lp_is_sample(double v)
{
	return fabs(v) <= DBL_MAX;
}

/* At most so many bins in a refined histogram (thesis 5.3). */
#define LP_BINS_MAX 1000
/* A window longer than this is refused: its sums leave 32 bits. */
#define LP_WINDOW_MAX 4096

/*
 * Bin b holds low + b * width <= v < low + (b + 1) * width, the last one its
 * upper end too. No bins (count 0): all samples are equal, or there are none.
 */
struct lp_bins {
	double low, width;
	size_t count;
};

/* Sturges: ceil(log2(w) + 1) bins over the joint range (FAST'10, 10.1). */
size_t lp_bins_sturges_count(size_t w);
struct lp_bins lp_bins_sturges(const struct lp_window *window);

/*
 * Freedman-Diaconis on the samples of all components, with the window's
 * length as the number of observations: width 2 IQR w^(-1/3), ceil(range /
 * width) bins, at most LP_BINS_MAX (thesis 3.3, 5.3). Fewer than five
 * components with samples: MAD in place of the IQR (6.2.3). A spread of 0, a
 * mostly idle group: width max(range / LP_BINS_MAX, floor.idle). `scratch` has
 * n * w places.
 */
struct lp_bins lp_bins_freedman(const struct lp_window *window,
				struct lp_floor floor, double *scratch);

/*
 * Histograms of all components. Those with fewer than half of their samples
 * have none: present[i] is 0, and they are left out of their peers' pairs.
 */
struct lp_curves {
	struct lp_window window;
	struct lp_bins bins;
	bool cumulative; /* each bin includes those before, and the padding
			    repeats the last (else it is 0) */
	size_t n;
	size_t length;     /* of a row, bins and padding */
	uint8_t *filled;   /* [n]: the component was counted; else it has
			      neither a row nor a number of samples */
	uint16_t *present; /* [n]: samples counted */
	const struct lp_rows *rows;
	unsigned char *counts; /* [n * length] of rows->size bytes */
};

/*
 * Room, in memory of the arena, for the histograms of a window that has bins
 * and that outlives them. 0 or -ENOMEM.
 */
int lp_curves_plan(struct lp_curves *curves, const struct lp_window *window,
		   const struct lp_bins *bins, bool cumulative,
		   struct lp_arena *arena);
/* Count component i, unless it was counted already. */
void lp_curves_fill(struct lp_curves *curves, size_t i);
/* Both, for all components. 0 or -ENOMEM. */
int lp_curves_make(struct lp_curves *curves, const struct lp_window *window,
		   const struct lp_bins *bins, bool cumulative,
		   struct lp_arena *arena);

static inline const void *lp_curves_row(const struct lp_curves *curves,
					size_t i)
{
	return curves->counts + i * curves->length * curves->rows->size;
}

#endif
