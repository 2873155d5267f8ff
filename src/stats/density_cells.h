/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in cells of equal width, each with the moments of what is in it.
 */
#ifndef LP_STATS_DENSITY_CELLS_H
#define LP_STATS_DENSITY_CELLS_H

#include <stddef.h>

#define LP_CELL_MOMENTS 8
/* Further away, in bandwidths, a kernel is below 1e-17 of its peak. */
#define LP_DENSITY_REACH 9.0

struct lp_density_cells {
	double first, width; /* of the first cell's left side, and of each */
	size_t n;
	/* Of all numbers, also of those outside the cells; not of NaN. */
	double least, most;
	size_t n_outside; /* numbers that are in no cell */
	/* Sum of u^k over the numbers of a cell, u = (x - middle) / width;
	   after lp_cells_expand() a polynomial in z = (t - middle) / bandwidth.
	 */
	double (*moment)[LP_CELL_MOMENTS];
	/* exp(-(j width / bandwidth)^2 / 2) for j = 0 ... reach */
	double *fading;
	size_t reach;
};

/* Cells over [first, last], which are finite, with those of the n numbers in
   them that lie within. NULL: no memory. */
struct lp_density_cells *lp_cells_new(const double *x, size_t n, double first,
				      double last, double width);
void lp_cells_free(struct lp_density_cells *cells);

/* The standard deviation of the numbers, with n - 1. */
double lp_cells_sd(const struct lp_density_cells *cells, size_t n);
/* Exactly, R's type 7; x are the numbers. NaN: no memory. */
double lp_cells_iqr(const struct lp_density_cells *cells, const double *x,
		    size_t n);

/* Make ready for the two below. 0 or -ENOMEM. */
int lp_cells_expand(struct lp_density_cells *cells, double bandwidth);
/* Sum of exp(-z^2 / 2), z = (t - x_i) / bandwidth, over all numbers; and of
   its derivative by z. */
double lp_cells_sum(const struct lp_density_cells *cells, double bandwidth,
		    double t);
double lp_cells_sum_slope(const struct lp_density_cells *cells,
			  double bandwidth, double t);

#endif
