/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the density of many durations costs, and the classification of many
 * operations: one thread, CPU time, the best of several rounds.
 *
 *     bench_density            the report
 *     bench_density data N     N log durations as doubles, to standard output
 *                              (for density.R)
 */
#include "base/memory.h"
#include "io/model/classify.h"
#include "io/model/clusters.h"
#include "stats/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 7

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Cached, uncached, and a tail. */
static double *make_durations(size_t n)
{
	double *x = malloc(n * sizeof(*x));
	struct lp_random r;

	lp_random_init(&r, 1, 0);
	for (size_t i = 0; x && i < n; i++) {
		double kind = lp_random_uniform(&r);

		if (kind < 0.7)
			x[i] = log(2e3) + 0.15 * lp_random_normal(&r);
		else if (kind < 0.99)
			x[i] = log(1e5) + 0.5 * lp_random_normal(&r);
		else
			x[i] = log(1e6) + lp_random_exponential(&r);
	}
	return x;
}

/* ---- densities ---- */

/* What R's density() gives: the bandwidth and 512 points. */
static void density(size_t n)
{
	double at[LP_DENSITY_POINTS], value[LP_DENSITY_POINTS];
	double best = INFINITY, clusters = INFINITY;
	double *x = make_durations(n);

	for (int i = 0; x && i < ROUNDS; i++) {
		double start = cpu_s();
		struct lp_io_clusters c;
		struct lp_density d;

		lp_density_init(&d, x, n, 2);
		lp_density_grid(&d, LP_DENSITY_POINTS, at, value);
		best = fmin(best, cpu_s() - start);
		lp_density_done(&d);
		start = cpu_s();
		lp_io_clusters_init(&c, x, n);
		clusters = fmin(clusters, cpu_s() - start);
		lp_io_clusters_done(&c);
	}
	printf("density of %zu: %.2f ms; with clusters and slow ones %.2f ms\n",
	       n, best * 1e3, clusters * 1e3);
	free(x);
}

/* ---- classification ---- */

static void make_model(struct lp_io_model *m, size_t factors)
{
	*m = (struct lp_io_model){ .beyond = "uncached", .reference = "" };
	m->factor = lp_arena_alloc(&m->arena, factors * sizeof(*m->factor));
	for (size_t i = 0; i < factors; i++) {
		struct lp_io_factor *f = &m->factor[m->n_factors++];
		char name[16];

		snprintf(name, sizeof(name), "factor%zu", i);
		f->name = lp_arena_string(&m->arena, name);
		f->kind = LP_IO_READ;
		f->small.line = (struct lp_line){ 300.0 * (double)(i + 1),
						  0.02 * (double)(i + 1) };
		f->large.line = (struct lp_line){ 400.0 * (double)(i + 1),
						  0.05 * (double)(i + 1) };
	}
}

static struct lp_io_operation *make_operations(size_t n, bool any_size)
{
	struct lp_io_operation *o = calloc(n, sizeof(*o));
	struct lp_random r;

	lp_random_init(&r, 2, 0);
	for (size_t i = 0; o && i < n; i++) {
		uint64_t bits = lp_random_u64(&r);

		o[i].result = any_size ? 1 + (int64_t)(bits & 0xffffff)
				       : INT64_C(1) << (bits % 25);
		o[i].duration_ns = (int64_t)((500 + 0.1 * (double)o[i].result) *
					     lp_random_lognormal(&r, 1));
	}
	return o;
}

static double best_of(const struct lp_io_classifier *c,
		      const struct lp_io_operation *o, size_t n, uint8_t *class,
		      bool plain)
{
	double best = INFINITY;

	for (int round = 0; round < ROUNDS; round++) {
		double start = cpu_s();

		if (plain)
			for (size_t i = 0; i < n; i++)
				class[i] = lp_io_class_plain(c, &o[i]);
		else
			lp_io_classify(c, o, n, class);
		best = fmin(best, cpu_s() - start);
	}
	return best;
}

static void classify(size_t factors, bool any_size)
{
	size_t n = 4000000;
	lp_auto_free struct lp_io_operation *o = make_operations(n, any_size);
	lp_auto_free uint8_t *class = malloc(n), *again = malloc(n);
	struct lp_io_classifier c;
	struct lp_io_model m;
	double fast, plain;

	make_model(&m, factors);
	lp_io_classifier_init(&c, &m);
	if (!o || !class || !again)
		exit(1);
	fast = best_of(&c, o, n, class, false);
	plain = best_of(&c, o, n, again, true);
	printf("classification by %zu factors, %s: %.0f M operations/s; one by "
	       "one %.0f M/s; %s\n",
	       factors, any_size ? "any size" : "25 sizes",
	       (double)n / fast / 1e6, (double)n / plain / 1e6,
	       memcmp(class, again, n) == 0 ? "the same" : "DIFFERENT");
	lp_io_model_done(&m);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "data") == 0) {
		size_t n = (size_t)strtod(argv[2], NULL);
		double *x = make_durations(n);

		if (!x || fwrite(x, sizeof(*x), n, stdout) != n)
			return 1;
		free(x);
		return 0;
	}
	density(1000000);
	density(10000000);
	classify(4, false);
	classify(4, true);
	classify(12, false);
	return 0;
}
