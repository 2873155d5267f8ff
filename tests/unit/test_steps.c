/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens to recordings: wraps, resets, devices and clocks that come and
 * go. One story a test.
 */
#include "fake_stream.h"

#define S LP_NS_PER_S
#define TWO_32 (UINT64_C(1) << 32)
#define GONE UINT64_MAX /* in a list of values: no sample */
#define END (-1.0)

/* A builder with one column of one series: value[i] at time[i], up to END. */
static struct lp_builder *samples(const struct lp_class *class,
				  const char *name, const char *column,
				  const double *time, const uint64_t *value)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t panel = lp_builder_panel(b, class);
	size_t c = (size_t)lp_class_column(class, column);
	struct lp_row row;

	for (size_t i = 0; time[i] >= 0; i++) {
		lp_builder_tick(b, (int64_t)(time[i] * 1e9));
		if (value[i] == GONE)
			continue;
		lp_builder_row(b, panel, name, strlen(name), &row);
		lp_row_u64(&row, c, value[i]);
	}
	return b;
}

static struct fake_table run_one(struct lp_builder *b, int64_t step)
{
	struct fake_stream *fake = fake_new();

	fake_chunk(fake, b);
	return fake_run(fake, step);
}

#define assert_value(table, component, column, point, expected)                \
	do {                                                                   \
		double v_ = fake_value(&(table), component, column, point);    \
		double e_ = expected;                                          \
		if (isnan(e_) ? !isnan(v_) : v_ != e_)                         \
			fail_msg("%s at %g: %g, not %g", column,               \
				 (double)(point), v_, e_);                     \
	} while (0)

static const double ten[] = { 100, 101, 102, 103, 104, 105, 106, 107, END };

static void a_wrap_at_2_to_the_32_is_an_increase(void **state)
{
	const uint64_t v[] = {
		TWO_32 - 20, TWO_32 - 10, 5, 15, 25, 35, 45, 55
	};
	struct fake_table t =
		run_one(samples(&lp_class_disk, "sda", "rd_ms", ten, v), S);
	struct fake_table t5 =
		run_one(samples(&lp_class_disk, "sda", "rd_ms", ten, v), 5 * S);

	(void)state;
	assert_value(t, "h/sda", "rd_ms", 101, 10);
	assert_value(t, "h/sda", "rd_ms", 102, 15);
	assert_value(t, "h/sda", "rd_ms", 103, 10);
	assert_value(t5, "h/sda", "rd_ms", 105, 55);
	free(t.items);
	free(t5.items);
}

static void a_wrap_at_2_to_the_64_is_an_increase(void **state)
{
	const uint64_t v[] = {
		UINT64_MAX - 20, UINT64_MAX - 10, 4, 14, 24, 34, 44, 54
	};
	struct fake_table t =
		run_one(samples(&lp_class_disk, "sda", "rd_ios", ten, v), S);
	struct fake_table t5 = run_one(
		samples(&lp_class_disk, "sda", "rd_ios", ten, v), 5 * S);

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 102, 15);
	assert_value(t5, "h/sda", "rd_ios", 105, 55);
	free(t.items);
	free(t5.items);
}

static void a_full_counter_is_missing_until_it_counts_again(void **state)
{
	const uint64_t v[] = { 10,         20, TWO_32 - 1, TWO_32 - 1,
			       TWO_32 - 1, 30, 100,        150 };
	struct fake_table t =
		run_one(samples(&lp_class_ib, "p", "rcv_data", ten, v), S);
	struct fake_table t5 =
		run_one(samples(&lp_class_ib, "p", "rcv_data", ten, v), 5 * S);

	(void)state;
	assert_value(t, "h/p", "rcv_data", 101, 10);
	for (int i = 102; i <= 105; i++)
		assert_value(t, "h/p", "rcv_data", i, NAN);
	assert_value(t, "h/p", "rcv_data", 106, 70);
	/* 30 is more than 10, but it was cleared in between. */
	assert_value(t5, "h/p", "rcv_data", 105, NAN);
	free(t.items);
	free(t5.items);
}

static struct lp_builder *two_columns(uint64_t reads_after)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t panel = lp_builder_panel(b, &lp_class_disk);
	struct lp_row row;

	for (uint64_t i = 0; i < 8; i++) {
		lp_builder_tick(b, (int64_t)(100 + i) * S);
		lp_builder_row(b, panel, "sda", 3, &row);
		lp_row_u64(&row, 0, i < 4 ? 1000 + i : reads_after + i);
		lp_row_u64(&row, 4, i < 4 ? 5000 + i : i);
	}
	return b;
}

static void one_reset_counter_makes_all_of_its_device_missing(void **state)
{
	/* rd_ios is larger behind the reset: only wr_ios shows it. */
	struct fake_table t = run_one(two_columns(2000), S);

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 103, 1);
	assert_value(t, "h/sda", "rd_ios", 104, NAN);
	assert_value(t, "h/sda", "wr_ios", 104, NAN);
	assert_value(t, "h/sda", "rd_ios", 105, 1);
	assert_value(t, "h/sda", "wr_ios", 105, 1);
	free(t.items);
}

static struct fake_table with_boot(const char *first_boot,
				   const struct lp_event *event,
				   const char *second_boot)
{
	static const double before[] = { 100, 101, 102, END };
	static const double after[] = { 103, 104, 105, END };
	static const uint64_t v[] = { 10, 20, 30 }, w[] = { 500, 600, 700 };
	struct fake_stream *fake = fake_new();
	struct lp_inventory *inventory = lp_inventory_new("h", 0);

	lp_inventory_label(inventory, &inventory->labels, "boot_id",
			   first_boot);
	fake_inventory(fake, inventory);
	fake_chunk(fake, samples(&lp_class_disk, "sda", "rd_ios", before, v));
	if (event)
		fake_event(fake, event);
	inventory = lp_inventory_new("h", 0);
	lp_inventory_label(inventory, &inventory->labels, "boot_id",
			   second_boot);
	fake_inventory(fake, inventory);
	fake_chunk(fake, samples(&lp_class_disk, "sda", "rd_ios", after, w));
	return fake_run(fake, S);
}

static void a_reboot_is_a_reset_even_if_counters_look_larger(void **state)
{
	const struct lp_event boot = { .host = "h",
				       .time_ns = 1025 * S / 10,
				       .kind = LP_EVENT_BOOT };
	struct fake_table t = with_boot("", &boot, "");

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 102, 10);
	assert_value(t, "h/sda", "rd_ios", 103, NAN);
	assert_value(t, "h/sda", "rd_ios", 104, 100);
	free(t.items);
}

static void another_boot_id_is_a_reset(void **state)
{
	struct fake_table t = with_boot("one", NULL, "two");

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 103, NAN);
	assert_value(t, "h/sda", "rd_ios", 104, 100);
	free(t.items);
}

static void the_same_boot_id_again_is_none(void **state)
{
	const struct lp_label id = { "boot", "one" };
	const struct lp_event boot = { .host = "h",
				       .time_ns = 1025 * S / 10,
				       .kind = LP_EVENT_BOOT,
				       .pairs = &id,
				       .n_pairs = 1 };
	struct fake_table t = with_boot("one", &boot, "one");

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 103, 470);
	free(t.items);
}

static void a_plugged_in_device_begins_with_its_second_sample(void **state)
{
	const uint64_t v[] = { GONE, GONE, GONE, 7, 9, 12, 12, 13 };
	struct fake_table t =
		run_one(samples(&lp_class_disk, "sdb", "rd_ios", ten, v), S);

	(void)state;
	assert_null(fake_find(&t, "h/sdb", "rd_ios", 102 * S));
	assert_value(t, "h/sdb", "rd_ios", 103, NAN);
	assert_true(fake_find(&t, "h/sdb", "rd_ios", 103 * S)->present);
	assert_value(t, "h/sdb", "rd_ios", 104, 2);
	free(t.items);
}

static void an_unplugged_device_is_missing_not_zero(void **state)
{
	const uint64_t v[] = { 7, 9, GONE, GONE, 1, 2, 4, 8 };
	struct fake_table t =
		run_one(samples(&lp_class_disk, "sdb", "rd_ios", ten, v), S);

	(void)state;
	assert_value(t, "h/sdb", "rd_ios", 101, 2);
	for (int i = 102; i <= 104; i++)
		assert_value(t, "h/sdb", "rd_ios", i, NAN);
	assert_false(fake_find(&t, "h/sdb", "rd_ios", 102 * S)->present);
	assert_value(t, "h/sdb", "rd_ios", 105, 1);
	free(t.items);
}

static struct lp_inventory *names_and_ids(const char *a, const char *id_a,
					  const char *b, const char *id_b)
{
	struct lp_inventory *inventory = lp_inventory_new("h", 0);
	struct lp_component *c = lp_inventory_add(inventory, "disk", a);

	lp_inventory_label(inventory, &c->labels, "id", id_a);
	if (b) {
		c = lp_inventory_add(inventory, "disk", b);
		lp_inventory_label(inventory, &c->labels, "id", id_b);
	}
	return inventory;
}

static void a_renamed_device_with_the_same_wwid_goes_on(void **state)
{
	static const double before[] = { 100, 101, END };
	static const double after[] = { 102, 103, END };
	static const uint64_t v[] = { 10, 20 }, w[] = { 35, 45 };
	struct fake_stream *fake = fake_new();
	struct fake_table t;

	(void)state;
	fake_inventory(fake, names_and_ids("sdb", "wwid:1", NULL, NULL));
	fake_chunk(fake, samples(&lp_class_disk, "sdb", "rd_ios", before, v));
	fake_inventory(fake, names_and_ids("sdc", "wwid:1", NULL, NULL));
	fake_chunk(fake, samples(&lp_class_disk, "sdc", "rd_ios", after, w));
	t = fake_run(fake, S);
	assert_value(t, "h/sdc", "rd_ios", 102, 15);
	assert_int_equal(fake_find(&t, "h/sdc", "rd_ios", 102 * S)->track,
			 t.items[0].track);
	free(t.items);
}

static void another_device_under_the_same_name_is_another(void **state)
{
	static const double before[] = { 100, 101, END };
	static const double after[] = { 102, 103, END };
	static const uint64_t v[] = { 10, 20 }, w[] = { 35, 45 };
	struct fake_stream *fake = fake_new();
	struct fake_table t;

	(void)state;
	fake_inventory(fake, names_and_ids("sdb", "wwid:1", NULL, NULL));
	fake_chunk(fake, samples(&lp_class_disk, "sdb", "rd_ios", before, v));
	fake_inventory(fake, names_and_ids("sdb", "wwid:2", NULL, NULL));
	fake_chunk(fake, samples(&lp_class_disk, "sdb", "rd_ios", after, w));
	t = fake_run(fake, S);
	assert_value(t, "h/sdb", "rd_ios", 102, NAN);
	assert_value(t, "h/sdb", "rd_ios", 103, 10);
	assert_int_not_equal(fake_find(&t, "h/sdb", "rd_ios", 103 * S)->track,
			     t.items[0].track);
	free(t.items);
}

static void two_devices_that_swap_names_keep_their_counters(void **state)
{
	struct fake_stream *fake = fake_new();
	struct fake_table t;

	(void)state;
	for (uint64_t half = 0; half < 2; half++) {
		struct lp_builder *b = lp_builder_new("h");
		size_t panel = lp_builder_panel(b, &lp_class_disk);
		struct lp_row row;

		fake_inventory(
			fake,
			half ? names_and_ids("sda", "wwid:2", "sdb", "wwid:1")
			     : names_and_ids("sda", "wwid:1", "sdb", "wwid:2"));
		for (uint64_t i = 2 * half; i < 2 * half + 2; i++) {
			lp_builder_tick(b, (int64_t)(100 + i) * S);
			lp_builder_row(b, panel, half ? "sdb" : "sda", 3, &row);
			lp_row_u64(&row, 0, 1000 + i);
			lp_builder_row(b, panel, half ? "sda" : "sdb", 3, &row);
			lp_row_u64(&row, 0, 10 * i);
		}
		fake_chunk(fake, b);
	}
	t = fake_run(fake, S);
	assert_value(t, "h/sdb", "rd_ios", 102, 1);
	assert_value(t, "h/sda", "rd_ios", 102, 10);
	free(t.items);
}

static void paths_that_share_an_identity_go_by_name(void **state)
{
	static const double before[] = { 100, 101, END };
	static const uint64_t v[] = { 10, 20 };
	struct fake_stream *fake = fake_new();
	struct fake_table t;

	(void)state;
	fake_inventory(fake, names_and_ids("sda", "wwid:1", "sdb", "wwid:1"));
	fake_chunk(fake, samples(&lp_class_disk, "sda", "rd_ios", before, v));
	fake_chunk(fake, samples(&lp_class_disk, "sdb", "rd_ios", before, v));
	t = fake_run(fake, S);
	assert_value(t, "h/sda", "rd_ios", 101, 10);
	assert_value(t, "h/sdb", "rd_ios", 101, 10);
	free(t.items);
}

static int keep_alias(void *user, const struct lp_span *span,
		      struct lp_error *err)
{
	(void)err;
	snprintf(user, 32, "%s %s", span->name,
		 span->alias ? span->alias : "-");
	return 0;
}

static void the_latest_inventory_gives_the_alias(void **state)
{
	static const double time[] = { 100, 101, 102, END };
	static const uint64_t v[] = { 10, 20, 30 };
	struct lp_inventory *inventory = lp_inventory_new("h", 0);
	struct lp_component *c = lp_inventory_add(inventory, "disk", "dm-3");
	struct fake_stream *fake = fake_new();
	struct lp_steps_options options = { .step_ns = S,
					    .since_ns = LP_TIME_MIN,
					    .until_ns = LP_TIME_MAX,
					    .sink = keep_alias };
	char text[32];
	struct lp_steps *steps;
	struct lp_error err;

	(void)state;
	lp_inventory_label(inventory, &c->labels, "alias", "mpatha");
	fake_inventory(fake, inventory);
	fake_chunk(fake, samples(&lp_class_disk, "dm-3", "rd_ios", time, v));
	options.user = text;
	steps = lp_steps_new(&options);
	assert_int_equal(lp_steps_run(steps, &fake->stream, &err), 0);
	assert_string_equal(text, "dm-3 mpatha");
	lp_steps_free(steps);
	lp_stream_close(&fake->stream);
}

static void a_clock_set_forward_leaves_points_missing(void **state)
{
	const double time[] = { 100, 101, 102, 110, 111, END };
	const uint64_t v[] = { 0, 10, 20, 30, 40 };
	struct fake_table t =
		run_one(samples(&lp_class_disk, "sda", "rd_ios", time, v), S);

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 102, 10);
	assert_null(fake_find(&t, "h/sda", "rd_ios", 103 * S));
	assert_null(fake_find(&t, "h/sda", "rd_ios", 109 * S));
	assert_value(t, "h/sda", "rd_ios", 110, NAN);
	assert_value(t, "h/sda", "rd_ios", 111, 10);
	free(t.items);
}

/* A step of 20 s in which only 4 s passed: with the event it is not known. */
static void a_step_in_which_the_clock_was_set_forward_has_no_value(void **state)
{
	const double jump[] = { 100, 101, 102, 119, 120, 121, 140, END };
	const uint64_t v[] = { 10, 20, 30, 40, 50, 60, 250 };
	const struct lp_label how = { "set", "forward" };
	const struct lp_event set = { .host = "h",
				      .time_ns = 119 * S,
				      .kind = LP_EVENT_CLOCK,
				      .pairs = &how,
				      .n_pairs = 1 };
	struct fake_stream *fake = fake_new();
	struct fake_table told, untold = run_one(samples(&lp_class_disk, "sda",
							 "rd_ios", jump, v),
						 20 * S);

	(void)state;
	fake_event(fake, &set);
	fake_chunk(fake, samples(&lp_class_disk, "sda", "rd_ios", jump, v));
	told = fake_run(fake, 20 * S);
	assert_value(untold, "h/sda", "rd_ios", 120, 40);
	assert_value(told, "h/sda", "rd_ios", 120, NAN);
	assert_value(told, "h/sda", "rd_ios", 140, 200);
	free(told.items);
	free(untold.items);
}

static void when_the_clock_is_set_back_the_last_recorded_wins(void **state)
{
	const double time[] = { 100, 101, 102, 103, 101, 102, 103, 104, END };
	const uint64_t v[] = { 0, 10, 20, 30, 45, 56, 68, 81 };
	struct fake_table t =
		run_one(samples(&lp_class_disk, "sda", "rd_ios", time, v), S);
	struct fake_table t2 = run_one(
		samples(&lp_class_disk, "sda", "rd_ios", time, v), 10 * S);

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 101, NAN);
	assert_value(t, "h/sda", "rd_ios", 102, 11);
	assert_value(t, "h/sda", "rd_ios", 103, 12);
	assert_value(t, "h/sda", "rd_ios", 104, 13);
	assert_null(fake_find(&t2, "h/sda", "rd_ios", 110 * S));
	free(t.items);
	free(t2.items);
}

static void a_suspended_recorder_leaves_one_long_interval(void **state)
{
	const double time[] = { 100, 101, 102, 162, 163, END };
	const uint64_t v[] = { 0, 10, 20, 620, 630 };
	struct fake_table t0 =
		run_one(samples(&lp_class_disk, "sda", "rd_ios", time, v), 0);
	struct fake_table t1 =
		run_one(samples(&lp_class_disk, "sda", "rd_ios", time, v), S);

	(void)state;
	assert_value(t0, "h/sda", "rd_ios", 162, 600);
	assert_true(fake_find(&t0, "h/sda", "rd_ios", 162 * S)->seconds == 60);
	assert_value(t1, "h/sda", "rd_ios", 162, NAN);
	assert_value(t1, "h/sda", "rd_ios", 163, 10);
	free(t0.items);
	free(t1.items);
}

static void a_gap_inside_a_step_loses_nothing(void **state)
{
	const double time[] = { 100, 101, 107, 108, 109, 110, END };
	const uint64_t v[] = { 0, 10, 70, 80, 90, 100 };
	struct fake_table t = run_one(
		samples(&lp_class_disk, "sda", "rd_ios", time, v), 10 * S);

	(void)state;
	assert_value(t, "h/sda", "rd_ios", 110, 100);
	free(t.items);
}

static void rates_use_the_true_times(void **state)
{
	const double time[] = { 100.25, 101, 102.25, END };
	const uint64_t v[] = { 0, 10, 20 };
	struct fake_table t =
		run_one(samples(&lp_class_disk, "sda", "rd_ios", time, v), S);

	(void)state;
	assert_true(fake_find(&t, "h/sda", "rd_ios", 101 * S)->seconds == 0.75);
	assert_true(fake_find(&t, "h/sda", "rd_ios", 102 * S)->seconds == 1.25);
	free(t.items);
}

static void a_value_that_dips_is_left_out(void **state)
{
	const uint64_t v[] = { 1000000, 1000010, 1000008, 1000030,
			       1000040, 1000050, 1000060, 1000070 };
	struct fake_table t =
		run_one(samples(&lp_class_host, "-", "cpu_iowait", ten, v), S);

	(void)state;
	assert_value(t, "h-", "cpu_iowait", 101, 10);
	assert_value(t, "h-", "cpu_iowait", 102, NAN);
	assert_value(t, "h-", "cpu_iowait", 103, NAN);
	assert_value(t, "h-", "cpu_iowait", 104, 10);
	free(t.items);
}

static void levels_are_means_of_the_step(void **state)
{
	const uint64_t v[] = { 4, 6, 1, 2, 3, 4, 5, 9 };
	struct fake_table t = run_one(
		samples(&lp_class_disk, "sda", "in_flight", ten, v), 5 * S);

	(void)state;
	assert_value(t, "h/sda", "in_flight", 100, 4);
	assert_value(t, "h/sda", "in_flight", 105, (6 + 1 + 2 + 3 + 4) / 5.0);
	free(t.items);
}

static void weighted_levels_are_weighted(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t panel = lp_builder_panel(b, &lp_class_tcp);
	size_t sockets = (size_t)lp_class_column(&lp_class_tcp, "sockets");
	size_t cwnd = (size_t)lp_class_column(&lp_class_tcp, "cwnd");
	struct fake_table t;
	struct lp_row row;

	(void)state;
	for (uint64_t i = 0; i < 2; i++) {
		lp_builder_tick(b, (int64_t)(99 + i) * S);
		lp_builder_row(b, panel, "80>p", 4, &row);
		lp_row_u64(&row, sockets, i ? 3 : 1);
		lp_row_f64(&row, cwnd, i ? 10.5 : 20);
	}
	t = run_one(b, 10 * S);
	assert_value(t, "h:80>p", "cwnd", 100, (20 + 3 * 10.5) / 4);
	free(t.items);
}

static void absurd_times_do_no_harm(void **state)
{
	static const int64_t time[] = { INT64_MIN,     INT64_MAX, 0,
					INT64_MIN + 1, -S,        INT64_MAX };
	static const int64_t steps[] = { 0, 1, 2, S, 366 * 86400 * S };

	(void)state;
	for (size_t k = 0; k < lp_array_size(steps); k++) {
		struct lp_builder *b = lp_builder_new("h");
		size_t panel = lp_builder_panel(b, &lp_class_disk);
		struct fake_table t;
		struct lp_row row;

		for (size_t i = 0; i < lp_array_size(time); i++) {
			lp_builder_tick(b, time[i]);
			lp_builder_row(b, panel, "sda", 3, &row);
			lp_row_u64(&row, 0, 10 * i);
		}
		t = run_one(b, steps[k]);
		for (size_t i = 0; i < t.count; i++)
			assert_true(isnan(t.items[i].value) ||
				    t.items[i].value == 10);
		free(t.items);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrap_at_2_to_the_32_is_an_increase),
		cmocka_unit_test(a_wrap_at_2_to_the_64_is_an_increase),
		cmocka_unit_test(
			a_full_counter_is_missing_until_it_counts_again),
		cmocka_unit_test(
			one_reset_counter_makes_all_of_its_device_missing),
		cmocka_unit_test(
			a_reboot_is_a_reset_even_if_counters_look_larger),
		cmocka_unit_test(another_boot_id_is_a_reset),
		cmocka_unit_test(the_same_boot_id_again_is_none),
		cmocka_unit_test(
			a_plugged_in_device_begins_with_its_second_sample),
		cmocka_unit_test(an_unplugged_device_is_missing_not_zero),
		cmocka_unit_test(a_renamed_device_with_the_same_wwid_goes_on),
		cmocka_unit_test(another_device_under_the_same_name_is_another),
		cmocka_unit_test(
			two_devices_that_swap_names_keep_their_counters),
		cmocka_unit_test(the_latest_inventory_gives_the_alias),
		cmocka_unit_test(paths_that_share_an_identity_go_by_name),
		cmocka_unit_test(a_clock_set_forward_leaves_points_missing),
		cmocka_unit_test(
			a_step_in_which_the_clock_was_set_forward_has_no_value),
		cmocka_unit_test(
			when_the_clock_is_set_back_the_last_recorded_wins),
		cmocka_unit_test(a_suspended_recorder_leaves_one_long_interval),
		cmocka_unit_test(a_gap_inside_a_step_loses_nothing),
		cmocka_unit_test(rates_use_the_true_times),
		cmocka_unit_test(a_value_that_dips_is_left_out),
		cmocka_unit_test(levels_are_means_of_the_step),
		cmocka_unit_test(weighted_levels_are_weighted),
		cmocka_unit_test(absurd_times_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
