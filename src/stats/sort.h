/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting many whole numbers, in time that does not depend on their order. */
#ifndef LP_STATS_SORT_H
#define LP_STATS_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ascending. `scratch` has n places. */
void lp_sort_u32(uint32_t *x, size_t n, uint32_t *scratch);

#endif
