/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What peer comparison costs (method cdf, one metric, one thread, CPU time,
 * from samples to flags): the thesis's load, two groups of 768 and two of 384
 * over a day at 15 s; how cost grows with the group; and what a second of
 * streaming costs. Made-up latencies: a level that all share, noise of each
 * component's own, heavy tails, idle times, one component in a hundred slow for
 * a sixth of the time.
 *
 *     bench_peers              the report
 *     bench_peers thesis       its first part only, to profile or repeat
 *     bench_peers streaming    its last part only
 *     bench_peers data N       the samples of a group of N as doubles, row by
 *                              row, to standard output (for peers.R)
 */
#include "base/memory.h"
#include "detect/engine.h"
#include "stats/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP_NS (INT64_C(15) * 1000000000)
#define DAY_POINTS 5760
/* Rows made at a time, so that making them is not measured. */
#define BLOCK_ROWS 240

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct maker {
	struct lp_random random;
	size_t n, point;
	double level; /* logarithm of what all share */
};

static void make_row(struct maker *m, double *row)
{
	struct lp_random *r = &m->random;
	bool idle = m->point / 480 % 4 == 3;
	bool slow = m->point / 960 % 6 == 1;

	m->level = 0.98 * m->level + 0.1 * lp_random_normal(r);
	for (size_t i = 0; i < m->n; i++) {
		double v = exp(m->level + 0.5 * lp_random_normal(r));

		if (lp_random_uniform(r) < 0.01)
			v *= lp_random_pareto(r, 1.5);
		if (slow && i % 100 == 42)
			v *= 5;
		row[i] = idle && lp_random_uniform(r) < 0.9 ? 0 : v;
	}
	m->point++;
}

static struct maker maker_of(size_t n)
{
	struct maker m = { .n = n };

	lp_random_init(&m.random, 11, n);
	return m;
}

struct seen {
	size_t windows, flags;
};

struct run {
	size_t n, points;
	bool exact;
	struct seen seen;
};

static int see(void *user, const struct lp_judged *judged)
{
	struct run *run = user;

	run->seen.windows++;
	for (size_t i = 0; i < run->n; i++)
		run->seen.flags += judged->verdicts[i].flag;
	return 0;
}

static double push_block(struct lp_engine *e, struct run *run,
			 const double *rows, size_t first, size_t n_rows)
{
	double start = cpu_s();

	for (size_t k = 0; k < n_rows; k++)
		if (lp_engine_push(e, (int64_t)(first + k + 1) * STEP_NS,
				   rows + k * run->n, see, run) < 0)
			exit(1);
	return cpu_s() - start;
}

static double seconds(struct run *run)
{
	struct lp_engine_options options = { .detector = &lp_detector_cdf,
					     .n = run->n,
					     .step_ns = STEP_NS,
					     .floor.idle = 1,
					     .exact = run->exact };
	struct lp_engine *e = lp_engine_new(&options);
	double *rows = calloc(BLOCK_ROWS * run->n, sizeof(*rows));
	struct maker maker = maker_of(run->n);
	double sum = 0;

	if (!e || !rows)
		exit(1);
	run->seen = (struct seen){ 0 };
	for (size_t done = 0; done < run->points; done += BLOCK_ROWS) {
		for (size_t k = 0; k < BLOCK_ROWS; k++)
			make_row(&maker, rows + k * run->n);
		sum += push_block(e, run, rows, done, BLOCK_ROWS);
	}
	free(rows);
	lp_engine_free(e);
	return sum;
}

static double best_of(struct run *run, int times)
{
	double best = INFINITY;

	for (int i = 0; i < times; i++)
		best = fmin(best, seconds(run));
	return best;
}

static void report_thesis(void)
{
	struct run large = { .n = 768, .points = DAY_POINTS };
	struct run small = { .n = 384, .points = DAY_POINTS };
	double total = 2 * best_of(&large, 3) + 2 * best_of(&small, 3);

	printf("thesis load, 2 x 768 + 2 x 384, %zu windows: %.3f s CPU "
	       "(goal 0.5)\n",
	       large.seen.windows, total);
	printf("  flags in 768: %zu of %zu\n", large.seen.flags,
	       large.n * large.seen.windows);
}

static void report_exact(void)
{
	struct run large = { .n = 768, .points = DAY_POINTS, .exact = true };

	printf("  all pairs with all distances, 768: %.3f s\n",
	       seconds(&large));
}

static void report_growth(void)
{
	static const size_t sizes[] = { 96, 384, 768, 2304, 9216 };
	double first = 0, last = 0;

	for (size_t k = 0; k < lp_array_size(sizes); k++) {
		struct run run = { .n = sizes[k], .points = 1920 };

		last = best_of(&run, k < 3 ? 3 : 1);
		if (k == 0)
			first = last;
		printf("n = %5zu: %8.2f us a component and window\n", sizes[k],
		       last * 1e6 / (double)(sizes[k] * run.seen.windows));
	}
	printf("growth exponent from 96 to 9216: %.2f (goal 1.3)\n",
	       log(last / first) / log(9216.0 / 96));
}

static void report_streaming(void)
{
	static const size_t sizes[] = { 1000, 10000, 100000 };

	for (size_t k = 0; k < lp_array_size(sizes); k++) {
		struct run run = { .n = sizes[k], .points = BLOCK_ROWS };
		double one = seconds(&run);
		double three = one + seconds(&run) + seconds(&run);
		double scale = 1e3 / (double)run.points;

		printf("streaming %6zu components, a row a second: %.3f ms CPU "
		       "a second, three metrics %.3f\n",
		       sizes[k], one * scale, three * scale);
	}
}

static int write_data(size_t n)
{
	struct maker maker = maker_of(n);
	double *row = calloc(n, sizeof(*row));

	if (!row)
		return 1;
	for (size_t k = 0; k < DAY_POINTS; k++) {
		make_row(&maker, row);
		if (fwrite(row, sizeof(*row), n, stdout) != n)
			return 1;
	}
	free(row);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "data") == 0)
		return write_data(strtoul(argv[2], NULL, 10));
	if (argc == 2 && strcmp(argv[1], "streaming") == 0) {
		report_streaming();
		return 0;
	}
	report_thesis();
	if (argc == 2 && strcmp(argv[1], "thesis") == 0)
		return 0;
	report_exact();
	report_growth();
	report_streaming();
	return 0;
}
