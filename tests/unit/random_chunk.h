/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks of every kind, made from a number: what property tests feed.
 */
#ifndef LP_TESTS_RANDOM_CHUNK_H
#define LP_TESTS_RANDOM_CHUNK_H

#include "base/memory.h"
#include "model/builder.h"

#include <stdio.h>

/* splitmix64: the same numbers on every machine. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

/* Any bytes but 0, in the arena; "" in one of four. */
static inline const char *random_text(struct lp_arena *arena, uint64_t *rng)
{
	size_t n = random_below(rng, 4) ? random_below(rng, 60) : 0;
	char text[60];

	for (size_t i = 0; i < n; i++)
		text[i] = (char)(1 + random_below(rng, 255));
	return lp_arena_string_n(arena, text, n);
}

/* How a series of numbers goes on; every way the encoder knows, and more. */
enum course {
	STILL,
	ZERO,
	STEPS,
	SECTORS,
	WILD,
	LEVEL,
	WRAP32,
	WRAP64,
	RESET,
	COURSES
};

static inline uint64_t course_next(enum course course, uint64_t v,
				   uint64_t *rng)
{
	switch (course) {
	case STEPS:
		return v + random_below(rng, 300);
	case SECTORS:
		return v + 8 * random_below(rng, 100000);
	case WILD:
		return random_next(rng);
	case LEVEL:
		return 1000 + random_below(rng, 40);
	case WRAP32:
		return (uint32_t)(v + 0x30000000u + random_below(rng, 1000));
	case WRAP64:
		return v + 0x3000000000000000u + random_below(rng, 1000);
	case RESET:
		return random_below(rng, 9) ? v + random_below(rng, 5000) : 0;
	default:
		return course == ZERO ? 0 : v;
	}
}

/* Doubles: decimals, whole numbers, any bits, and the special ones. */
static inline uint64_t random_double(uint64_t course, uint64_t *rng)
{
	static const uint64_t special[] = {
		0x8000000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u,
		0x7ff8000000000001u, 0x0000000000000001u, 0x7fefffffffffffffu,
	};
	uint64_t r = random_next(rng);

	switch (course % 4) {
	case 0:
		return lp_double_bits((double)(r % 100000) / 100);
	case 1:
		return lp_double_bits((double)(int64_t)(r % 2000) - 1000);
	case 2:
		return lp_double_bits(1.0 / (double)(r % 1000 + 1));
	default:
		return r % 3 ? r : special[r % lp_array_size(special)];
	}
}

static const struct lp_column random_columns[] = {
	{ .name = "mean",
	  .unit = "ms",
	  .kind = LP_WEIGHTED,
	  .type = LP_F64,
	  .partner = "n" },
	{ .name = "state", .unit = "", .kind = LP_STATE, .type = LP_TEXT },
	{ .name = "le_4",
	  .unit = "requests",
	  .kind = LP_HISTOGRAM,
	  .width = 64,
	  .partner = "latency",
	  .bound = 4.5 },
	{ .name = "symbols",
	  .unit = "errors",
	  .kind = LP_SATURATING,
	  .width = 16,
	  .optional = true },
	{ .name = "sum",
	  .unit = "ms",
	  .kind = LP_MOMENTS,
	  .type = LP_F64,
	  .partner = "latency",
	  .bound = 1 },
};

static const struct lp_class random_later = {
	.name = "from-a-later-limpid",
	.columns = random_columns,
	.n_columns = sizeof(random_columns) / sizeof(random_columns[0]),
};

struct random_shape {
	size_t n_samples, n_disks, n_later;
	unsigned missing; /* of 100 */
};

static inline void random_value(const struct lp_row *row, size_t c,
				const struct lp_column *column, uint64_t course,
				uint64_t *v, uint64_t *rng)
{
	static const char *const words[] = { "clean", "check", "resync", "" };

	if (column->type == LP_TEXT) {
		lp_row_text(row, c, words[random_below(rng, 4)]);
		return;
	}
	if (column->type == LP_F64)
		*v = random_double(course, rng);
	else
		*v = course_next((enum course)(course % COURSES), *v, rng);
	lp_row_u64(row, c, *v);
}

/* One instance in the current tick; its numbers so far are in v. */
static inline void random_row(struct lp_builder *b, size_t p,
			      const struct lp_class *class, size_t instance,
			      unsigned missing, uint64_t *v, uint64_t *rng)
{
	struct lp_row row;
	char name[32];
	int n = snprintf(name, sizeof(name), "sd%zu", instance);

	if (missing && random_below(rng, 200) < missing)
		return;
	lp_builder_row(b, p, name, (size_t)n, &row);
	for (size_t c = 0; c < class->n_columns; c++)
		if (!missing || random_below(rng, 200) >= missing)
			random_value(&row, c, &class->columns[c],
				     instance * 7 + c, &v[c], rng);
}

/* Ticks a second apart, most of them; then repeats and steps back. */
static inline int64_t random_time(int64_t t, uint64_t seed, uint64_t *rng)
{
	switch (seed % 4) {
	case 0:
		return t + 1000000000;
	case 1:
		return t + 1000000000 + (int64_t)random_below(rng, 5000) * 1000;
	case 2:
		return t + (int64_t)random_below(rng, 3) * 1000000;
	default:
		return t + (int64_t)random_below(rng, 3000000000u) - 999999999;
	}
}

static inline struct lp_builder *random_builder(uint64_t seed,
						struct random_shape shape)
{
	static const size_t most = 32;
	uint64_t rng = seed, disks[64][32] = { { 0 } },
		 later[64][32] = { { 0 } };
	struct lp_builder *b = lp_builder_new("host-1");
	size_t d = lp_builder_panel(b, &lp_class_disk);
	size_t l = lp_builder_panel(b, &random_later);
	int64_t t = INT64_C(1794775514000000000);

	for (size_t s = 0; s < most && s < lp_class_disk.n_columns; s++)
		for (size_t i = 0; i < 64; i++)
			disks[i][s] = random_next(&rng) >> 20;
	for (size_t i = 0; i < shape.n_samples; i++) {
		t = random_time(t, seed, &rng);
		lp_builder_tick(b, t);
		for (size_t s = 0; s < shape.n_disks; s++)
			random_row(b, d, &lp_class_disk, s, shape.missing,
				   disks[s], &rng);
		for (size_t s = 0; s < shape.n_later; s++)
			random_row(b, l, &random_later, s, shape.missing,
				   later[s], &rng);
	}
	return b;
}

#endif
