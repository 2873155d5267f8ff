/* SPDX-License-Identifier: Apache-2.0 */
/* Traces made in memory, for tests. */
#ifndef LP_TESTS_IOTOY_H
#define LP_TESTS_IOTOY_H

#include "io/model/operation.h"
#include "stats/random.h"

#include <math.h>
#include <stdlib.h>

struct toy {
	struct lp_io_trace trace;
	struct lp_io_file file;
	struct lp_io_task task;
	size_t capacity;
	struct lp_random random;
};

static void toy_begin(struct toy *toy, size_t capacity, uint64_t seed)
{
	*toy = (struct toy){ .file = { "/scratch/data" },
			     .task = { 100, 100 },
			     .capacity = capacity };
	toy->trace = (struct lp_io_trace){
		.host = "node1",
		.command = "./app",
		.start_ns = INT64_C(1794775514000000000),
		.file = &toy->file,
		.n_files = 1,
		.task = &toy->task,
		.n_tasks = 1,
		.operation = calloc(capacity, sizeof(struct lp_io_operation)),
	};
	lp_random_init(&toy->random, seed, 0);
}

static struct lp_io_operation *toy_add(struct toy *toy, uint8_t kind,
				       int64_t bytes, double ns)
{
	struct lp_io_trace *t = &toy->trace;
	struct lp_io_operation *o = &t->operation[t->n_operations];
	const struct lp_io_operation *before = t->n_operations ? o - 1 : NULL;

	*o = (struct lp_io_operation){
		.start_ns =
			before ? before->start_ns + before->duration_ns + 100
			       : 0,
		.duration_ns = (int64_t)ns,
		.size = bytes,
		.result = bytes,
		.kind = kind,
	};
	t->n_operations++;
	return o;
}

/* n operations that take intercept + slope * bytes, give or take a tenth; one
   in two hundred takes ten times as long. */
static inline void toy_fill(struct toy *toy, uint8_t kind, int64_t bytes,
			    size_t n, double intercept, double slope)
{
	for (size_t i = 0; i < n; i++) {
		double ns = (intercept + slope * (double)bytes) *
			    lp_random_lognormal(&toy->random, 0.1);

		toy_add(toy, kind, bytes, i % 200 == 7 ? 10 * ns : ns);
	}
}

static void toy_end(struct toy *toy)
{
	free(toy->trace.operation);
}

#endif
