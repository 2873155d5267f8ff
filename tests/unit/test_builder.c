/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "model/builder.h"

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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
