/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The durations of reads, writes and copies, sorted by operation and size: what
 * a density is made of.
 */
#ifndef LP_IO_MODEL_DURATIONS_H
#define LP_IO_MODEL_DURATIONS_H

#include "io/model/operation.h"

#include <stdbool.h>

struct lp_io_series {
	uint8_t kind;    /* LP_IO_READ or LP_IO_WRITE */
	int64_t bytes;   /* done by each */
	double *log_ns;  /* by lp_io_log_coarse() */
	int64_t time_ns; /* of all, as they were given */
	size_t n, capacity;
};

/* Zero-initialise to begin. */
struct lp_io_durations {
	struct lp_io_series *series;
	size_t n, capacity;
	int64_t resolution_ns; /* the coarsest of the traces */
	uint32_t *slots;       /* open addressing; number + 1, or 0 */
	size_t n_slots;
};

/* A read or write that did something: what can be judged by its duration. */
static inline bool lp_io_is_judged(const struct lp_io_operation *operation)
{
	return operation->kind <= LP_IO_WRITE && operation->result > 0 &&
	       operation->duration_ns >= 0;
}

/* The same, and copies: what can be compared with others of its size. */
static inline bool lp_io_is_compared(const struct lp_io_operation *operation)
{
	return (operation->kind <= LP_IO_WRITE ||
		operation->kind == LP_IO_COPY ||
		operation->kind == LP_IO_SPLICE) &&
	       operation->result > 0 && operation->duration_ns >= 0;
}

/* All operations of the trace that are compared. 0 or -ENOMEM. */
int lp_io_durations_add(struct lp_io_durations *durations,
			const struct lp_io_trace *trace);
/* Reads before writes, small before large. */
void lp_io_durations_sort(struct lp_io_durations *durations);
/* NULL: there is none. */
const struct lp_io_series *lp_io_durations_find(
	const struct lp_io_durations *durations, uint8_t kind, int64_t bytes);
void lp_io_durations_done(struct lp_io_durations *durations);

#endif
