/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "random_chunk.h"

static struct lp_builder *two_ticks_of_sda(void)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t disk = lp_builder_panel(b, &lp_class_disk);
	struct lp_row row;

	for (uint64_t i = 0; i < 2; i++) {
		lp_builder_tick(b, (int64_t)i);
		lp_builder_row(b, disk, "sda", 3, &row);
		lp_row_u64(&row, 0, 10 + i);
	}
	return b;
}

static void values_set_in_every_tick_need_no_presence(void **state)
{
	struct lp_builder *b = two_ticks_of_sda();
	const struct lp_chunk *chunk = lp_builder_chunk(b);
	const struct lp_values *v = &chunk->panels[0].series[0].values[0];

	(void)state;
	assert_int_equal(chunk->n_samples, 2);
	assert_null(v->present);
	assert_int_equal(v->bits[1], 11);
	assert_null(chunk->panels[0].series[0].values[1].bits);
	lp_builder_free(b);
}

static void an_instance_that_comes_late_is_missing_before(void **state)
{
	struct lp_builder *b = two_ticks_of_sda();
	const struct lp_values *v;
	struct lp_row row;

	(void)state;
	lp_builder_row(b, 0, "sdb", 3, &row);
	lp_row_u64(&row, 0, 7);
	v = &lp_builder_chunk(b)->panels[0].series[1].values[0];
	assert_false(lp_values_has(v, 0));
	assert_true(lp_values_has(v, 1));
	lp_builder_free(b);
}

static void an_instance_that_goes_is_missing_after(void **state)
{
	struct lp_builder *b = two_ticks_of_sda();
	const struct lp_values *v;

	(void)state;
	lp_builder_tick(b, 2);
	v = &lp_builder_chunk(b)->panels[0].series[0].values[0];
	assert_true(lp_values_has(v, 1));
	assert_false(lp_values_has(v, 2));
	lp_builder_clear(b);
	assert_int_equal(lp_builder_chunk(b)->panels[0].n_series, 0);
	lp_builder_free(b);
}

static void clearing_keeps_instances_that_are_still_there(void **state)
{
	struct lp_builder *b = two_ticks_of_sda();
	struct lp_row row;

	(void)state;
	lp_builder_clear(b);
	lp_builder_tick(b, 5);
	lp_builder_row(b, 0, "sda", 3, &row);
	lp_row_u64(&row, 0, 99);
	assert_int_equal(lp_builder_chunk(b)->panels[0].n_series, 1);
	assert_int_equal(
		lp_builder_chunk(b)->panels[0].series[0].values[0].bits[0], 99);
	lp_builder_free(b);
}

static void appending_a_chunk_copies_its_samples(void **state)
{
	struct lp_builder *a = two_ticks_of_sda();
	struct lp_builder *b = lp_builder_new("h");

	(void)state;
	assert_int_equal(lp_builder_append(b, lp_builder_chunk(a), 0, 1), 0);
	assert_int_equal(lp_builder_append(b, lp_builder_chunk(a), 1, 2), 0);
	assert_true(lp_chunk_equal(lp_builder_chunk(a), lp_builder_chunk(b)));
	lp_builder_free(a);
	lp_builder_free(b);
}

static void dropping_forgets_the_oldest_samples(void **state)
{
	struct lp_builder *b = two_ticks_of_sda();
	const struct lp_chunk *chunk;

	(void)state;
	lp_builder_drop(b, 1);
	chunk = lp_builder_chunk(b);
	assert_int_equal(chunk->n_samples, 1);
	assert_int_equal(chunk->time_ns[0], 1);
	assert_int_equal(chunk->panels[0].series[0].values[0].bits[0], 11);
	lp_builder_free(b);
}

static void a_row_knows_what_was_set_in_this_tick(void **state)
{
	struct lp_builder *b = two_ticks_of_sda();
	struct lp_row row;

	(void)state;
	lp_builder_row(b, 0, "sda", 3, &row);
	assert_true(lp_row_has(&row, 0));
	assert_false(lp_row_has(&row, 1));
	lp_builder_tick(b, 2);
	lp_builder_row(b, 0, "sda", 3, &row);
	assert_false(lp_row_has(&row, 0));
	lp_row_u64(&row, 1, 5);
	assert_true(lp_row_has(&row, 1));
	lp_builder_free(b);
}

static void a_bare_panel_has_only_the_columns_given(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	struct lp_column column = lp_metric_column(
		lp_class_metric(&lp_class_tcp, "retrans"), NULL);
	size_t panel = lp_builder_bare_panel(b, "tcp");

	(void)state;
	assert_int_equal(lp_builder_column(b, panel, &column), 0);
	assert_int_equal(lp_builder_chunk(b)->panels[0].n_columns, 1);
	assert_int_equal(lp_builder_chunk(b)->panels[0].columns[0].type,
			 LP_F64);
	assert_ptr_equal(lp_builder_chunk(b)->panels[0].class, &lp_class_tcp);
	lp_builder_free(b);
}

/* ---- whole rows and single values ---- */

#define DEVICES 7

/* One builder is given rows at once, the other value by value. */
struct twins {
	struct lp_builder *at_once, *singly;
	struct lp_row row[2][DEVICES];
	bool known[DEVICES];
	uint64_t rng;
};

static void put_row(struct twins *t, size_t d)
{
	uint64_t values[17], mask = UINT64_MAX >> (64 - 17);
	char name[8];

	snprintf(name, sizeof(name), "sd%zu", d);
	for (size_t c = 0; c < 17; c++)
		values[c] = random_below(&t->rng, 1000);
	/* Old kernels have fewer columns, some readers leave some out. */
	if (random_below(&t->rng, 4) == 0)
		mask >>= random_below(&t->rng, 17);
	if (random_below(&t->rng, 6) == 0)
		mask &= random_next(&t->rng);
	lp_builder_row(t->at_once, 0, name, strlen(name), &t->row[0][d]);
	lp_builder_row(t->singly, 0, name, strlen(name), &t->row[1][d]);
	lp_row_bits(&t->row[0][d], values, mask);
	for (size_t c = 0; c < 17; c++)
		if (mask >> c & 1)
			lp_row_u64(&t->row[1][d], c, values[c]);
	t->known[d] = true;
}

static void put_device(struct twins *t, size_t d)
{
	uint64_t what = random_below(&t->rng, 10);

	if (what < 5 && t->known[d]) {
		bool repeated = lp_row_repeat(&t->row[0][d]);

		assert_int_equal(repeated, lp_row_repeat(&t->row[1][d]));
		if (repeated)
			return;
	}
	if (what == 9)
		return;
	put_row(t, d);
	if (what == 8) /* asked for again */
		put_row(t, d);
	if (what == 7)
		assert_int_equal(lp_row_has(&t->row[0][d], 3),
				 lp_row_has(&t->row[1][d], 3));
}

static void expect_twins(struct twins *t)
{
	assert_true(lp_chunk_equal(lp_builder_chunk(t->at_once),
				   lp_builder_chunk(t->singly)));
}

/* What befalls builders between two ticks. */
static void disturb(struct twins *t)
{
	size_t n = random_below(&t->rng, 5);

	switch (random_below(&t->rng, 40)) {
	case 0:
		expect_twins(t);
		break;
	case 1:
		lp_builder_brief(t->at_once);
		break;
	case 2:
		lp_builder_drop(t->at_once, n);
		lp_builder_drop(t->singly, n);
		break;
	case 3:
		lp_builder_clear(t->at_once);
		lp_builder_clear(t->singly);
		memset(t->known, 0, sizeof(t->known));
		break;
	default:
		break;
	}
}

static void rows_at_once_are_rows_value_by_value(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct twins t = { .at_once = lp_builder_new("h"),
				   .singly = lp_builder_new("h"),
				   .rng = seed };

		lp_builder_panel(t.at_once, &lp_class_disk);
		lp_builder_panel(t.singly, &lp_class_disk);
		for (int64_t tick = 0; tick < 150; tick++) {
			lp_builder_tick(t.at_once, tick);
			lp_builder_tick(t.singly, tick);
			for (size_t d = 0; d < DEVICES; d++)
				put_device(&t, d);
			disturb(&t);
		}
		expect_twins(&t);
		lp_builder_free(t.at_once);
		lp_builder_free(t.singly);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_set_in_every_tick_need_no_presence),
		cmocka_unit_test(an_instance_that_comes_late_is_missing_before),
		cmocka_unit_test(an_instance_that_goes_is_missing_after),
		cmocka_unit_test(clearing_keeps_instances_that_are_still_there),
		cmocka_unit_test(appending_a_chunk_copies_its_samples),
		cmocka_unit_test(dropping_forgets_the_oldest_samples),
		cmocka_unit_test(a_row_knows_what_was_set_in_this_tick),
		cmocka_unit_test(a_bare_panel_has_only_the_columns_given),
		cmocka_unit_test(rows_at_once_are_rows_value_by_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
