/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chance that a seed repeats: splitmix64 (Steele, Lea and Flood 2014).
 */
#ifndef LAB_DISK_CHANCE_H
#define LAB_DISK_CHANCE_H

#include <stdint.h>

/* The next of the series; its first state is the seed. */
uint64_t lab_chance(uint64_t *state);
/* The same in [0, 1). */
double lab_chance_part(uint64_t *state);

#endif
