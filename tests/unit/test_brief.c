/* SPDX-License-Identifier: Apache-2.0 */
/* A brief chunk leaves repetitions out, and its block is the same all the same.
 */
#include "unit.h"

#include "archive/encode.h"
#include "random_chunk.h"

#include <string.h>

#define INSTANCES 6
#define COLUMNS 5 /* of random_later */

/* An instance as it stands: which columns it has, and what is in them. */
struct thing {
	bool there, has[COLUMNS];
	uint64_t bits[COLUMNS];
	const char *word;
	unsigned idle; /* of 100 ticks */
	bool known;    /* has a row in the brief builder */
	struct lp_row row;
};

static void change(struct thing *thing, uint64_t *rng)
{
	static const char *const words[] = { "clean", "check", "" };

	thing->there = random_below(rng, 8) != 0;
	thing->word = words[random_below(rng, 3)];
	for (size_t c = 0; c < COLUMNS; c++) {
		thing->has[c] = random_below(rng, 5) != 0;
		thing->bits[c] = random_later.columns[c].type == LP_F64
					 ? random_double(c, rng)
					 : random_below(rng, 3);
	}
}

static void set(struct lp_builder *b, size_t p, const char *name,
		const struct thing *thing, struct lp_row *row)
{
	lp_builder_row(b, p, name, strlen(name), row);
	for (size_t c = 0; c < COLUMNS; c++) {
		if (!thing->has[c])
			continue;
		if (random_later.columns[c].type == LP_TEXT)
			lp_row_text(row, c, thing->word);
		else
			lp_row_u64(row, c, thing->bits[c]);
	}
}

/* One builder is told every row, the other that it repeats itself. */
static void tick(struct lp_builder *told, struct lp_builder *brief,
		 struct thing *things, int64_t now, uint64_t *rng)
{
	size_t pt, pb;

	lp_builder_tick(told, now);
	lp_builder_tick(brief, now);
	pt = lp_builder_panel(told, &random_later);
	pb = lp_builder_panel(brief, &random_later);
	for (size_t i = 0; i < INSTANCES; i++) {
		bool idle = random_below(rng, 100) < things[i].idle;
		struct thing *thing = &things[i];
		struct lp_row row;
		char name[8];

		snprintf(name, sizeof(name), "t%zu", i);
		if (!idle)
			change(thing, rng);
		if (!thing->there)
			continue;
		set(told, pt, name, thing, &row);
		if (!(idle && thing->known && lp_row_repeat(&thing->row)))
			set(brief, pb, name, thing, &thing->row);
		thing->known = true;
	}
}

static size_t steady_series(const struct lp_chunk *chunk)
{
	size_t n = 0;

	for (size_t s = 0; s < chunk->panels[0].n_series; s++)
		n += chunk->panels[0].series[s].row.bits != NULL;
	return n;
}

/* The same bytes; and how many series were steady. */
static size_t compare(struct encoder encoders[2], struct lp_builder *told,
		      struct lp_builder *brief, int level)
{
	const struct lp_chunk *whole = lp_builder_chunk(told);
	const struct lp_chunk *part = lp_builder_brief(brief);
	const uint8_t *a, *b;
	size_t n, m, half = whole->n_samples / 2;

	for (size_t from = 0; from <= half; from += half + (half == 0)) {
		size_t to = from ? whole->n_samples : half + 1;

		assert_int_equal(lp_encode_samples(&encoders[0], whole, from,
						   to, 0, level, &a, &n),
				 0);
		assert_int_equal(lp_encode_samples(&encoders[1], part, from, to,
						   0, level, &b, &m),
				 0);
		assert_int_equal(n, m);
		assert_memory_equal(a, b, n);
	}
	return steady_series(part);
}

static void forget_rows(struct thing *things)
{
	for (size_t i = 0; i < INSTANCES; i++)
		things[i].known = false;
}

static void disturb(struct lp_builder *b, uint64_t what)
{
	if (what == 0)
		lp_builder_clear(b);
	if (what == 1)
		lp_builder_drop(b, lp_builder_samples(b) / 2);
	if (what == 2)
		lp_builder_chunk(b);
}

static size_t run(uint64_t seed)
{
	struct lp_builder *told = lp_builder_new("h");
	struct lp_builder *brief = lp_builder_new("h");
	struct thing things[INSTANCES] = { { .idle = 100 }, { .idle = 100 },
					   { .idle = 99 },  { .idle = 97 },
					   { .idle = 80 },  { .idle = 0 } };
	struct encoder encoders[2];
	size_t steady = 0;

	lp_encoder_init(&encoders[0]);
	lp_encoder_init(&encoders[1]);
	for (size_t i = 0; i < INSTANCES; i++)
		change(&things[i], &seed);
	for (int64_t t = 0; t < 300; t++) {
		uint64_t what = random_below(&seed, 60);

		disturb(told, what);
		disturb(brief, what);
		if (what == 0)
			forget_rows(things);
		tick(told, brief, things, t, &seed);
		if (random_below(&seed, 6) == 0)
			steady += compare(encoders, told, brief, (int)(t % 2));
	}
	assert_true(lp_chunk_equal(lp_builder_chunk(told),
				   lp_builder_chunk(brief)));
	lp_encoder_done(&encoders[0]);
	lp_encoder_done(&encoders[1]);
	lp_builder_free(told);
	lp_builder_free(brief);
	return steady;
}

static void a_brief_chunk_gives_the_same_bytes(void **state)
{
	size_t steady = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++)
		steady += run(seed * 1000003);
	assert_true(steady > 1000); /* else nothing was tried */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_brief_chunk_gives_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
