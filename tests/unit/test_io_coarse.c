/* SPDX-License-Identifier: Apache-2.0 */
/* Traces whose clock is coarse, as Darshan's text with its 0.1 ms. */
#include "unit.h"

#include "io/model/judge.h"
#include "io/model/trainer.h"
#include "io/report/io_reports.h"
#include "iotoy.h"
#include "stats/density.h"

#include <errno.h>
#include <string.h>

#define TENTH_MS 100000

/* What a clock of 0.1 ms makes of it, wherever between two ticks it begins. */
static double rounded(struct toy *toy, double ns)
{
	double start = TENTH_MS * lp_random_uniform(&toy->random);
	double begin = round(start / TENTH_MS);
	double end = round((start + ns) / TENTH_MS);

	return (end - begin) * TENTH_MS;
}

static void fill_rounded(struct toy *toy, int64_t bytes, size_t n, double ns)
{
	toy->trace.resolution_ns = TENTH_MS;
	for (size_t i = 0; i < n; i++)
		toy_add(toy, LP_IO_READ, bytes,
			rounded(toy,
				ns * lp_random_lognormal(&toy->random, 0.2)));
}

/* Half of them seem to take nothing, the others 0.1 ms. */
static void what_is_below_the_clock_is_one_class(void **state)
{
	struct lp_io_judgement j;
	struct toy toy;

	(void)state;
	for (double ns = 2000; ns < 200000; ns *= 1.7) {
		toy_begin(&toy, 5000, 3);
		fill_rounded(&toy, 1024, 5000, ns);
		assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
		assert_int_equal(j.n_groups, 1);
		assert_int_equal(j.group->clusters.n, 1);
		assert_int_equal(j.slow.n, 0);
		assert_true(exp(j.group->clusters.cluster->peak) >
			    0.99 * TENTH_MS);
		assert_true(j.group->limit_ns < 10 * TENTH_MS);
		lp_io_judgement_done(&j);
		toy_end(&toy);
	}
}

/* Far above the resolution, but hardly spread: the ticks are no classes. */
static void ticks_of_the_clock_are_no_classes(void **state)
{
	struct lp_io_judgement j;
	struct toy toy;

	(void)state;
	toy_begin(&toy, 3000, 4);
	toy.trace.resolution_ns = TENTH_MS;
	for (size_t i = 0; i < 3000; i++)
		toy_add(&toy, LP_IO_READ, 4096,
			rounded(&toy,
				1e7 * lp_random_lognormal(&toy.random, 0.01)));
	assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
	assert_int_equal(j.group->clusters.n, 1);
	assert_true(j.group->limit_ns < 11000000);
	lp_io_judgement_done(&j);
	toy_end(&toy);
}

static void one_long_read_among_short_ones_is_slow(void **state)
{
	struct lp_io_judgement j;
	struct toy toy;
	char text[512];

	(void)state;
	for (size_t n = LP_IO_ENOUGH; n < 6000; n *= 5) {
		toy_begin(&toy, n, 5);
		fill_rounded(&toy, 1032, n, 30000);
		toy.trace.operation[n / 3].duration_ns = 1500000000;
		assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
		assert_int_equal(j.slow.n, 1);
		assert_int_equal(j.slowest[0].operation, n / 3);
		assert_non_null(strstr(lp_io_slow_text(&j, text, sizeof(text)),
				       "1 operation was unexpectedly slow"));
		lp_io_judgement_done(&j);
		toy_end(&toy);
	}
}

static void a_call_that_maps_a_file_moves_nothing(void **state)
{
	struct lp_io_judgement j;
	struct toy toy;

	(void)state;
	toy_begin(&toy, 2, 5);
	toy_add(&toy, LP_IO_MAP, 64 << 20, 5e3);
	toy_add(&toy, LP_IO_READ, 4096, 5e3);
	assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
	assert_int_equal(j.kind[LP_IO_MAP].n, 1);
	assert_int_equal(j.kind[LP_IO_MAP].bytes, 0);
	assert_int_equal(j.kind[LP_IO_READ].bytes, 4096);
	lp_io_judgement_done(&j);
	toy_end(&toy);
}

/* Sums are right: what is rounded up is rounded down as often. */
static void times_add_up_though_most_are_nought(void **state)
{
	struct lp_io_judgement j;
	struct toy toy;

	(void)state;
	toy_begin(&toy, 20000, 6);
	fill_rounded(&toy, 1024, 20000, 30000);
	assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
	assert_true(fabs((double)j.group->time_ns / 20000 / 30000 - 1) < 0.1);
	lp_io_judgement_done(&j);
	toy_end(&toy);
}

static void equal_rounded_numbers_have_the_bandwidth_of_the_rounding(
	void **state)
{
	double x[60];
	struct lp_density d;

	(void)state;
	for (size_t i = 0; i < 60; i++)
		x[i] = 11.5;
	assert_int_equal(lp_density_init_rounded(&d, x, 60, 2, 0.7), 0);
	assert_true(d.bandwidth == 0.7);
	lp_density_done(&d);
}

/* ---- models ---- */

static int train(struct lp_io_model *model, const double *ns,
		 int64_t resolution_ns, struct lp_error *err)
{
	static const char *const names[] = { "discard", "cached", "uncached" };
	struct lp_io_training how = { .weights = LP_IO_RELATIVE };
	struct lp_io_trainer *t = lp_io_trainer_new();
	int r;

	for (size_t i = 0; i < 3; i++) {
		struct toy toy;

		toy_begin(&toy, 1000, i);
		if (resolution_ns > 1)
			fill_rounded(&toy, 4096, 1000, ns[i]);
		else
			toy_fill(&toy, LP_IO_READ, 4096, 1000, ns[i], 0);
		r = lp_io_trainer_add(t, names[i], &toy.trace, err);
		assert_int_equal(r, 0);
		toy_end(&toy);
	}
	r = lp_io_trainer_finish(t, &how, model, err);
	lp_io_trainer_free(t);
	return r;
}

static void factors_that_the_clock_cannot_tell_apart_are_refused(void **state)
{
	static const double ns[] = { 300, 2000, 9e6 };
	struct lp_io_model model;
	struct lp_error err;

	(void)state;
	assert_int_equal(train(&model, ns, TENTH_MS, &err), -EINVAL);
	assert_non_null(
		strstr(err.text, "discard and cached cannot be distinguished"));
	assert_int_equal(train(&model, ns, 0, &err), 0);
	assert_int_equal(model.resolution_ns, 0);
	lp_io_model_done(&model);
}

static void a_model_knows_the_clock_it_was_made_with(void **state)
{
	static const double ns[] = { 2000, 1e6, 9e6 };
	struct lp_io_model model, again;
	struct lp_io_trace fine = { .host = "" };
	char *text = NULL, doubt[256];
	struct lp_error err;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	assert_int_equal(train(&model, ns, TENTH_MS, &err), 0);
	assert_int_equal(lp_io_model_write(out, &model), 0);
	fclose(out);
	assert_int_equal(lp_io_model_parse("m", text, n, &again, &err), 0);
	assert_int_equal(again.resolution_ns, TENTH_MS);
	assert_non_null(
		strstr(lp_io_model_doubt(&again, &fine, doubt, sizeof(doubt)),
		       "a resolution of 0.1 ms"));
	fine.resolution_ns = TENTH_MS;
	assert_string_equal(
		lp_io_model_doubt(&again, &fine, doubt, sizeof(doubt)), "");
	lp_io_model_done(&again);
	lp_io_model_done(&model);
	free(text);
}

/* Discarded, cached: both at most 0.1 ms. On the device: certainly not. */
static void a_coarse_trace_has_causes_only_where_they_are_clear(void **state)
{
	static const double ns[] = { 300, 2000, 9e6 };
	struct lp_io_judgement j;
	struct lp_io_model model;
	struct lp_error err;
	struct toy toy;
	char text[512];

	(void)state;
	assert_int_equal(train(&model, ns, 0, &err), 0);
	toy_begin(&toy, 300, 7);
	fill_rounded(&toy, 4096, 200, 2000);
	fill_rounded(&toy, 4096, 50, 5e6);
	assert_int_equal(lp_io_judge(&j, &toy.trace, &model), 0);
	assert_int_equal(j.unclear[LP_IO_READ].n, 200);
	assert_string_equal(j.classifier.name[2], "uncached");
	assert_int_equal(j.by_class[LP_IO_READ][2].n, 50);
	assert_int_equal(j.gain[LP_IO_READ].n, 50);
	assert_int_equal(j.gain[LP_IO_READ].judged.n, 250);
	assert_non_null(strstr(lp_io_headline(&j, text, sizeof(text)),
			       "Cannot tell what could be saved"));
	lp_io_judgement_done(&j);
	toy_end(&toy);
	lp_io_model_done(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_below_the_clock_is_one_class),
		cmocka_unit_test(ticks_of_the_clock_are_no_classes),
		cmocka_unit_test(one_long_read_among_short_ones_is_slow),
		cmocka_unit_test(times_add_up_though_most_are_nought),
		cmocka_unit_test(
			equal_rounded_numbers_have_the_bandwidth_of_the_rounding),
		cmocka_unit_test(
			factors_that_the_clock_cannot_tell_apart_are_refused),
		cmocka_unit_test(a_model_knows_the_clock_it_was_made_with),
		cmocka_unit_test(a_call_that_maps_a_file_moves_nothing),
		cmocka_unit_test(
			a_coarse_trace_has_causes_only_where_they_are_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
