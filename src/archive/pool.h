/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of large arrays, all forgotten at once. Unlike an arena it keeps all
 * its memory, so that reading block after block touches no new page.
 */
#ifndef LP_ARCHIVE_POOL_H
#define LP_ARCHIVE_POOL_H

#include <stddef.h>
#include <stdint.h>

struct pool_slab;

/* Zero-initialise to begin. */
struct pool {
	struct pool_slab *slabs;
	size_t count, capacity;
	size_t current;
};

/* Not cleared, aligned to 64 bytes; NULL: out of memory. */
void *lp_pool_alloc(struct pool *pool, size_t size);
void lp_pool_reset(struct pool *pool);
void lp_pool_done(struct pool *pool);

#endif
