/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/random.h"

#include <math.h>

#define POISSON_EXACT 30.0

/* One step of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void lp_random_init(struct lp_random *random, uint64_t seed, uint64_t stream)
{
	uint64_t x = seed;

	/* Both are mixed first: neighbours must not share their state. */
	x = splitmix(&x) ^ stream;
	x = splitmix(&x);
	*random = (struct lp_random){ 0 };
	for (int i = 0; i < 4; i++)
		random->state[i] = splitmix(&x);
}

static uint64_t rotate(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

uint64_t lp_random_u64(struct lp_random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

double lp_random_uniform(struct lp_random *random)
{
	return (double)(lp_random_u64(random) >> 11) * 0x1p-53;
}

double lp_random_normal(struct lp_random *random)
{
	double u, v, q, f;

	if (random->has_spare) {
		random->has_spare = false;
		return random->spare;
	}
	do {
		u = 2 * lp_random_uniform(random) - 1;
		v = 2 * lp_random_uniform(random) - 1;
		q = u * u + v * v;
	} while (q >= 1 || q == 0);
	f = sqrt(-2 * log(q) / q);
	random->spare = v * f;
	random->has_spare = true;
	return u * f;
}

double lp_random_exponential(struct lp_random *random)
{
	return -log1p(-lp_random_uniform(random));
}

double lp_random_lognormal(struct lp_random *random, double sigma)
{
	return exp(sigma * lp_random_normal(random));
}

double lp_random_pareto(struct lp_random *random, double alpha)
{
	return pow(1 - lp_random_uniform(random), -1 / alpha);
}

/* Knuth: how many uniforms until their product is below e^-mean. */
static double small_poisson(struct lp_random *random, double mean)
{
	double limit = exp(-mean), product = lp_random_uniform(random), n = 0;

	for (; product > limit; n++)
		product *= lp_random_uniform(random);
	return n;
}

double lp_random_poisson(struct lp_random *random, double mean)
{
	double x;

	if (!(mean > 0))
		return 0;
	if (mean < POISSON_EXACT)
		return small_poisson(random, mean);
	x = floor(mean + sqrt(mean) * lp_random_normal(random) + 0.5);
	return x > 0 ? x : 0;
}
