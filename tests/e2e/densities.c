/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What densities, clusters, quantiles and lines come out as, for
 * densities.R: fixed numbers and random ones. A line is a word and numbers.
 */
#include "base/memory.h"
#include "io/model/clusters.h"
#include "stats/density.h"
#include "stats/linear.h"
#include "stats/quantile.h"
#include "stats/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 6000

static void put(const char *word, const double *v, size_t n)
{
	fputs(word, stdout);
	for (size_t i = 0; i < n; i++)
		printf(" %.17g", v[i]);
	putchar('\n');
}

static void put_density(const double *x, size_t n, double adjust)
{
	double at[LP_DENSITY_POINTS], value[LP_DENSITY_POINTS];
	struct lp_extremum *extrema;
	struct lp_density d;
	size_t n_extrema;

	if (lp_density_init(&d, x, n, adjust) < 0 ||
	    lp_density_extrema(&d, &extrema, &n_extrema) < 0)
		exit(1);
	put("adjust", &adjust, 1);
	put("bandwidth", &d.bandwidth, 1);
	lp_density_grid(&d, LP_DENSITY_POINTS, at, value);
	put("at", at, LP_DENSITY_POINTS);
	put("value", value, LP_DENSITY_POINTS);
	fputs("extrema", stdout);
	for (size_t i = 0; i < n_extrema; i++)
		printf(" %.17g", extrema[i].at);
	fputs("\nheights", stdout);
	for (size_t i = 0; i < n_extrema; i++)
		printf(" %.17g", extrema[i].value);
	putchar('\n');
	free(extrema);
	lp_density_done(&d);
}

static void put_clusters(const double *x, size_t n)
{
	struct lp_io_clusters c;

	if (lp_io_clusters_init(&c, x, n) < 0)
		exit(1);
	fputs("peaks", stdout);
	for (size_t i = 0; i < c.n; i++)
		printf(" %.17g", c.cluster[i].peak);
	fputs("\nsplits", stdout);
	for (size_t i = 1; i < c.n; i++)
		printf(" %.17g", c.cluster[i].from);
	fputs("\ncounts", stdout);
	for (size_t i = 0; i < c.n; i++)
		printf(" %zu", c.cluster[i].n);
	printf("\nlimit %.17g\nslow %zu\n", c.limit, c.n_slow);
	lp_io_clusters_done(&c);
}

static void put_quantiles(const double *x, size_t n)
{
	static const double p[] = { 0, 0.05, 0.25, 0.5, 0.75, 0.99, 1 };
	static double copy[MOST];
	double q[lp_array_size(p)];

	for (size_t i = 0; i < lp_array_size(p); i++) {
		memcpy(copy, x, n * sizeof(*x));
		q[i] = lp_quantile(copy, n, p[i]);
	}
	put("quantiles", q, lp_array_size(p));
}

static void put_case(const char *name, const double *x, size_t n)
{
	printf("case %s\n", name);
	put("x", x, n);
	put_quantiles(x, n);
	put_density(x, n, 1);
	put_clusters(x, n);
	put_density(x, n, 2);
	puts("end");
}

/* ---- numbers ---- */

/* Log durations in ns: one to three clusters, a tail, ties by the clock. */
static size_t make_random(double *x, uint64_t seed)
{
	struct lp_random r;
	double middle[3], spread[3];
	size_t n, kinds;

	lp_random_init(&r, seed, 0);
	n = (size_t)(60 * pow(MOST / 60.0, lp_random_uniform(&r)));
	kinds = 1 + lp_random_u64(&r) % 3;
	for (size_t k = 0; k < kinds; k++) {
		middle[k] = 6 + 11 * lp_random_uniform(&r);
		spread[k] = 0.02 + 0.5 * lp_random_uniform(&r);
	}
	for (size_t i = 0; i < n; i++) {
		size_t k = lp_random_u64(&r) % kinds;
		double v = middle[k] + spread[k] * lp_random_normal(&r);

		if (lp_random_uniform(&r) < 0.02)
			v += 2 * lp_random_exponential(&r);
		/* A clock of 20 ns. */
		x[i] = log(20 * fmax(round(exp(v) / 20), 1));
	}
	return n;
}

static void put_line(uint64_t seed)
{
	struct lp_random r;
	double x[12], y[12], w[12], found[6];
	struct lp_line free_line, from, weighted;

	lp_random_init(&r, seed, 1);
	for (size_t i = 0; i < 12; i++) {
		x[i] = ldexp(1, (int)(2 * i));
		y[i] = 500 + 0.3 * x[i] * lp_random_lognormal(&r, 0.3);
		w[i] = 0.1 + lp_random_uniform(&r);
	}
	free_line = lp_line_fit(x, y, NULL, 12);
	from = lp_line_fit_from(x, y, NULL, 12, 450);
	weighted = lp_line_fit(x, y, w, 12);
	found[0] = free_line.intercept;
	found[1] = free_line.slope;
	found[2] = from.slope;
	found[3] = weighted.intercept;
	found[4] = weighted.slope;
	found[5] = lp_line_fit_from(x, y, w, 12, 450).slope;
	puts("case line");
	put("x", x, 12);
	put("y", y, 12);
	put("w", w, 12);
	put("line", found, 6);
	puts("end");
}

int main(void)
{
	static const double few[] = { 1, 1.5, 4, 4, 4.25, 9 };
	static double x[MOST];
	double same[60];

	put_case("few", few, lp_array_size(few));
	for (size_t i = 0; i < lp_array_size(same); i++)
		same[i] = 7.5;
	put_case("same", same, lp_array_size(same));
	for (uint64_t seed = 1; seed <= 14; seed++) {
		char name[32];

		snprintf(name, sizeof(name), "random%d", (int)seed);
		put_case(name, x, make_random(x, seed));
		put_line(seed);
	}
	return 0;
}
