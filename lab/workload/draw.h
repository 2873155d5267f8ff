/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random choices, the same on every machine: splitmix64 (Steele,
 * Lea, Flood 2014), which is enough for a shuffle of some hundred runs.
 */
#ifndef LAB_WORKLOAD_DRAW_H
#define LAB_WORKLOAD_DRAW_H

#include <stddef.h>
#include <stdint.h>

struct lab_draw {
	uint64_t state;
};

/* Streams of one seed are apart: one for the order, one for the victims. */
void lab_draw_init(struct lab_draw *draw, uint64_t seed, uint64_t stream);
uint64_t lab_draw_u64(struct lab_draw *draw);
/* From 0 to n - 1, each alike; n is at least 1. */
size_t lab_draw_below(struct lab_draw *draw, size_t n);
/* In [0, 1). */
double lab_draw_uniform(struct lab_draw *draw);

#endif
