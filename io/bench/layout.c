/* SPDX-License-Identifier: Apache-2.0 */
#include "io/bench/layout.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "8M,1M" or "8M": how many were there; 0: not so. */
static int parse_pair(const char *text, uint64_t *first, uint64_t *second)
{
	size_t n = strcspn(text, ",");

	*second = 0;
	if (lp_parse_bytes(text, n, first) < 0)
		return 0;
	if (!text[n])
		return 1;
	return lp_parse_bytes(text + n + 1, strlen(text + n + 1), second) < 0
		       ? 0
		       : 2;
}

int lp_layout_parse(const char *text, struct lp_layout *layout)
{
	static const struct {
		const char *name;
		enum lp_layout_kind kind;
	} plain[] = {
		{ "off0", LP_LAYOUT_OFF0 },
		{ "seq", LP_LAYOUT_SEQ },
		{ "reverse", LP_LAYOUT_REVERSE },
		{ "rnd", LP_LAYOUT_RND },
	};
	struct lp_layout l = { 0 };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (strcmp(text, plain[i].name) == 0) {
			*layout = (struct lp_layout){ .kind = plain[i].kind };
			return 0;
		}
	if (strncmp(text, "stride", 6) == 0 &&
	    parse_pair(text + 6, &l.stride, &l.spread) > 0)
		l.kind = LP_LAYOUT_STRIDE;
	else if (strncmp(text, "rnd", 3) == 0 &&
		 parse_pair(text + 3, &l.stride, &l.spread) == 1)
		l.kind = LP_LAYOUT_NEAR;
	else
		return -EINVAL;
	*layout = l;
	return 0;
}

/* As short as it can be read back: 8M, not 8388608. */
static int put_bytes(char *text, size_t size, const char *before, uint64_t v)
{
	static const char units[] = "KMGT";
	unsigned unit = 0;

	while (unit < 4 && v > 0 && v % 1024 == 0) {
		v /= 1024;
		unit++;
	}
	return snprintf(text, size, "%s%" PRIu64 "%.*s", before, v,
			unit ? 1 : 0, &units[unit ? unit - 1 : 0]);
}

const char *lp_layout_name(const struct lp_layout *layout,
			   char text[LP_LAYOUT_TEXT])
{
	static const char *const names[] = {
		[LP_LAYOUT_OFF0] = "off0",       [LP_LAYOUT_SEQ] = "seq",
		[LP_LAYOUT_STRIDE] = "stride",   [LP_LAYOUT_NEAR] = "rnd",
		[LP_LAYOUT_REVERSE] = "reverse", [LP_LAYOUT_RND] = "rnd",
	};
	int n = snprintf(text, LP_LAYOUT_TEXT, "%s", names[layout->kind]);

	if (layout->kind == LP_LAYOUT_STRIDE || layout->kind == LP_LAYOUT_NEAR)
		n += put_bytes(text + n, (size_t)(LP_LAYOUT_TEXT - n), "",
			       layout->stride);
	if (layout->spread > 0)
		put_bytes(text + n, (size_t)(LP_LAYOUT_TEXT - n), ",",
			  layout->spread);
	return text;
}

void lp_walk_init(struct lp_walk *walk, const struct lp_layout *layout,
		  uint64_t space, uint64_t size, uint64_t seed)
{
	*walk = (struct lp_walk){ .layout = layout,
				  .space = space,
				  .size = size };
	lp_random_init(&walk->random, seed, 0);
}

/* In [0, n), n > 0; 64 bits are so many that the last ones may be likelier. */
static uint64_t below(struct lp_walk *walk, uint64_t n)
{
	return lp_random_u64(&walk->random) % n;
}

/* The access that holds a place, counted from the begin, around the ends. */
static uint64_t fit(const struct lp_walk *walk, unsigned __int128 place)
{
	uint64_t slots = walk->space / walk->size;

	return (uint64_t)(place / walk->size % slots) * walk->size;
}

/* -spread ... spread, plus the space so that it is never negative. */
static unsigned __int128 jitter(struct lp_walk *walk, uint64_t spread)
{
	unsigned __int128 round = walk->space / walk->size * walk->size;

	spread = spread > round ? (uint64_t)round : spread;
	return round - spread + below(walk, 2 * spread + 1);
}

static uint64_t step(struct lp_walk *walk)
{
	const struct lp_layout *l = walk->layout;
	unsigned __int128 last = walk->last, end = last + walk->size;
	uint64_t slots = walk->space / walk->size;

	switch (l->kind) {
	case LP_LAYOUT_SEQ:
		return fit(walk, end);
	case LP_LAYOUT_STRIDE:
		end += l->stride;
		return fit(walk,
			   l->spread ? end + jitter(walk, l->spread) : end);
	case LP_LAYOUT_REVERSE:
		return fit(walk, last + (slots - 1) * walk->size);
	case LP_LAYOUT_NEAR:
		return fit(walk, last + jitter(walk, l->stride));
	default:
		return 0;
	}
}

uint64_t lp_walk_next(struct lp_walk *walk)
{
	uint64_t slots = walk->space / walk->size;

	if (walk->layout->kind == LP_LAYOUT_RND)
		walk->last = below(walk, slots) * walk->size;
	else if (walk->begun)
		walk->last = step(walk);
	else if (walk->layout->kind == LP_LAYOUT_REVERSE)
		walk->last = (slots - 1) * walk->size;
	walk->begun = true;
	return walk->last;
}
