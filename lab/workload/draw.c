/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/draw.h"

uint64_t lab_draw_u64(struct lab_draw *draw)
{
	uint64_t z = draw->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void lab_draw_init(struct lab_draw *draw, uint64_t seed, uint64_t stream)
{
	/* Both are mixed: neighbours must not run after each other. */
	*draw = (struct lab_draw){ seed };
	draw->state = lab_draw_u64(draw) ^ stream;
	draw->state = lab_draw_u64(draw);
}

size_t lab_draw_below(struct lab_draw *draw, size_t n)
{
	/* What is above the last whole multiple of n is drawn again. */
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, x;

	do
		x = lab_draw_u64(draw);
	while (x >= limit);
	return (size_t)(x % n);
}

double lab_draw_uniform(struct lab_draw *draw)
{
	return (double)(lab_draw_u64(draw) >> 11) * 0x1p-53;
}
