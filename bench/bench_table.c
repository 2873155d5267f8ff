/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it costs to make a table of a recording: a server-day of 72 disks at
 * 1 s (12 busy, 12 intermittent, 48 idle; and all busy) to the eight classic
 * metrics at several steps, beside the plainest loop that only adds up the
 * same values. CPU time, one core.
 *
 *     bench_table [HOURS]          default: 4
 */
#include "server_day.h"

#include "base/memory.h"
#include "table/metric_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define METRICS 8
#define BLOCK_S 600

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct sum {
	struct lp_metric_plan plan[METRICS];
	double total;
	size_t n;
};

static int add_metrics(void *user, const struct lp_span *span,
		       struct lp_error *err)
{
	struct sum *sum = user;
	double value[1024];

	(void)err;
	for (size_t m = 0; m < METRICS; m++) {
		struct lp_metric_plan *plan = &sum->plan[m];

		if (plan->n_columns != span->n_columns)
			lp_metric_plan(plan, &lp_class_disk.metrics[m],
				       span->columns, span->n_columns);
		if (!lp_metric_evaluate(plan, span, value))
			continue;
		for (size_t i = 0; i < span->n_points; i++)
			sum->total += isnan(value[i]) ? 0 : value[i];
		sum->n += span->n_points;
	}
	return 0;
}

/* What any reader of the values must at least do. */
static double floor_s(const struct lp_chunk *chunk, uint64_t *sum)
{
	const struct lp_panel *panel = &chunk->panels[0];
	double start = cpu_s();

	for (size_t s = 0; s < panel->n_series; s++)
		for (size_t c = 0; c < panel->n_columns; c++)
			for (size_t i = 0; i < chunk->n_samples; i++)
				*sum += panel->series[s].values[c].bits[i];
	return cpu_s() - start;
}

struct run {
	int64_t step_s;
	struct sum sum;
	struct lp_steps *steps;
	double seconds;
};

static void begin(struct run *run)
{
	struct lp_steps_options options = {
		.step_ns = run->step_s * LP_NS_PER_S,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.sink = add_metrics,
		.user = &run->sum,
	};

	run->steps = lp_steps_new(&options);
	if (!run->steps)
		exit(1);
}

static void take(struct run *run, const struct lp_chunk *chunk)
{
	const struct lp_item item = { .kind = LP_ITEM_CHUNK, .chunk = chunk };
	struct lp_error err;
	double start = cpu_s();

	if (lp_steps_put(run->steps, &item, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	run->seconds += cpu_s() - start;
}

static void measure(const char *what, size_t hours, size_t busy,
		    size_t intermittent)
{
	struct server_day *day =
		server_day_new(DAY_DEVICES, busy, intermittent);
	struct run runs[] = { { .step_s = 1 },
			      { .step_s = 15 },
			      { .step_s = 60 } };
	double floor = 0, values = 0;
	uint64_t sum = 0;

	for (size_t r = 0; r < lp_array_size(runs); r++)
		begin(&runs[r]);
	for (size_t i = 0; i < hours * 3600 / BLOCK_S; i++) {
		const struct lp_chunk *chunk = server_day_next(day, BLOCK_S);

		values += (double)DAY_DEVICES * DAY_COUNTERS * BLOCK_S;
		floor += floor_s(chunk, &sum);
		for (size_t r = 0; r < lp_array_size(runs); r++)
			take(&runs[r], chunk);
	}
	printf("%s: adding up %.0f M values/s (%llu)\n", what,
	       values / floor / 1e6, (unsigned long long)(sum & 0xff));
	for (size_t r = 0; r < lp_array_size(runs); r++) {
		printf("%s: step %2lld s: %.0f M values/s, %.1f times that, "
		       "%zu metric values\n",
		       what, (long long)runs[r].step_s,
		       values / runs[r].seconds / 1e6, runs[r].seconds / floor,
		       runs[r].sum.n);
		lp_steps_free(runs[r].steps);
	}
	server_day_free(day);
}

int main(int argc, char **argv)
{
	size_t hours = argc > 1 ? strtoul(argv[1], NULL, 10) : 4;

	measure("typical", hours, 12, 12);
	measure("all busy", hours, DAY_DEVICES, 0);
	return 0;
}
