/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_stream.h"

#include "stats/random.h"
#include "table/matrix.h"

#define S LP_NS_PER_S

static const struct lp_matrix_metric *wanted(void)
{
	static const char *const names[] = { "wr_sec", "await", "tps" };
	static struct lp_matrix_metric metrics[4];

	for (size_t i = 0; i < 3; i++) {
		metrics[i].class = &lp_class_disk;
		metrics[i].metric = lp_class_metric(&lp_class_disk, names[i]);
	}
	return metrics;
}

/* A disk that writes `rate` sectors a second at seconds [from, to]. */
static struct lp_builder *writing(const char *host, int64_t from, int64_t to,
				  uint64_t rate)
{
	int column = lp_class_column(&lp_class_disk, "wr_sectors");
	struct lp_builder *b = lp_builder_new(host);
	size_t disk = lp_builder_panel(b, &lp_class_disk);
	struct lp_row row;

	for (int64_t t = from; t <= to; t++) {
		lp_builder_tick(b, t * S);
		lp_builder_row(b, disk, "sda", 3, &row);
		lp_row_u64(&row, (size_t)column, (uint64_t)t * rate);
	}
	return b;
}

static struct lp_matrix *matrix_of(struct fake_stream *fake, int64_t step_ns)
{
	struct lp_matrix_options options = {
		.step_ns = step_ns,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.metrics = wanted(),
	};
	struct lp_matrix *matrix = lp_matrix_new(&options);
	struct lp_error err;

	assert_non_null(matrix);
	assert_int_equal(lp_matrix_take(matrix, &fake->stream, &err), 0);
	lp_stream_close(&fake->stream);
	return matrix;
}

static void hosts_that_begin_at_other_times_share_a_grid(void **state)
{
	struct fake_stream *fake = fake_new();
	struct lp_matrix *matrix;
	int64_t first;

	(void)state;
	fake_chunk(fake, writing("late", 105, 110, 7));
	fake_chunk(fake, writing("early", 100, 107, 3));
	matrix = matrix_of(fake, S);
	assert_int_equal(lp_matrix_components(matrix), 2);
	assert_int_equal(lp_matrix_points(matrix, &first), 11);
	assert_true(first == 100 * S);
	assert_string_equal(lp_matrix_component(matrix, 0)->host, "late");
	assert_true(isnan(lp_matrix_value(matrix, 0, 0, 5)));
	assert_true(lp_matrix_value(matrix, 0, 0, 6) == 7);
	assert_true(lp_matrix_value(matrix, 0, 1, 6) == 3);
	assert_true(isnan(lp_matrix_value(matrix, 0, 1, 8)));
	lp_matrix_free(matrix);
}

static void a_coarser_step_covers_all_that_was_written(void **state)
{
	struct fake_stream *fake = fake_new();
	size_t components[] = { 0 };
	struct lp_matrix *matrix;
	int64_t first;
	double row[1];

	(void)state;
	fake_chunk(fake, writing("h", 100, 160, 4));
	matrix = matrix_of(fake, 10 * S);
	assert_int_equal(lp_matrix_points(matrix, &first), 7);
	lp_matrix_rows(matrix, 0, components, 1, 3, 1, row);
	assert_true(row[0] == 4);
	lp_matrix_free(matrix);
}

static void files_of_one_host_are_one_component(void **state)
{
	struct fake_stream *fake = fake_new();
	struct lp_matrix *matrix;
	struct lp_error err;

	(void)state;
	fake_chunk(fake, writing("h", 200, 205, 1));
	matrix = matrix_of(fake, S);
	fake = fake_new();
	fake_chunk(fake, writing("h", 190, 195, 2));
	assert_int_equal(lp_matrix_take(matrix, &fake->stream, &err), 0);
	lp_stream_close(&fake->stream);
	assert_int_equal(lp_matrix_components(matrix), 1);
	assert_true(lp_matrix_value(matrix, 0, 0, 1) == 2);
	assert_true(isnan(lp_matrix_value(matrix, 0, 0, 8)));
	assert_true(lp_matrix_value(matrix, 0, 0, 15) == 1);
	lp_matrix_free(matrix);
}

/*
 * A disk with two levels that the catalogue has no columns for, the one named
 * first being met first.
 */
static struct lp_builder *with_levels(const char *host, const char *one,
				      double a, const char *two, double b)
{
	struct lp_builder *builder = lp_builder_new(host);
	size_t disk = lp_builder_panel(builder, &lp_class_disk);
	const char *names[] = { one, two };
	double values[] = { a, b };
	struct lp_row row;

	for (int64_t t = 100; t <= 105; t++) {
		lp_builder_tick(builder, t * S);
		lp_builder_row(builder, disk, "sda", 3, &row);
		for (size_t i = 0; i < 2; i++) {
			struct lp_column level = { .name = names[i],
						   .unit = "ms",
						   .kind = LP_GAUGE,
						   .type = LP_F64 };
			size_t c = lp_builder_column(builder, disk, &level);

			lp_row_f64(&row, c, values[i]);
		}
	}
	return builder;
}

static void streams_with_columns_in_another_order_keep_their_values(
	void **state)
{
	struct fake_stream *fake = fake_new();
	struct lp_matrix *matrix;
	struct lp_error err;

	(void)state;
	fake_chunk(fake, with_levels("a", "wr_sec", 7, "await", 3));
	matrix = matrix_of(fake, S);
	fake = fake_new();
	fake_chunk(fake, with_levels("b", "await", 3, "wr_sec", 7));
	assert_int_equal(lp_matrix_take(matrix, &fake->stream, &err), 0);
	lp_stream_close(&fake->stream);
	assert_true(lp_matrix_value(matrix, 0, 0, 2) == 7);
	assert_true(lp_matrix_value(matrix, 0, 1, 2) == 7);
	lp_matrix_free(matrix);
}

/* ---- counters that rest ---- */

#define REST_TICKS 300
#define REST_COLUMNS 6

/*
 * Disks that rest for long, at ticks that are late, twice in a step or left
 * out; one begins anew now and then. Chunks end anywhere.
 */
static void put_resting(struct fake_stream *fake, struct lp_random *random)
{
	static const char *const names[REST_COLUMNS] = {
		"rd_ios", "rd_sectors", "rd_ms", "wr_ios", "wr_sectors", "wr_ms"
	};
	uint64_t counter[3][REST_COLUMNS] = { { 5 } };
	struct lp_builder *b = NULL;
	double t = 100;
	size_t panel = 0;
	bool works = false;

	for (int i = 0; i < REST_TICKS; i++) {
		struct lp_row row;

		if (!b) {
			b = lp_builder_new("h");
			panel = lp_builder_panel(b, &lp_class_disk);
		}
		t += lp_random_uniform(random) < 0.05
			     ? 4 * lp_random_uniform(random)
			     : 0.9 + 0.2 * lp_random_uniform(random);
		lp_builder_tick(b, (int64_t)(t * 1e9));
		works = lp_random_uniform(random) < 0.04 ? !works : works;
		for (int d = 0; d < 3; d++) {
			const char name[] = { 's', 'd', (char)('a' + d) };

			if (lp_random_uniform(random) < 0.003)
				memset(counter[d], 0, sizeof(counter[d]));
			lp_builder_row(b, panel, name, 3, &row);
			for (int c = 0; c < REST_COLUMNS; c++) {
				if (works && d < 2)
					counter[d][c] +=
						(uint64_t)(9 *
							   lp_random_uniform(
								   random));
				lp_row_u64(&row,
					   (size_t)lp_class_column(
						   &lp_class_disk, names[c]),
					   counter[d][c]);
			}
		}
		if (lp_random_uniform(random) < 0.03 || i + 1 == REST_TICKS) {
			fake_chunk(fake, b);
			b = NULL;
		}
	}
}

/* The same chunks, which say of each value that it is there. */
static void say_present(struct fake_stream *fake)
{
	for (size_t i = 0; i < fake->count; i++) {
		const struct lp_chunk *chunk = fake->items[i].chunk;
		struct lp_panel *panel = (struct lp_panel *)&chunk->panels[0];

		for (size_t v = 0; v < panel->n_series * panel->n_columns;
		     v++) {
			struct lp_values *values =
				&panel->series[v / panel->n_columns]
					 .values[v % panel->n_columns];

			if (!values->bits || values->present)
				continue;
			/* The builder's from now on. */
			values->present = malloc(chunk->n_samples);
			assert_non_null(values->present);
			memset(values->present, 1, chunk->n_samples);
		}
	}
}

static struct lp_matrix *matrix_of_resting(uint64_t seed, int64_t step_ns,
					   bool plainly)
{
	struct fake_stream *fake = fake_new();
	struct lp_random random;

	lp_random_init(&random, seed, 3);
	put_resting(fake, &random);
	if (plainly)
		say_present(fake);
	return matrix_of(fake, step_ns);
}

static bool same(double x, double y)
{
	return isnan(x) ? isnan(y) : x == y;
}

/* All ways to ask give the same, of any points and in any order of disks. */
static void check_ways(const struct lp_matrix *matrix, size_t points,
		       struct lp_random *random)
{
	size_t metric = (size_t)(3 * lp_random_uniform(random));
	size_t k = (size_t)((double)points * lp_random_uniform(random));
	size_t n = (size_t)((double)(points - k) * lp_random_uniform(random));
	size_t who[] = { 2, 0, 7, 1 }; /* 7: nobody */
	double rows[4 * 4 * REST_TICKS], series[4 * REST_TICKS];
	bool rests = true, zero;

	assert_true(points <= 4 * REST_TICKS);
	lp_matrix_rows(matrix, metric, who, 4, k, n, rows);
	for (size_t c = 0; c < 4; c++) {
		bool zeros = true;

		zero = lp_matrix_series(matrix, metric, who[c], k, n, series);
		for (size_t r = 0; r < n; r++) {
			double v =
				lp_matrix_value(matrix, metric, who[c], k + r);

			assert_true(same(v, rows[r * 4 + c]));
			assert_true(same(v, series[r]));
			zeros &= v == 0;
			rests &= isnan(v) || v == 0;
		}
		assert_true(zero == zeros);
	}
	assert_true(lp_matrix_rests(matrix, metric, who, 4, k, n) == rests);
	/* One that never does anything, by itself. */
	lp_matrix_rows(matrix, metric, who, 1, k, n, rows);
	for (size_t r = 0; r < n; r++)
		assert_true(same(rows[r],
				 lp_matrix_value(matrix, metric, 2, k + r)));
}

static void all_ways_to_ask_give_the_same(void **state)
{
	struct lp_random random;
	int64_t first;

	(void)state;
	lp_random_init(&random, 11, 1);
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct lp_matrix *matrix = matrix_of_resting(seed, S, false);
		size_t points = lp_matrix_points(matrix, &first);

		for (int i = 0; i < 50; i++)
			check_ways(matrix, points, &random);
		lp_matrix_free(matrix);
	}
}

/* What says of each value that it is there is never taken to rest. */
static void what_rests_is_as_if_it_were_computed(void **state)
{
	int64_t first[2];

	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		int64_t step = (seed % 4 ? 1 : 5) * S;
		struct lp_matrix *fast = matrix_of_resting(seed, step, false);
		struct lp_matrix *plain = matrix_of_resting(seed, step, true);
		size_t n = lp_matrix_points(plain, &first[0]);

		assert_int_equal(lp_matrix_points(fast, &first[1]), n);
		assert_true(first[0] == first[1]);
		for (size_t m = 0; m < 3; m++)
			for (size_t i = 0; i < 3 * n; i++) {
				double x =
					lp_matrix_value(fast, m, i % 3, i / 3);
				double y =
					lp_matrix_value(plain, m, i % 3, i / 3);

				assert_true(isnan(x) ? isnan(y) : x == y);
			}
		lp_matrix_free(fast);
		lp_matrix_free(plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_that_begin_at_other_times_share_a_grid),
		cmocka_unit_test(a_coarser_step_covers_all_that_was_written),
		cmocka_unit_test(files_of_one_host_are_one_component),
		cmocka_unit_test(
			streams_with_columns_in_another_order_keep_their_values),
		cmocka_unit_test(what_rests_is_as_if_it_were_computed),
		cmocka_unit_test(all_ways_to_ask_give_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
