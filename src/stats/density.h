/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel density with Gaussian kernels:
 *
 *     f(t) = 1 / (n h) * sum of phi((t - x_i) / h)
 *
 * at a cost that hardly depends on n once the density is made. The numbers are
 * put into cells narrower than h, each of which keeps the first moments of what
 * is in it, and the kernel is expanded in Hermite polynomials around the middle
 * of the cell (Greengard and Strain 1991). By Cramer's inequality,
 * |He_k(z)| <= 1.0865 sqrt(k!) exp(z^2 / 4), what is left out is less than
 *
 *     1.0865 / (sqrt(2 pi) h) * r^8 / (sqrt(8!) (1 - r / 3)),  r = d / (2 h)
 *
 * with cells of width d, which is chosen such that this is at most 1e-12 of
 * the density's peak. lp_density_direct() is the sum as it stands, to check.
 */
#ifndef LP_STATS_DENSITY_H
#define LP_STATS_DENSITY_H

#include <stdbool.h>
#include <stddef.h>

#define LP_DENSITY_POINTS 512 /* as R's density() */
/* The bandwidth is at least the range of the numbers by this. R has no such
   limit; with its 512 points it would see one in 40 bandwidths then. */
#define LP_DENSITY_NARROWEST 20000

struct lp_density {
	size_t n;
	double least, most; /* of the numbers */
	double sd, iqr;
	double narrowest; /* the bandwidth is at least this; 0: any */
	double bandwidth;
	/* At most so far is a density from the sum as it stands. */
	double error;
	struct lp_density_cells *cells;
};

/*
 * R's bw.nrd0, Silverman's rule of thumb: 0.9 min(sd, IQR / 1.34) n^(-1/5);
 * with what R does where that is 0, for which it takes the first number.
 */
double lp_bandwidth_nrd0(double sd, double iqr, size_t n, double first);

/*
 * n numbers, which are only read; the bandwidth is nrd0 times adjust. 0,
 * -EINVAL (fewer than two numbers, or one that is not finite) or -ENOMEM.
 */
int lp_density_init(struct lp_density *density, const double *x, size_t n,
		    double adjust);
/*
 * The same for numbers that were rounded: the bandwidth is at least
 * `narrowest`, and just that if all numbers are the same.
 */
int lp_density_init_rounded(struct lp_density *density, const double *x,
			    size_t n, double adjust, double narrowest);
/* Accepts a zeroed one. */
void lp_density_done(struct lp_density *density);

double lp_density_at(const struct lp_density *density, double t);
/* Its first derivative. */
double lp_density_slope(const struct lp_density *density, double t);
/* The sum as it stands, with compensation: n exponentials. */
double lp_density_direct(const double *x, size_t n, double bandwidth, double t);

/* Where R's density() takes its points: 3 bandwidths beyond the numbers. */
void lp_density_range(const struct lp_density *density, double *from,
		      double *to);
/* n points (2 or more) evenly over the range. */
void lp_density_grid(const struct lp_density *density, size_t n, double *at,
		     double *value);

struct lp_extremum {
	double at, value;
	bool is_maximum;
};

/*
 * All extrema over the range, by position: it begins and ends with a maximum,
 * and minima and maxima alternate. They are looked for at steps of a 512th of
 * the range or half a bandwidth, whichever is less, and found to 1e-9
 * bandwidths where the density is above 1e-12 of its peak. Two that are closer
 * than a step may be missed. *extrema is yours to free. 0 or -ENOMEM.
 */
int lp_density_extrema(const struct lp_density *density,
		       struct lp_extremum **extrema, size_t *n);

/*
 * The first t on the way from `from` to `to`, upwards or downwards, where the
 * density is no more than the value, to 1e-9 bandwidths; `to` when there is
 * none. Steps as above.
 */
double lp_density_falls_to(const struct lp_density *density, double from,
			   double to, double value);

#endif
