/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One metric of one peer group in one window of time, as histograms that share
 * their bins, plain and cumulative.
 */
#ifndef LP_DETECT_CURVE_H
#define LP_DETECT_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n components, w samples each: x[component * w + sample], NaN = missing. */
struct lp_window {
	const double *x;
	size_t n, w;
};

/* At most so many bins in a refined histogram (thesis 5.3). */
#define LP_BINS_MAX 1000
/* A window longer than this does not fit the 16-bit counts. */
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
struct lp_bins lp_bins_sturges(const struct lp_window *window);

/*
 * Freedman-Diaconis on the samples of all components, with the window's
 * length as the number of observations: width 2 IQR w^(-1/3), ceil(range /
 * width) bins, at most LP_BINS_MAX (thesis 3.3, 5.3). Fewer than five
 * components: MAD in place of the IQR (6.2.3). A spread of 0, a mostly idle
 * group: width max(range / LP_BINS_MAX, floor). `scratch` has n * w places.
 */
struct lp_bins lp_bins_freedman(const struct lp_window *window, double floor,
				double *scratch);

/*
 * Histograms of all components. Those with fewer than half of their samples
 * have none: present[i] is 0, and they are left out of their peers' pairs.
 */
struct lp_curves {
	size_t n, bins;
	uint16_t *counts;  /* [n * bins] */
	uint16_t *present; /* [n]: samples counted */
};

/*
 * Count the window into arrays of the caller (n * bins and n places);
 * cumulative: each bin includes those before.
 */
void lp_curves_fill(struct lp_curves *curves, const struct lp_window *window,
		    const struct lp_bins *bins, bool cumulative);

#endif
