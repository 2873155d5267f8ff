/* SPDX-License-Identifier: Apache-2.0 */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, 32 bit: short keys, no adversary. */
static uint32_t hash_bytes(const char *text, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h;
}

/* The slot that holds the text, or the free one where it would go. */
static uint32_t *slot_of(const struct lp_names *names, const char *text,
			 size_t n)
{
	uint32_t mask = names->n_slots - 1;
	uint32_t i = hash_bytes(text, n) & mask;

	while (names->slots[i]) {
		const char *have = names->text[names->slots[i] - 1];

		if (strncmp(have, text, n) == 0 && have[n] == '\0')
			break;
		i = (i + 1) & mask;
	}
	return &names->slots[i];
}

static int rehash(struct lp_names *names)
{
	uint32_t n_slots = names->n_slots ? names->n_slots * 2 : 64;
	uint32_t *slots = calloc(n_slots, sizeof(*slots));

	if (!slots)
		return -1;
	free(names->slots);
	names->slots = slots;
	names->n_slots = n_slots;
	for (uint32_t i = 0; i < names->count; i++) {
		const char *text = names->text[i];

		*slot_of(names, text, strlen(text)) = i + 1;
	}
	return 0;
}

uint32_t lp_names_add_n(struct lp_names *names, const char *text, size_t n)
{
	uint32_t *slot;
	char *copy;

	n = strnlen(text, n);
	if (names->count >= names->n_slots / 2 && rehash(names) < 0)
		return LP_NAME_NONE;
	slot = slot_of(names, text, n);
	if (*slot)
		return *slot - 1;
	if (lp_grow(&names->text, &names->text_capacity,
		    (size_t)names->count + 1, sizeof(*names->text)) < 0)
		return LP_NAME_NONE;
	copy = lp_arena_string_n(&names->arena, text, n);
	if (!copy)
		return LP_NAME_NONE;
	names->text[names->count] = copy;
	*slot = ++names->count;
	return names->count - 1;
}

uint32_t lp_names_add(struct lp_names *names, const char *text)
{
	return lp_names_add_n(names, text, strlen(text));
}

uint32_t lp_names_find_n(const struct lp_names *names, const char *text,
			 size_t n)
{
	uint32_t *slot;

	if (!names->n_slots)
		return LP_NAME_NONE;
	slot = slot_of(names, text, strnlen(text, n));
	return *slot ? *slot - 1 : LP_NAME_NONE;
}

uint32_t lp_names_find(const struct lp_names *names, const char *text)
{
	return lp_names_find_n(names, text, strlen(text));
}

void lp_names_done(struct lp_names *names)
{
	lp_arena_done(&names->arena);
	free(names->text);
	free(names->slots);
	*names = (struct lp_names){ 0 };
}
