/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/constants.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256
/* 32 MiB: as much as the values of a large block. */
#define MOST_CELLS ((size_t)1 << 22)

struct constant {
	uint64_t v;
	uint64_t *bits;
	size_t n;
};

static struct constant *slot_of(const struct constants *c, uint64_t v)
{
	size_t mask = c->n_slots - 1;
	size_t i = (v * 0x9e3779b97f4a7c15u >> 32) & mask;

	while (c->slots[i].bits && c->slots[i].v != v)
		i = (i + 1) & mask;
	return &c->slots[i];
}

static int rehash(struct constants *c)
{
	struct constants next = {
		.n_slots = c->n_slots ? c->n_slots * 2 : FIRST_SLOTS,
	};

	next.slots = calloc(next.n_slots, sizeof(*next.slots));
	if (!next.slots)
		return -1;
	for (size_t i = 0; i < c->n_slots; i++)
		if (c->slots[i].bits)
			*slot_of(&next, c->slots[i].v) = c->slots[i];
	free(c->slots);
	c->slots = next.slots;
	c->n_slots = next.n_slots;
	return 0;
}

uint64_t *lp_constants_get(struct constants *c, uint64_t v, size_t n)
{
	struct constant *slot;
	uint64_t *bits;

	if (c->count >= c->n_slots / 2 && rehash(c) < 0)
		return NULL;
	slot = slot_of(c, v);
	if (slot->bits && slot->n >= n)
		return slot->bits;
	bits = lp_pool_alloc(&c->pool, n * sizeof(*bits));
	if (!bits)
		return NULL;
	for (size_t i = 0; i < n; i++)
		bits[i] = v;
	c->count += !slot->bits;
	c->cells += n;
	*slot = (struct constant){ v, bits, n };
	return bits;
}

void lp_constants_trim(struct constants *c)
{
	if (c->cells <= MOST_CELLS)
		return;
	lp_pool_reset(&c->pool);
	memset(c->slots, 0, c->n_slots * sizeof(*c->slots));
	c->count = c->cells = 0;
}

void lp_constants_done(struct constants *c)
{
	lp_pool_done(&c->pool);
	free(c->slots);
	*c = (struct constants){ 0 };
}
