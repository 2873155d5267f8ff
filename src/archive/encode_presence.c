/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Presence bitmaps. Columns of a series come and go together, so each distinct
 * bitmap of a panel is kept once and named by its number.
 */
#include "archive/encode.h"

#include "base/crc32c.h"
#include "base/names.h"

#include <stdlib.h>

#define FIRST_SLOTS 64

void lp_presence_reset(struct presence_set *set, size_t n_samples)
{
	set->bitmaps.size = 0;
	set->n_samples = n_samples;
	set->bitmap_bytes = (n_samples + 7) / 8;
	set->count = 0;
	if (set->n_slots)
		memset(set->slots, 0, set->n_slots * sizeof(*set->slots));
}

void lp_presence_done(struct presence_set *set)
{
	lp_buffer_done(&set->bitmaps);
	free(set->slots);
}

static const uint8_t *bitmap(const struct presence_set *set, size_t i)
{
	return set->bitmaps.data + i * set->bitmap_bytes;
}

static uint32_t *slot_of(struct presence_set *set, const uint8_t *bits)
{
	size_t mask = set->n_slots - 1;
	size_t i = lp_crc32c(0, bits, set->bitmap_bytes) & mask;

	while (set->slots[i] && memcmp(bitmap(set, set->slots[i] - 1), bits,
				       set->bitmap_bytes) != 0)
		i = (i + 1) & mask;
	return &set->slots[i];
}

static bool rehash(struct presence_set *set)
{
	size_t n = set->n_slots ? set->n_slots * 2 : FIRST_SLOTS;

	if (lp_grow(&set->slots, &set->slots_capacity, n, sizeof(*set->slots)) <
	    0)
		return false;
	set->n_slots = n;
	memset(set->slots, 0, n * sizeof(*set->slots));
	for (uint32_t i = 0; i < set->count; i++)
		*slot_of(set, bitmap(set, i)) = i + 1;
	return true;
}

static void pack(const uint8_t *present, size_t n, uint8_t *bits)
{
	for (size_t i = 0; i < n; i++)
		bits[i / 8] |= (uint8_t)((present[i] != 0) << i % 8);
}

/* The bitmap, put behind the others; forgotten again if it is known. */
static uint32_t add_bitmap(struct presence_set *set, const uint8_t *present)
{
	size_t before = set->bitmaps.size;
	uint8_t *bits = lp_buffer_extend(&set->bitmaps, set->bitmap_bytes);
	uint32_t *slot;

	if (!bits || (set->count >= set->n_slots / 2 && !rehash(set))) {
		set->failed = true;
		return PRESENCE_NONE;
	}
	memset(bits, 0, set->bitmap_bytes);
	pack(present, set->n_samples, bits);
	slot = slot_of(set, bits);
	if (*slot)
		set->bitmaps.size = before;
	else
		*slot = ++set->count;
	return *slot;
}

uint32_t lp_presence_add(struct presence_set *set, const uint8_t *present)
{
	if (!present || !memchr(present, 0, set->n_samples))
		return PRESENCE_ALL;
	if (!memchr(present, 1, set->n_samples))
		return PRESENCE_NONE;
	return add_bitmap(set, present);
}

void lp_presence_finish(struct presence_set *set, struct lp_buffer *out)
{
	lp_buffer_varint(out, set->count);
	lp_buffer_put(out, set->bitmaps.data, set->bitmaps.size);
}
