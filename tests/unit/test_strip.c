/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "stats/random.h"
#include "table/strip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The same, plainly: a float for each point of [-HALF, HALF). */
#define HALF 700
#define POINTS (2 * HALF)

struct plain {
	float value[POINTS];
	struct lp_strip strip;
	struct lp_random random;
};

static size_t below(struct plain *p, size_t n)
{
	return (size_t)(lp_random_uniform(&p->random) * (double)n);
}

/* Mostly 0, as of disks that rest; sometimes missing, or another 0. */
static double some_value(struct plain *p)
{
	static const double usual[] = { 0, 0, 0, 0, 0, 0, -0.0, NAN, 1.1, -3 };

	return usual[below(p, lp_array_size(usual))];
}

/* A stretch of equal values, with others in it now and then. */
static void put_some(struct plain *p, bool mixed)
{
	double values[300], one = some_value(p);
	size_t n = 1 + below(p, lp_array_size(values));
	int64_t at = (int64_t)below(p, POINTS - n) - HALF;

	for (size_t i = 0; i < n; i++) {
		values[i] = mixed && below(p, 20) == 0 ? some_value(p) : one;
		if (!isnan(values[i]))
			p->value[at + HALF + (int64_t)i] = (float)values[i];
	}
	assert_int_equal(
		lp_strip_put(&p->strip, at, values, n, below(p, 2) ? HALF : 0),
		0);
}

static void check_values(struct plain *p, int64_t from)
{
	double out[3 * POINTS];

	for (int64_t at = from; at < HALF; at++) {
		float v = (float)lp_strip_at(&p->strip, at);

		if (isnan(p->value[at + HALF]))
			assert_true(isnan(v));
		else
			assert_memory_equal(&v, &p->value[at + HALF],
					    sizeof(v));
	}
	lp_strip_copy(&p->strip, from, (size_t)(HALF - from), out, 3);
	for (int64_t i = 0; i < HALF - from; i++) {
		double v = lp_strip_at(&p->strip, from + i);

		assert_true(isnan(v) == isnan(out[3 * i]));
		assert_true(isnan(v) || v == out[3 * i]);
	}
}

static void check_quiet(struct plain *p, int64_t from)
{
	int64_t at = from + (int64_t)below(p, (size_t)(HALF - from));
	size_t n = below(p, (size_t)(HALF - at) + 1), quiet = 0, zeros = 0;
	size_t known;

	while (quiet < n && !(p->value[at + HALF + (int64_t)quiet] > 0))
		quiet++;
	while (zeros < n && p->value[at + HALF + (int64_t)zeros] == 0)
		zeros++;
	assert_int_equal(lp_strip_quiet(&p->strip, at, n, &known), quiet);
	assert_int_equal(known, zeros);
}

static void check_rest(struct plain *p, int64_t from)
{
	int64_t at = from + (int64_t)below(p, (size_t)(HALF - from));
	size_t n = below(p, (size_t)(HALF - at) + 1);
	enum lp_strip_rest rest = LP_STRIP_ZERO;

	for (size_t i = 0; i < n; i++) {
		float v = p->value[at + HALF + (int64_t)i];

		if (rest == LP_STRIP_ZERO && (v != 0 || signbit(v)))
			rest = LP_STRIP_RESTS;
		if (v > 0 || v < 0)
			rest = LP_STRIP_WORKS;
	}
	assert_int_equal(lp_strip_rest(&p->strip, at, n), rest);
}

static void a_strip_holds_what_was_put(void **state)
{
	struct plain *p = calloc(1, sizeof(*p));

	(void)state;
	assert_non_null(p);
	lp_random_init(&p->random, 7, 1);
	for (int round = 0; round < 200; round++) {
		int64_t from = -HALF;

		for (size_t i = 0; i < POINTS; i++)
			p->value[i] = NAN;
		for (int i = 0; i < 30; i++) {
			put_some(p, round % 2);
			if (below(p, 8) == 0) {
				from += (int64_t)below(
					p, (size_t)(HALF - from) / 4);
				lp_strip_drop(&p->strip, from);
			}
			check_values(p, from);
			for (int j = 0; j < 20; j++) {
				check_quiet(p, from);
				check_rest(p, from);
			}
		}
		lp_strip_done(&p->strip);
	}
	free(p);
}

static void equal_values_take_no_room(void **state)
{
	struct lp_strip strip = { 0 };
	double zeros[100] = { 0 };

	(void)state;
	for (int64_t at = 0; at < 100000; at += 100)
		assert_int_equal(lp_strip_put(&strip, at, zeros, 100, 0), 0);
	for (size_t i = 0; i < strip.n; i++)
		assert_null(strip.blocks[i].value);
	lp_strip_done(&strip);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_strip_holds_what_was_put),
		cmocka_unit_test(equal_values_take_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
