/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/pool.h"

#include "base/memory.h"

#include <stdlib.h>

#define ALIGN 64
#define SLAB_BYTES (1u << 20)

struct pool_slab {
	uint8_t *bytes;
	size_t size, used;
};

static struct pool_slab *add_slab(struct pool *pool, size_t size)
{
	struct pool_slab slab = { .size = size > SLAB_BYTES ? size
							    : SLAB_BYTES };

	if (lp_grow(&pool->slabs, &pool->capacity, pool->count + 1,
		    sizeof(slab)) < 0)
		return NULL;
	slab.bytes = aligned_alloc(ALIGN, slab.size);
	if (!slab.bytes)
		return NULL;
	pool->slabs[pool->count] = slab;
	pool->current = pool->count++;
	return &pool->slabs[pool->current];
}

void *lp_pool_alloc(struct pool *pool, size_t size)
{
	struct pool_slab *slab = NULL;
	void *piece;

	if (size > SIZE_MAX - ALIGN)
		return NULL;
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	for (; pool->current < pool->count; pool->current++) {
		slab = &pool->slabs[pool->current];
		if (slab->size - slab->used >= size)
			break;
	}
	if (pool->current == pool->count)
		slab = add_slab(pool, size);
	if (!slab)
		return NULL;
	piece = slab->bytes + slab->used;
	slab->used += size;
	return piece;
}

void lp_pool_reset(struct pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		pool->slabs[i].used = 0;
	pool->current = 0;
}

void lp_pool_done(struct pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->slabs[i].bytes);
	free(pool->slabs);
	*pool = (struct pool){ 0 };
}
