/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid's own detector costs: the four quantities of disks, one thread,
 * CPU time of the end of a block (its sums, all residuals, scores and grounds),
 * in nanoseconds for each component, quantity and window length. Made-up disks:
 * a level of each, noise from point to point, one in a hundred slow.
 *
 *     bench_own                   the report
 *     bench_own fast|plain N [B]  B blocks (20) of one group of N, to profile,
 *                                 after a full history
 */
#include "base/memory.h"
#include "detect/joint.h"
#include "detect/score.h"
#include "stats/random.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POINTS 10
#define WINDOWS LP_SCORE_WINDOWS
#define N_METRICS 5
/* A full history before anything is measured. */
#define WARM_BLOCKS 250

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t heap_bytes(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

/* ---- disks ---- */

struct world {
	struct lp_joint_setup setup;
	struct lp_metric metrics[N_METRICS];
	const struct lp_metric *list[N_METRICS];
	const struct lp_metric *quantities[8];
	struct lp_random random;
	double *rows; /* [N_METRICS][n] */
	struct lp_ground *grounds;
	void *state;
	size_t block, bytes;
	double take_s, judge_s; /* CPU time of one block, the least so far */
};

static void make_rows(struct world *w, double share)
{
	static const double level[N_METRICS] = { 200, 50, 9, 4000, 9000 };
	struct lp_random *r = &w->random;
	size_t n = w->setup.n;

	for (size_t i = 0; i < n; i++) {
		double slow = i % 100 == 42 && w->block % 60 > 30 ? 2 : 1;
		double work = exp(0.2 * lp_random_normal(r));

		for (size_t m = 0; m < N_METRICS; m++)
			w->rows[m * n + i] =
				level[m] * (m == 2 ? 1 : work) *
				(m == 0 || m == 2 ? slow : 1) *
				exp(share * 0.1 * lp_random_normal(r));
	}
}

static void open_world(struct world *w, size_t n, bool exact)
{
	static const enum lp_input inputs[N_METRICS] = {
		LP_INPUT_BUSY, LP_INPUT_REQUESTS, LP_INPUT_WAIT, LP_INPUT_IN,
		LP_INPUT_OUT
	};
	const struct lp_class *class = &lp_class_disk;
	size_t before;

	*w = (struct world){ .take_s = INFINITY, .judge_s = INFINITY };
	lp_random_init(&w->random, 11, n);
	for (size_t m = 0; m < N_METRICS; m++) {
		w->metrics[m].input = inputs[m];
		w->metrics[m].scale = 1;
		w->list[m] = &w->metrics[m];
	}
	for (size_t q = 0; q < class->n_quantities; q++)
		w->quantities[q] = &class->quantities[q];
	w->setup = (struct lp_joint_setup){ .n = n,
					    .metrics = w->list,
					    .n_metrics = N_METRICS,
					    .quantities = w->quantities,
					    .n_quantities = class->n_quantities,
					    .step_ns = LP_NS_PER_S,
					    .block_ns = POINTS * LP_NS_PER_S,
					    .limit = 6.1,
					    .exact = exact };
	w->rows = calloc(N_METRICS * n, sizeof(*w->rows));
	w->grounds = calloc(class->n_quantities * n, sizeof(*w->grounds));
	before = heap_bytes();
	w->state = lp_detector_limpid.joint->open(&w->setup);
	w->bytes = heap_bytes() - before;
	if (!w->rows || !w->grounds || !w->state)
		exit(1);
}

static void close_world(struct world *w)
{
	lp_detector_limpid.joint->close(w->state);
	free(w->rows);
	free(w->grounds);
}

/* The points of a block are alike: making them is what takes time here. */
static void run_block(struct world *w)
{
	const struct lp_joint *joint = lp_detector_limpid.joint;
	const double *rows[N_METRICS];
	double start, taken;

	make_rows(w, 1);
	for (size_t m = 0; m < N_METRICS; m++)
		rows[m] = w->rows + m * w->setup.n;
	start = cpu_s();
	for (size_t k = 0; k < POINTS; k++)
		if (joint->push(w->state, 0, rows) < 0)
			exit(1);
	taken = cpu_s();
	if (joint->judge(w->state, 0, w->grounds) < 0)
		exit(1);
	w->take_s = fmin(w->take_s, taken - start);
	w->judge_s = fmin(w->judge_s, cpu_s() - taken);
	w->block++;
}

static void run_blocks(struct world *w, size_t blocks)
{
	w->take_s = w->judge_s = INFINITY;
	for (size_t b = 0; b < blocks; b++)
		run_block(w);
}

static double cell_ns(const struct world *w)
{
	return w->judge_s * 1e9 /
	       (double)(w->setup.n * w->setup.n_quantities * WINDOWS);
}

/* ---- the report ---- */

static double report_plain(size_t n)
{
	struct world w;
	double ns;

	open_world(&w, n, true);
	run_blocks(&w, WARM_BLOCKS);
	run_blocks(&w, 3);
	ns = cell_ns(&w);
	printf("n = %6zu: plain %9.1f ns, %6.1f kB a disk\n", n, ns,
	       (double)w.bytes / (double)n / 1024);
	close_world(&w);
	return ns;
}

static double report_fast(size_t n)
{
	struct world w;
	double ns;

	open_world(&w, n, false);
	run_blocks(&w, WARM_BLOCKS);
	run_blocks(&w, n < 1000 ? 50 : 10);
	ns = cell_ns(&w);
	printf("n = %6zu: fast  %9.1f ns, %6.1f kB a disk, %.3f ms a block, "
	       "and %.3f ms to take its points\n",
	       n, ns, (double)w.bytes / (double)n / 1024, w.judge_s * 1e3,
	       w.take_s * 1e3);
	if (n == 100000)
		printf("  streaming: %.2f ms CPU a second (goal 15), state "
		       "%.2f GiB (goal 1.7)\n",
		       w.judge_s * 1e3 / POINTS,
		       (double)w.bytes / (1024.0 * 1024 * 1024));
	close_world(&w);
	return ns;
}

static void report(void)
{
	static const size_t sizes[] = { 6, 12, 96, 768, 9216, 100000 };
	double first = 0, last = 0;

	printf("ns for each component, quantity and window\n");
	for (size_t k = 0; k < lp_array_size(sizes); k++) {
		double plain = sizes[k] < 100 ? report_plain(sizes[k]) : 0;

		last = report_fast(sizes[k]);
		if (sizes[k] == 12)
			first = last;
		if (plain > 0)
			printf("  plain / fast: %.0f\n", plain / last);
	}
	printf("growth exponent from 12 to 100000: %.2f (goal 1.15)\n",
	       1 + log(last / first) / log(100000.0 / 12));
}

int main(int argc, char **argv)
{
	struct world w;

	if (argc < 3) {
		report();
		return 0;
	}
	open_world(&w, strtoul(argv[2], NULL, 10),
		   strcmp(argv[1], "plain") == 0);
	run_blocks(&w, WARM_BLOCKS);
	run_blocks(&w, argc > 3 ? strtoul(argv[3], NULL, 10) : 20);
	printf("%.1f ns, %zu bytes\n", cell_ns(&w), w.bytes);
	close_world(&w);
	return 0;
}
