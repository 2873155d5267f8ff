/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far two servers' profiles are apart.
 *
 * S3 (behaviour-based diagnosis) adds the differences of all functions up, the
 * Manhattan distance. At 99 samples a second most of that is chance. `excess`
 * takes off what chance and custom explain:
 *
 *     d(p,q) = sum over f of max(0, |p_f - q_f| - 3 sqrt(v_f))
 *     v_f    = var p_f + var q_f + 1 + 2 sigma_f^2
 *
 * where sigma_f is how much function f usually differs among these peers.
 * Variances are those of counts (Poisson), or what training found.
 */
#ifndef LP_BEHAVIOR_EXCESS_H
#define LP_BEHAVIOR_EXCESS_H

#include <stddef.h>

#define LP_EXCESS_SIGMAS 3.0

/* Profiles of some hosts in a window: [host][function]. */
struct lp_vectors {
	size_t n_hosts, n_functions;
	const double *value;
	const double *variance; /* of each value, by chance */
	const double *sigma;    /* of each function; NULL: 0 */
};

/* Of two hosts. */
double lp_excess(const struct lp_vectors *vectors, size_t a, size_t b);
double lp_manhattan(const struct lp_vectors *vectors, size_t a, size_t b);

/*
 * Each host's median distance to the others; scratch has room for n_hosts.
 */
typedef double lp_distance(const struct lp_vectors *vectors, size_t a,
			   size_t b);
void lp_median_distances(const struct lp_vectors *vectors,
			 lp_distance *distance, double *scratch,
			 double *median);

/* 1.4826 MAD of a function over the hosts; scratch as above. */
double lp_spread(const double *values, size_t n, double *scratch);

#endif
