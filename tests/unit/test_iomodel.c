/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "iotoy.h"

#include "base/memory.h"
#include "io/model/classify.h"
#include "io/model/clusters.h"
#include "io/model/trainer.h"

#include <errno.h>
#include <string.h>

static const int64_t sizes[] = { 1,      64,      1024,    4096,    16384,
				 262144, 1 << 20, 4 << 20, 16 << 20 };

/* ---- classes without a model ---- */

/* Kunkel 2015, 3: a Gamma process of shape 1 or 10, and Gaussian noise. */
static double toy_duration(struct lp_random *r, bool slow)
{
	double v = 5 + lp_random_normal(r);

	for (int i = 0; i < (slow ? 10 : 1); i++)
		v += lp_random_exponential(r);
	return v;
}

static void the_toy_example_splits_into_its_two_processes(void **state)
{
	double x[1000];
	bool slow[1000];
	size_t right = 0;
	struct lp_io_clusters c;
	struct lp_random r;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		lp_random_init(&r, seed, 0);
		for (size_t i = 0; i < 1000; i++) {
			slow[i] = lp_random_uniform(&r) < 0.5;
			x[i] = log(1e9 * fmax(toy_duration(&r, slow[i]), 0.1));
		}
		assert_int_equal(lp_io_clusters_init(&c, x, 1000), 0);
		assert_int_equal(c.n, 2);
		assert_int_equal(c.cluster[0].n + c.cluster[1].n, 1000);
		for (size_t i = 0; i < 1000; i++)
			right += lp_io_cluster_of(&c, x[i]) == slow[i];
		/* "Data points with unexpected long duration": few. */
		assert_true(c.n_slow < 30);
		lp_io_clusters_done(&c);
	}
	assert_true(right > 20 * 930);
}

static void clusters_far_apart_are_parted_though_nothing_lies_between(
	void **state)
{
	double x[400];
	struct lp_io_clusters c;
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 1, 0);
	for (size_t i = 0; i < 400; i++)
		x[i] = (i % 4 ? 7 : 16) + 0.05 * lp_random_normal(&r);
	assert_int_equal(lp_io_clusters_init(&c, x, 400), 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.cluster[0].n, 300);
	assert_true(c.cluster[0].to > 8 && c.cluster[0].to < 15);
	assert_true(c.limit > 16);
	lp_io_clusters_done(&c);
}

static void lone_operations_are_no_class_but_slow(void **state)
{
	double x[2000];
	struct lp_io_clusters c;
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 3, 0);
	for (size_t i = 0; i < 2000; i++)
		x[i] = 7 + 0.1 * lp_random_normal(&r);
	x[5] = 12;
	x[6] = 14;
	x[7] = 2; /* faster than all: nothing to complain about */
	assert_int_equal(lp_io_clusters_init(&c, x, 2000), 0);
	assert_int_equal(c.n, 1);
	assert_true(c.limit > 7.1 && c.limit < 7.8);
	assert_true(c.begin > 6.2 && c.begin < 6.9);
	assert_true(c.n_slow >= 2 && c.n_slow < 60);
	lp_io_clusters_done(&c);
}

static void equal_durations_are_one_class(void **state)
{
	double x[100];
	struct lp_io_clusters c;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = 5;
	assert_int_equal(lp_io_clusters_init(&c, x, 100), 0);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.n_slow, 0);
	lp_io_clusters_done(&c);
	assert_int_equal(lp_io_clusters_init(&c, x, 1), -EINVAL);
	assert_true(lp_io_log(0) == 0 && lp_io_log(1) == 0);
}

/* ---- models ---- */

static void sweep(struct toy *toy, uint8_t kind, double intercept, double slope)
{
	for (size_t i = 0; i < lp_array_size(sizes); i++)
		toy_fill(toy, kind, sizes[i], 400, intercept, slope);
}

static void train(struct lp_io_model *model, const struct lp_io_training *how)
{
	static const struct {
		const char *name;
		double intercept, slope;
	} factors[] = { { "discard", 300, 0.05 },
			{ "cached", 1000, 0.2 },
			{ "cached-rnd", 1500, 0.5 } };
	struct lp_io_trainer *t = lp_io_trainer_new();
	struct lp_error err;

	for (size_t i = 0; i < lp_array_size(factors); i++) {
		struct toy toy;

		toy_begin(&toy, 20000, i);
		sweep(&toy, LP_IO_READ, factors[i].intercept, factors[i].slope);
		sweep(&toy, LP_IO_WRITE, 2 * factors[i].intercept,
		      factors[i].slope);
		assert_int_equal(
			lp_io_trainer_add(t, factors[i].name, &toy.trace, &err),
			0);
		toy_end(&toy);
	}
	assert_int_equal(lp_io_trainer_finish(t, how, model, &err), 0);
	lp_io_trainer_free(t);
}

static void models_lie_above_nearly_all_operations(void **state)
{
	struct lp_io_training how = { .origin = { .host = "node1" } };
	struct lp_io_model model;
	const struct lp_io_factor *f;

	(void)state;
	train(&model, &how);
	assert_int_equal(model.n_factors, 6);
	assert_string_equal(model.beyond, "uncached");
	assert_string_equal(model.reference, "cached-rnd");
	f = lp_io_factor_named(&model, LP_IO_READ, "cached");
	assert_non_null(f);
	assert_int_equal(f->n_sizes, lp_array_size(sizes));
	/* A tenth above where 5 % of the density's maximum are left. */
	assert_true(f->small.line.intercept > 1000 * 1.1 * 1.1);
	assert_true(f->small.line.intercept < 1000 * 1.1 * 1.6);
	assert_true(f->large.line.intercept ==
		    lp_line_at(&f->small.line, LP_IO_PAGE));
	assert_true(f->large.line.slope > 0.2 && f->large.line.slope < 0.4);
	assert_true(f->small.error > 0.05 && f->small.error < 0.3);
	assert_true(f->small.unexplained < 0.02);
	assert_true(fabs(lp_io_usual(f, 1 << 20) / (1000 + 0.2 * (1 << 20)) -
			 1) < 0.05);
	assert_true(lp_io_usual(f, 32 << 20) > 1.9 * lp_io_usual(f, 16 << 20));
	lp_io_model_done(&model);
}

static void a_size_that_misbehaves_is_named_and_left_out(void **state)
{
	struct lp_io_training how = { .weights = LP_IO_ABSOLUTE };
	struct lp_io_trainer *t = lp_io_trainer_new();
	struct lp_io_model model;
	struct lp_error err;
	struct toy toy;

	(void)state;
	toy_begin(&toy, 20000, 5);
	for (size_t i = 0; i < lp_array_size(sizes); i++)
		toy_fill(&toy, LP_IO_WRITE, sizes[i], 300, 1000,
			 sizes[i] >= 4 << 20 ? 30 : 0.3);
	toy_fill(&toy, LP_IO_WRITE, 512 << 10, 20, 1000, 0.3);
	toy_fill(&toy, LP_IO_WRITE, 128 << 10, 300, 1000, 0.3);
	toy_fill(&toy, LP_IO_WRITE, 64 << 10, 300, 1000, 0.3);
	assert_int_equal(lp_io_trainer_add(t, "cached", &toy.trace, &err), 0);
	assert_int_equal(lp_io_trainer_finish(t, &how, &model, &err), 0);
	for (size_t i = 0; i < model.factor->n_sizes; i++) {
		const struct lp_io_size *s = &model.factor->size[i];

		assert_int_equal(s->use,
				 s->bytes >= 4 << 20 ? LP_IO_ODD : LP_IO_USED);
	}
	assert_int_equal(model.factor->n_few, 1);
	assert_true(model.factor->large.line.slope < 0.6);
	assert_true(model.factor->large.unexplained > 0.2);
	lp_io_model_done(&model);
	lp_io_trainer_free(t);
	toy_end(&toy);
}

static void what_cannot_be_a_model_is_refused(void **state)
{
	struct lp_io_training how = { .reference = "nothing" };
	struct lp_io_trainer *t = lp_io_trainer_new();
	struct lp_io_model model;
	struct lp_error err;
	struct toy toy;

	(void)state;
	toy_begin(&toy, 1000, 5);
	assert_int_equal(lp_io_trainer_add(t, "cached", &toy.trace, &err),
			 -EINVAL);
	assert_int_equal(lp_io_trainer_finish(t, &how, &model, &err), -EINVAL);
	toy_fill(&toy, LP_IO_READ, 4096, 40, 1000, 0);
	assert_int_equal(lp_io_trainer_add(t, "", &toy.trace, &err), -EINVAL);
	assert_int_equal(lp_io_trainer_add(t, "a b", &toy.trace, &err),
			 -EINVAL);
	assert_int_equal(lp_io_trainer_add(t, "cached", &toy.trace, &err), 0);
	assert_int_equal(lp_io_trainer_finish(t, &how, &model, &err), -EINVAL);
	assert_non_null(strstr(err.text, "50 operations"));
	toy_fill(&toy, LP_IO_READ, 4096, 40, 1000, 0);
	assert_int_equal(lp_io_trainer_add(t, "cached", &toy.trace, &err), 0);
	assert_int_equal(lp_io_trainer_finish(t, &how, &model, &err), -EINVAL);
	how = (struct lp_io_training){ .beyond = "cached" };
	assert_int_equal(lp_io_trainer_finish(t, &how, &model, &err), -EINVAL);
	how.beyond = "far";
	assert_int_equal(lp_io_trainer_finish(t, &how, &model, &err), 0);
	assert_string_equal(model.beyond, "far");
	lp_io_model_done(&model);
	lp_io_trainer_free(t);
	toy_end(&toy);
}

/* ---- classification ---- */

static void operations_get_the_class_they_were_made_of(void **state)
{
	struct lp_io_training how = { .weights = LP_IO_RELATIVE };
	struct lp_io_classifier c;
	struct lp_io_model model;
	struct toy toy;
	uint8_t class[4];

	(void)state;
	train(&model, &how);
	lp_io_classifier_init(&c, &model);
	assert_int_equal(c.n_classes, 4);
	assert_string_equal(c.name[0], "discard");
	assert_string_equal(c.name[3], "uncached");
	toy_begin(&toy, 10, 1);
	toy_add(&toy, LP_IO_READ, 4096, 1000 + 0.2 * 4096);
	toy_add(&toy, LP_IO_WRITE, 1 << 20, 0.05 * (1 << 20));
	toy_add(&toy, LP_IO_READ, 4096, 8e6);
	toy_add(&toy, LP_IO_READ, 4096, 500)->result = -EIO;
	lp_io_classify(&c, toy.trace.operation, 4, class);
	assert_string_equal(c.name[class[0]], "cached");
	assert_string_equal(c.name[class[1]], "discard");
	assert_string_equal(c.name[class[2]], "uncached");
	assert_int_equal(class[3], LP_IO_NOT_JUDGED);
	toy_end(&toy);
	lp_io_model_done(&model);
}

struct named_line {
	const char *name;
	double intercept, slope;
};

static void train_reads(struct lp_io_model *model,
			const struct named_line *factors, size_t n,
			enum lp_io_edges edges)
{
	struct lp_io_training how = { .weights = LP_IO_RELATIVE,
				      .edges = edges };
	struct lp_io_trainer *t = lp_io_trainer_new();
	struct lp_error err;

	for (size_t i = 0; i < n; i++) {
		struct toy toy;

		toy_begin(&toy, 20000, i);
		sweep(&toy, LP_IO_READ, factors[i].intercept, factors[i].slope);
		assert_int_equal(
			lp_io_trainer_add(t, factors[i].name, &toy.trace, &err),
			0);
		toy_end(&toy);
	}
	assert_int_equal(lp_io_trainer_finish(t, &how, model, &err), 0);
	lp_io_trainer_free(t);
}

/* Every cached operation was delayed to the triple; uncached ones are 20 to 80
   times as slow. */
static void operations_in_a_gap_belong_to_the_nearer_factor(void **state)
{
	static const struct named_line factors[] = { { "cached", 1000, 0.2 },
						     { "uncached", 80000, 4 } };
	struct lp_io_classifier c;
	struct lp_io_model strict, model;

	(void)state;
	train_reads(&strict, factors, 2, LP_IO_AT_LIMITS);
	train_reads(&model, factors, 2, LP_IO_BETWEEN);
	assert_true(model.factor[0].small.error ==
		    strict.factor[0].small.error);
	assert_true(model.factor[0].large.unexplained <=
		    strict.factor[0].large.unexplained);
	/* Nothing lies above the last one. */
	assert_true(model.factor[1].large.line.slope ==
		    strict.factor[1].large.line.slope);
	lp_io_classifier_init(&c, &model);
	for (size_t i = 0; i < lp_array_size(sizes); i++) {
		double usual = 1000 + 0.2 * (double)sizes[i];
		const struct lp_io_size *s = &model.factor[1].size[i];
		struct lp_io_operation o = { .kind = LP_IO_READ,
					     .result = sizes[i] };

		assert_true(s->begin_ns < s->median_ns);
		o.duration_ns = (int64_t)(3 * usual);
		assert_true((double)o.duration_ns >
			    lp_io_limit(&strict.factor[0], sizes[i]));
		assert_string_equal(c.name[lp_io_class_plain(&c, &o)],
				    "cached");
		o.duration_ns = (int64_t)(0.9 * s->begin_ns);
		assert_string_equal(c.name[lp_io_class_plain(&c, &o)],
				    "uncached");
	}
	lp_io_model_done(&strict);
	lp_io_model_done(&model);
}

/* A disk so slow that its largest operations are too few for a density. */
static void a_gap_goes_on_where_the_next_factor_was_not_measured(void **state)
{
	struct lp_io_training how = { .weights = LP_IO_RELATIVE,
				      .edges = LP_IO_BETWEEN };
	struct lp_io_trainer *t = lp_io_trainer_new();
	struct lp_io_model model;
	struct lp_error err;
	struct toy cached, uncached;

	(void)state;
	toy_begin(&cached, 20000, 1);
	toy_begin(&uncached, 20000, 2);
	sweep(&cached, LP_IO_READ, 1000, 0.2);
	for (size_t i = 0; i < lp_array_size(sizes) - 2; i++)
		toy_fill(&uncached, LP_IO_READ, sizes[i], 400, 4e6, 50);
	assert_int_equal(lp_io_trainer_add(t, "cached", &cached.trace, &err),
			 0);
	assert_int_equal(
		lp_io_trainer_add(t, "uncached", &uncached.trace, &err), 0);
	assert_int_equal(lp_io_trainer_finish(t, &how, &model, &err), 0);
	for (size_t i = 0; i < lp_array_size(sizes); i++) {
		double line = lp_io_limit(&model.factor[0], sizes[i]);

		assert_true(line > 3 * model.factor[0].size[i].limit_ns);
		assert_true(line < (4e6 + 50 * (double)sizes[i]) / 2);
	}
	lp_io_model_done(&model);
	lp_io_trainer_free(t);
	toy_end(&cached);
	toy_end(&uncached);
}

static void factors_without_a_gap_keep_their_limits(void **state)
{
	static const struct named_line factors[] = {
		{ "cached", 1000, 0.2 }, { "cached-rnd", 1100, 0.22 }
	};
	struct lp_io_model strict, model;

	(void)state;
	train_reads(&strict, factors, 2, LP_IO_AT_LIMITS);
	train_reads(&model, factors, 2, LP_IO_BETWEEN);
	for (size_t f = 0; f < 2; f++) {
		assert_true(model.factor[f].small.line.intercept ==
			    strict.factor[f].small.line.intercept);
		assert_true(model.factor[f].large.line.slope ==
			    strict.factor[f].large.line.slope);
	}
	lp_io_model_done(&strict);
	lp_io_model_done(&model);
}

/* Models at random, sizes and durations at random and at the very limits. */
static void random_model(struct lp_io_model *m, struct lp_random *r, size_t n,
			 bool crossing)
{
	*m = (struct lp_io_model){ .beyond = "beyond", .reference = "" };
	m->factor = lp_arena_alloc(&m->arena, n * sizeof(*m->factor));
	for (size_t i = 0; i < n; i++) {
		struct lp_io_factor *f = &m->factor[m->n_factors++];
		char name[8];

		snprintf(name, sizeof(name), "f%zu", i / 2);
		f->name = lp_arena_string(&m->arena, name);
		f->kind = i % 2;
		f->small.line.intercept = 1000 * lp_random_uniform(r);
		f->small.line.slope = crossing ? lp_random_uniform(r)
					       : f->small.line.intercept / 1000;
		/* Equal limits, too: the first counts. */
		if (i >= 2 && lp_random_uniform(r) < 0.3)
			f->small = m->factor[i - 2].small;
		f->large.line.intercept = lp_line_at(&f->small.line, 4096);
		f->large.line.slope =
			crossing ? lp_random_uniform(r) : f->small.line.slope;
		/* By less than rounding may hide. */
		if (i >= 2 && lp_random_uniform(r) < 0.02)
			f->large.line.intercept = nextafter(
				m->factor[i - 2].large.line.intercept, 0);
	}
}

static void random_operation(struct lp_io_operation *o,
			     const struct lp_io_model *m, struct lp_random *r)
{
	const struct lp_io_factor *f =
		&m->factor[lp_random_u64(r) % m->n_factors];
	int64_t bytes =
		(int64_t)(lp_random_u64(r) >> (40 + lp_random_u64(r) % 24));

	*o = (struct lp_io_operation){ .kind = (uint8_t)(lp_random_u64(r) % 3),
				       .result = bytes - (bytes % 50 == 3) };
	o->duration_ns = (int64_t)lp_io_limit(f, bytes) +
			 (int64_t)(lp_random_u64(r) % 3) - 1;
	if (lp_random_uniform(r) < 0.3)
		o->duration_ns = (int64_t)(lp_random_u64(r) >> 40);
}

static void the_fast_way_agrees_with_the_plain_one(void **state)
{
	static struct lp_io_operation o[5000];
	static uint8_t class[5000];
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 9, 0);
	for (unsigned round = 0; round < 120; round++) {
		size_t n = 1 + round % 20 * (round % 60 < 20 ? 1 : 3);
		struct lp_io_classifier c;
		struct lp_io_model m;

		random_model(&m, &r, n, round >= 60);
		lp_io_classifier_init(&c, &m);
		for (size_t i = 0; i < lp_array_size(o); i++)
			random_operation(&o[i], &m, &r);
		lp_io_classify(&c, o, lp_array_size(o), class);
		for (size_t i = 0; i < lp_array_size(o); i++)
			assert_int_equal(class[i],
					 lp_io_class_plain(&c, &o[i]));
		lp_io_model_done(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_toy_example_splits_into_its_two_processes),
		cmocka_unit_test(
			clusters_far_apart_are_parted_though_nothing_lies_between),
		cmocka_unit_test(lone_operations_are_no_class_but_slow),
		cmocka_unit_test(equal_durations_are_one_class),
		cmocka_unit_test(models_lie_above_nearly_all_operations),
		cmocka_unit_test(a_size_that_misbehaves_is_named_and_left_out),
		cmocka_unit_test(what_cannot_be_a_model_is_refused),
		cmocka_unit_test(operations_get_the_class_they_were_made_of),
		cmocka_unit_test(
			operations_in_a_gap_belong_to_the_nearer_factor),
		cmocka_unit_test(
			a_gap_goes_on_where_the_next_factor_was_not_measured),
		cmocka_unit_test(factors_without_a_gap_keep_their_limits),
		cmocka_unit_test(the_fast_way_agrees_with_the_plain_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
