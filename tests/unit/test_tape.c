/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of the tape are rows of moving averages, turned, to the last bit. */
#include "unit.h"

#include "detect/tape.h"
#include "stats/random.h"
#include "stats/smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_MOST 40
#define POINTS 300

static double draw(struct lp_random *r)
{
	double u = lp_random_uniform(r);

	return u < 0.1     ? NAN
	       : u < 0.102 ? INFINITY
	       : u < 0.104 ? 1.7e308
	       : u < 0.2   ? -0.0
			   : lp_random_normal(r);
}

struct case_of {
	size_t n, smooth, window, shift;
};

static size_t up_to(struct lp_random *r, size_t most)
{
	return 1 + (size_t)(lp_random_uniform(r) * (double)most);
}

/* The same to the last bit, or missing in both. */
static void assert_same(double a, double b)
{
	assert_true(memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b)));
}

static void compare(const struct case_of *c, const double *means, size_t t,
		    const double *window)
{
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->window; k++) {
			size_t back = c->window - 1 - k;

			assert_same(window[i * c->window + k],
				    t < back ? NAN
					     : means[(t - back) * c->n + i]);
		}
}

/* Windows are asked for now and then; some rows are left out. */
static void run(const struct case_of *c, struct lp_random *r, double *means)
{
	struct lp_smooth *smooth = lp_smooth_new(c->n, c->smooth);
	struct lp_tape *tape =
		lp_tape_new(c->n, c->smooth, c->window, c->shift);
	double *row = calloc(c->n, sizeof(*row));

	for (size_t t = 0; t < POINTS; t++) {
		bool left_out = lp_random_uniform(r) < 0.05;

		for (size_t i = 0; i < c->n; i++)
			row[i] = left_out ? NAN : draw(r);
		lp_smooth_push(smooth, row, means + t * c->n);
		lp_tape_push(tape, left_out ? NULL : row);
		if (lp_random_uniform(r) < 1.5 / (double)c->shift)
			compare(c, means, t, lp_tape_window(tape));
	}
	free(row);
	lp_tape_free(tape);
	lp_smooth_free(smooth);
}

static void windows_are_turned_rows_of_averages(void **state)
{
	double *means = calloc(POINTS * N_MOST, sizeof(*means));
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 5, 1);
	for (int round = 0; round < 60; round++) {
		struct case_of c = { .n = up_to(&r, N_MOST),
				     .smooth = up_to(&r, 20),
				     .window = up_to(&r, 70) };

		c.shift = up_to(&r, c.window);
		run(&c, &r, means);
	}
	free(means);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_turned_rows_of_averages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
