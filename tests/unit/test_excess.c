/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detection beside an implementation of the formula that has no matrix, no
 * common rate, no memory and no votes of its own.
 */
#include "unit.h"

#include "behavior/behavior.h"
#include "behavior/excess.h"
#include "stats/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS 6
#define FUNCTIONS 12
#define SLOTS 36
#define SLOT LP_PROFILE_SLOT_NS
#define MOST_WINDOWS 400

struct run {
	unsigned counts[HOSTS][SLOTS][FUNCTIONS];
	struct lp_collection c;
	double distance[MOST_WINDOWS];
	bool flagged[MOST_WINDOWS], anomalous[MOST_WINDOWS];
	size_t n;
};

static void put_host(struct run *r, size_t h)
{
	char name[16], text[64];
	struct lp_profile_sheet sheet = { .kind = LP_PROFILE_SAMPLES,
					  .host = name,
					  .n_slots = SLOTS };
	struct lp_arena arena = { 0 };
	struct lp_counts counts;

	snprintf(name, sizeof(name), "h%zu", h);
	for (size_t s = 0; s < SLOTS; s++) {
		lp_profile_sheet_add(
			&sheet, lp_profile_sheet_text(&sheet, LP_PROFILE_RATE),
			s, 99);
		for (size_t f = 0; f < FUNCTIONS; f++) {
			snprintf(text, sizeof(text), "glusterfsd\tlib\tf%zu",
				 f);
			lp_profile_sheet_add(
				&sheet, lp_profile_sheet_text(&sheet, text), s,
				r->counts[h][s][f]);
		}
	}
	assert_int_equal(lp_profile_sheet_counts(&sheet, &arena, &counts), 0);
	assert_int_equal(lp_collection_add(&r->c, &counts, 0, INT64_MAX), 0);
	lp_arena_done(&arena);
	lp_profile_sheet_done(&sheet);
}

static void make_run(struct run *r, struct lp_random *random, bool ill)
{
	memset(r, 0, sizeof(*r));
	r->c.kind = LP_PROFILE_SAMPLES;
	for (size_t h = 0; h < HOSTS; h++) {
		for (size_t s = 0; s < SLOTS; s++)
			for (size_t f = 0; f < FUNCTIONS; f++) {
				unsigned most = f < 3 ? 40 : 6;

				r->counts[h][s][f] =
					(unsigned)(lp_random_uniform(random) *
						   most);
				if (ill && h == 2 && f == 5 && s >= 18)
					r->counts[h][s][f] += 60;
			}
		put_host(r, h);
	}
}

static int keep(void *user, const struct lp_behavior_window *w)
{
	struct run *r = user;

	assert_true(r->n < MOST_WINDOWS);
	r->distance[r->n] = w->distance;
	r->flagged[r->n] = w->flagged;
	r->anomalous[r->n++] = w->anomalous;
	return 0;
}

/* ---- the plain way ---- */

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

static double quantile(double *x, size_t n, double p)
{
	double at = (double)(n - 1) * p;
	size_t low = (size_t)at;

	qsort(x, n, sizeof(*x), by_value);
	return low + 1 < n ? x[low] + (at - (double)low) * (x[low + 1] - x[low])
			   : x[low];
}

static double in_window(const struct run *r, size_t h, size_t w, size_t f)
{
	double sum = 0;

	for (size_t s = 3 * w; s < 3 * w + 6; s++)
		sum += r->counts[h][s][f];
	return sum;
}

static double all_in_window(const struct run *r, size_t h, size_t w)
{
	double sum = 0;

	for (size_t f = 0; f < FUNCTIONS; f++)
		sum += in_window(r, h, w, f);
	return sum;
}

/* As if it had done as much as the median host; 1: as it is. */
static double factor(const struct run *r, size_t h, size_t w, bool scaled)
{
	double all[HOSTS];

	for (size_t i = 0; i < HOSTS; i++)
		all[i] = all_in_window(r, i, w);
	return scaled ? quantile(all, HOSTS, 0.5) / all_in_window(r, h, w) : 1;
}

static double sigma_at(const struct run *r, size_t w, size_t f, bool scaled)
{
	double x[HOSTS], middle;

	for (size_t h = 0; h < HOSTS; h++)
		x[h] = in_window(r, h, w, f) * factor(r, h, w, scaled);
	middle = quantile(x, HOSTS, 0.5);
	for (size_t h = 0; h < HOSTS; h++)
		x[h] = fabs(x[h] - middle);
	return 1.4826 * quantile(x, HOSTS, 0.5);
}

static double sigma(const struct run *r, size_t w, size_t f, bool scaled)
{
	double x[10];
	size_t n = 0;

	for (size_t back = 0; back < 10 && back <= w; back++)
		x[n++] = sigma_at(r, w - back, f, scaled);
	return quantile(x, n, 0.9);
}

static double plain_pair(const struct run *r, size_t w, size_t a, size_t b,
			 bool scaled)
{
	double fa = factor(r, a, w, scaled), fb = factor(r, b, w, scaled);
	double sum = 0;

	for (size_t f = 0; f < FUNCTIONS; f++) {
		double p = in_window(r, a, w, f), q = in_window(r, b, w, f);
		double s = sigma(r, w, f, scaled);
		double beyond =
			fabs(p * fa - q * fb) -
			3 * sqrt(p * fa * fa + q * fb * fb + 1 + 2 * s * s);

		sum += beyond > 0 ? beyond : 0;
	}
	return sum;
}

static double plain_distance(const struct run *r, size_t w, size_t a)
{
	double most = 0;

	for (int scaled = 0; scaled < 2; scaled++) {
		double x[HOSTS];
		size_t n = 0;

		for (size_t b = 0; b < HOSTS; b++)
			if (b != a)
				x[n++] = plain_pair(r, w, a, b, scaled);
		most = fmax(most, quantile(x, n, 0.5));
	}
	return most;
}

/* ---- tests ---- */

static void judge(struct run *r, const int64_t *until, size_t n)
{
	const struct lp_behavior_options options = {
		.method = LP_BEHAVIOR_EXCESS
	};
	struct lp_behavior *b = lp_behavior_new(&r->c, &options);

	r->n = 0;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(lp_behavior_advance(b, until[i], keep, r), 0);
	lp_behavior_free(b);
}

static void distances_are_those_of_the_plain_formula(void **state)
{
	struct lp_random random;
	struct run *r = malloc(sizeof(*r));
	const int64_t all = INT64_MAX;

	(void)state;
	lp_random_init(&random, 19, 0);
	for (int round = 0; round < 4; round++) {
		make_run(r, &random, round % 2);
		judge(r, &all, 1);
		assert_int_equal(r->n, HOSTS * (SLOTS / 3 - 1));
		for (size_t i = 0; i < r->n; i++) {
			double want = plain_distance(r, i / HOSTS, i % HOSTS);

			assert_true(fabs(r->distance[i] - want) <
				    1e-4 * (1 + want));
		}
		lp_collection_done(&r->c);
	}
	free(r);
}

static void the_ill_one_is_accused_and_nobody_else(void **state)
{
	struct lp_random random;
	struct run *r = malloc(sizeof(*r));
	const int64_t all = INT64_MAX;

	(void)state;
	lp_random_init(&random, 7, 0);
	make_run(r, &random, true);
	judge(r, &all, 1);
	for (size_t i = 0; i < r->n; i++)
		assert_true(r->anomalous[i] ==
			    (i % HOSTS == 2 && i / HOSTS >= 7));
	lp_collection_done(&r->c);
	free(r);
}

static void it_does_not_matter_how_often_it_is_asked(void **state)
{
	struct lp_random random;
	struct run *r = malloc(sizeof(*r));
	double at_once[MOST_WINDOWS];
	int64_t until[SLOTS];
	const int64_t all = INT64_MAX;
	size_t n;

	(void)state;
	lp_random_init(&random, 3, 0);
	make_run(r, &random, true);
	judge(r, &all, 1);
	n = r->n;
	memcpy(at_once, r->distance, sizeof(at_once));
	for (size_t i = 0; i < SLOTS; i++)
		until[i] = (int64_t)(i + 1) * SLOT;
	judge(r, until, SLOTS);
	assert_int_equal(r->n, n);
	assert_memory_equal(at_once, r->distance, n * sizeof(double));
	lp_collection_done(&r->c);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_the_plain_formula),
		cmocka_unit_test(the_ill_one_is_accused_and_nobody_else),
		cmocka_unit_test(it_does_not_matter_how_often_it_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
