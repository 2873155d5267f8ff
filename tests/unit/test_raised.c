/* SPDX-License-Identifier: Apache-2.0 */
/* Where a series rises and falls back, and how sure that is. */
#include "unit.h"

#include "stats/raised.h"
#include "stats/random.h"

#include <math.h>
#include <stdlib.h>

#define MAX 200

struct series {
	double x[MAX];
	size_t n;
};

static void add(struct series *s, size_t n, double x)
{
	for (size_t i = 0; i < n; i++)
		s->x[s->n++] = x;
	assert_true(s->n <= MAX);
}

static struct lp_raised find(const struct series *s)
{
	const struct lp_raised_model model = {
		.base = 0, .effect = 1, .least = 3, .latest = s->n
	};
	struct lp_raised span;

	assert_int_equal(lp_raised_find(s->x, s->n, &model, &span), 0);
	return span;
}

/*
 * Each level scatters by 0 and counts as 0.3, so the best is 15 ln 0.09 below
 * 0. With two ones left out, of 22 values outside two are 1: their variance is
 * 1/11 - 1/121, and 11 ln((0.0826 + 0.09) / 0.09) = 7.2 is lost; with three,
 * 9.4. With three zeros within, 6.5 ln(0.2675 / 0.09) = 7.1; with four 8.3.
 */
static void bounds_are_those_computed_by_hand(void **state)
{
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	add(&s, 10, 0);
	add(&s, 10, 1);
	add(&s, 10, 0);
	span = find(&s);
	assert_true(span.since.seen && span.until.seen);
	assert_int_equal(span.since.at, 10);
	assert_int_equal(span.since.low, 7);
	assert_int_equal(span.since.high, 12);
	assert_int_equal(span.until.at, 20);
	assert_int_equal(span.until.low, 18);
	assert_int_equal(span.until.high, 23);
}

static void an_edge_among_missing_values_is_in_their_middle(void **state)
{
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	add(&s, 20, 0);
	add(&s, 4, NAN);
	add(&s, 20, 1);
	add(&s, 20, 0);
	span = find(&s);
	assert_int_equal(span.since.at, 22);
	assert_true(span.since.low <= 20 && span.since.high >= 24);
	assert_int_equal(span.until.at, 44);
}

static void what_stays_raised_has_no_end(void **state)
{
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	add(&s, 30, 0);
	add(&s, 30, 1);
	span = find(&s);
	assert_true(span.since.seen && !span.until.seen);
	assert_int_equal(span.since.at, 30);
	assert_int_equal(span.until.at, 60);
}

static void what_is_raised_from_the_start_has_no_begin(void **state)
{
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	add(&s, 30, 1);
	add(&s, 30, 0);
	span = find(&s);
	assert_true(!span.since.seen && span.until.seen);
	assert_int_equal(span.since.at, 0);
	assert_int_equal(span.until.at, 30);
}

static void what_is_always_raised_has_neither(void **state)
{
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	for (size_t i = 0; i < 60; i++)
		add(&s, 1, i % 2 ? 0.8 : 1.2);
	span = find(&s);
	assert_true(!span.since.seen && !span.until.seen);
	assert_int_equal(span.since.at, 0);
	assert_int_equal(span.until.at, 60);
}

static void nothing_known_is_no_edge(void **state)
{
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	add(&s, 10, NAN);
	span = find(&s);
	assert_true(!span.since.seen && !span.until.seen);
}

static void one_wild_value_moves_nothing(void **state)
{
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	add(&s, 10, 0);
	add(&s, 1, 1000);
	add(&s, 20, 0);
	add(&s, 10, 1);
	add(&s, 1, -1000);
	add(&s, 19, 1);
	add(&s, 30, 0);
	span = find(&s);
	assert_int_equal(span.since.at, 31);
	assert_int_equal(span.until.at, 61);
}

static void it_begins_at_the_latest_where_it_was_accused(void **state)
{
	const struct lp_raised_model model = {
		.base = 0, .effect = 1, .least = 3, .latest = 25
	};
	struct series s = { .n = 0 };
	struct lp_raised span;

	(void)state;
	add(&s, 10, 0);
	add(&s, 20, 1);
	add(&s, 30, 0);
	add(&s, 60, 1);
	add(&s, 20, 0);
	assert_int_equal(lp_raised_find(s.x, s.n, &model, &span), 0);
	assert_true(span.since.at <= 25 && span.since.high <= 25);
}

/* ---- at random ---- */

struct tried {
	size_t n, off, outside;
};

static void look(struct tried *t, const struct lp_raised_edge *e, size_t at)
{
	size_t error = e->at > at ? e->at - at : at - e->at;

	t->n++;
	t->off += error > 5;
	t->outside += at < e->low || at > e->high;
}

/* Values scatter by half of the effect, and one in ten is missing. */
static void bounds_hold_at_random(void **state)
{
	struct tried tried = { 0 };
	struct lp_random random;

	(void)state;
	lp_random_init(&random, 20100223, 0);
	for (size_t run = 0; run < 200; run++) {
		size_t begin = 40 + (size_t)(30 * lp_random_uniform(&random));
		size_t end =
			begin + 60 + (size_t)(30 * lp_random_uniform(&random));
		struct series s = { .n = 0 };
		struct lp_raised span;

		for (size_t i = 0; i < MAX; i++)
			add(&s, 1,
			    lp_random_uniform(&random) < 0.1
				    ? NAN
				    : (i >= begin && i < end ? 1 : 0) +
					      lp_random_normal(&random) / 2);
		span = find(&s);
		assert_true(span.since.seen && span.until.seen);
		look(&tried, &span.since, begin);
		look(&tried, &span.until, end);
	}
	assert_true(10 * tried.outside <= tried.n);
	assert_true(3 * tried.off <= tried.n);
}

static void noise_is_no_end(void **state)
{
	struct lp_random random;
	size_t wrong = 0;

	(void)state;
	lp_random_init(&random, 20100224, 0);
	for (size_t run = 0; run < 200; run++) {
		struct series s = { .n = 0 };
		struct lp_raised span;

		for (size_t i = 0; i < MAX; i++)
			add(&s, 1,
			    (i >= 100 ? 1 : 0) + lp_random_normal(&random) / 2);
		span = find(&s);
		wrong += !span.since.seen || span.until.seen;
	}
	assert_true(50 * wrong <= 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_are_those_computed_by_hand),
		cmocka_unit_test(
			an_edge_among_missing_values_is_in_their_middle),
		cmocka_unit_test(what_stays_raised_has_no_end),
		cmocka_unit_test(what_is_raised_from_the_start_has_no_begin),
		cmocka_unit_test(what_is_always_raised_has_neither),
		cmocka_unit_test(nothing_known_is_no_edge),
		cmocka_unit_test(one_wild_value_moves_nothing),
		cmocka_unit_test(it_begins_at_the_latest_where_it_was_accused),
		cmocka_unit_test(bounds_hold_at_random),
		cmocka_unit_test(noise_is_no_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
