/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/timestamp.h"
#include "model/builder.h"
#include "survey/roster.h"

struct rig {
	struct lp_builder *builder;
	size_t panel;
};

static struct rig begin(void)
{
	struct rig rig = { .builder = lp_builder_new("h") };

	rig.panel = lp_builder_bare_panel(rig.builder, "disk");
	return rig;
}

/* A sample of the only series, at a time in seconds. */
static struct lp_row tick(struct rig *rig, int64_t time_s)
{
	struct lp_row row;

	assert_int_equal(lp_builder_tick(rig->builder, time_s * LP_NS_PER_S),
			 0);
	assert_true(lp_builder_row(rig->builder, rig->panel, "sda", 3, &row));
	return row;
}

/* Below 0: nothing in it tells. */
static double amount(struct rig *rig)
{
	struct lp_item item = { .kind = LP_ITEM_CHUNK,
				.chunk = lp_builder_chunk(rig->builder) };
	struct lp_roster roster = { 0 };
	double bytes;

	assert_int_equal(lp_roster_put(&roster, &item, NULL), 0);
	assert_int_equal(roster.n_items, 1);
	bytes = roster.items[0].has_bytes ? roster.items[0].bytes : -1;
	lp_roster_done(&roster);
	lp_builder_free(rig->builder);
	return bytes;
}

static size_t raw_column(struct rig *rig, const char *name)
{
	int c = lp_class_column(&lp_class_disk, name);

	assert_true(c >= 0);
	return lp_builder_column(rig->builder, rig->panel,
				 &lp_class_disk.columns[c]);
}

static void counters_tell_by_their_increase(void **state)
{
	struct rig rig = begin();
	size_t sectors = raw_column(&rig, "rd_sectors");

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct lp_row row = tick(&rig, 100 + i);

		if (i > 0) /* missing at first */
			lp_row_u64(&row, sectors, 1000 + 10 * (uint64_t)i);
	}
	assert_float_equal(amount(&rig), 20 * 512, 0);
}

static void a_counter_that_began_anew_tells_nothing(void **state)
{
	struct rig rig = begin();
	size_t sectors = raw_column(&rig, "rd_sectors");
	struct lp_row row;

	(void)state;
	row = tick(&rig, 100);
	lp_row_u64(&row, sectors, 1000);
	row = tick(&rig, 101);
	lp_row_u64(&row, sectors, 7);
	assert_float_equal(amount(&rig), 0, 0);
}

static void rates_tell_by_their_time(void **state)
{
	const struct lp_metric *metric =
		lp_class_metric(&lp_class_disk, "throughput");
	struct lp_column column = lp_metric_column(metric, NULL);
	struct rig rig = begin();
	size_t rate = lp_builder_column(rig.builder, rig.panel, &column);

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct lp_row row = tick(&rig, 100 + 10 * i);

		lp_row_f64(&row, rate, 5);
	}
	assert_float_equal(amount(&rig), 3 * 5 * 10, 1e-9);
}

static void what_tells_of_no_bytes_is_left_out(void **state)
{
	struct rig rig = begin();
	size_t ios = raw_column(&rig, "rd_ios");
	struct lp_row row;

	(void)state;
	row = tick(&rig, 100);
	lp_row_u64(&row, ios, 3);
	assert_float_equal(amount(&rig), -1, 0);
}

static void times_that_no_clock_shows_do_no_harm(void **state)
{
	const struct lp_metric *metric =
		lp_class_metric(&lp_class_disk, "throughput");
	struct lp_column column = lp_metric_column(metric, NULL);
	struct rig rig = begin();
	size_t rate = lp_builder_column(rig.builder, rig.panel, &column);
	struct lp_row row;

	(void)state;
	row = tick(&rig, LP_TIME_MIN / LP_NS_PER_S);
	lp_row_f64(&row, rate, 5);
	row = tick(&rig, LP_TIME_MAX / LP_NS_PER_S);
	lp_row_f64(&row, rate, 5);
	assert_float_equal(amount(&rig), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_tell_by_their_increase),
		cmocka_unit_test(a_counter_that_began_anew_tells_nothing),
		cmocka_unit_test(rates_tell_by_their_time),
		cmocka_unit_test(what_tells_of_no_bytes_is_left_out),
		cmocka_unit_test(times_that_no_clock_shows_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
