/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers that are the same everywhere: xoshiro256** (Blackman and
 * Vigna 2018), its state filled by splitmix64 from a seed and the number of a
 * stream. Streams of one seed are independent for all purposes here, so that
 * every simulated device has its own and order does not matter.
 */
#ifndef LP_STATS_RANDOM_H
#define LP_STATS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct lp_random {
	uint64_t state[4];
	double spare; /* the second of a pair of normals */
	bool has_spare;
};

void lp_random_init(struct lp_random *random, uint64_t seed, uint64_t stream);

uint64_t lp_random_u64(struct lp_random *random);
/* In [0, 1), 53 bits. */
double lp_random_uniform(struct lp_random *random);
/* Mean 0, standard deviation 1: Marsaglia's polar method. */
double lp_random_normal(struct lp_random *random);
/* Mean 1. */
double lp_random_exponential(struct lp_random *random);
/* exp(sigma * normal): its median is 1. */
double lp_random_lognormal(struct lp_random *random, double sigma);
/* At least 1, heavy-tailed: P(X > x) = x^-alpha. */
double lp_random_pareto(struct lp_random *random, double alpha);
/* Exact below a mean of 30, above that a rounded normal. */
double lp_random_poisson(struct lp_random *random, double mean);

#endif
