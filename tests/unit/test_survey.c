/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_stream.h"

#include "survey/survey.h"

#define S LP_NS_PER_S

/* Samples at the given times; sda counts, sdb does not. */
static struct lp_builder *two_disks(const char *host, const double *seconds,
				    size_t n)
{
	struct lp_builder *b = lp_builder_new(host);
	size_t panel = lp_builder_panel(b, &lp_class_disk);
	struct lp_row row;

	for (size_t i = 0; i < n; i++) {
		lp_builder_tick(b, (int64_t)(seconds[i] * 1e9));
		lp_builder_row(b, panel, "sda", 3, &row);
		lp_row_u64(&row, 0, 10 + i / 2);
		lp_builder_row(b, panel, "sdb", 3, &row);
		lp_row_u64(&row, 0, 77);
	}
	return b;
}

static struct lp_survey survey_of(struct fake_stream *fake)
{
	struct lp_survey survey = { .parts = LP_SURVEY_COMPONENTS |
					     LP_SURVEY_CADENCE };
	struct lp_error err;

	assert_int_equal(lp_survey_run(&survey, &fake->stream, &err), 0);
	lp_survey_finish(&survey);
	lp_stream_close(&fake->stream);
	return survey;
}

static bool is_active(const struct lp_survey *survey, const char *name)
{
	const struct lp_roster_item *item =
		lp_roster_who(&survey->roster, "h", "disk", name, NULL);

	return item && lp_roster_is_active(item);
}

static void the_cadence_is_the_usual_distance_of_samples(void **state)
{
	static const double t[] = { 100.003, 101.001, 102, 109, 110.2, 111 };
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;

	(void)state;
	fake_chunk(fake, two_disks("h", t, lp_array_size(t)));
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == S);
	assert_int_equal(survey.roster.hosts[0].n_samples, 6);
	lp_survey_done(&survey);
}

static void a_counter_that_is_logged_less_often_counts(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t disk = lp_builder_panel(b, &lp_class_disk);
	size_t host = lp_builder_panel(b, &lp_class_host);
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;
	struct lp_row row;

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		lp_builder_tick(b, (int64_t)i * S / 2);
		lp_builder_row(b, host, "-", 1, &row);
		lp_row_u64(&row, 0, i);
		if (i % 4 || i == 20)
			continue;
		lp_builder_row(b, disk, "sda", 3, &row);
		lp_row_u64(&row, 0, i);
	}
	fake_chunk(fake, b);
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == 2 * S);
	lp_survey_done(&survey);
}

static void the_longest_cadence_of_all_hosts_counts(void **state)
{
	static const double t[] = { 100, 101, 102 }, u[] = { 100, 160, 220 };
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;

	(void)state;
	fake_chunk(fake, two_disks("a", t, lp_array_size(t)));
	fake_chunk(fake, two_disks("b", u, lp_array_size(u)));
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == 60 * S);
	lp_survey_done(&survey);
}

static void what_the_recorder_says_of_its_interval_holds(void **state)
{
	static const double t[] = { 100, 101, 102 };
	struct fake_stream *fake = fake_new();
	struct lp_inventory *inventory = lp_inventory_new("h", 0);
	struct lp_survey survey;

	(void)state;
	lp_inventory_label(inventory, &inventory->labels, "interval_ns",
			   "5000000000");
	fake_inventory(fake, inventory);
	fake_chunk(fake, two_disks("h", t, lp_array_size(t)));
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == 5 * S);
	lp_survey_done(&survey);
}

static void a_component_that_never_counted_is_idle(void **state)
{
	static const double t[] = { 100, 101, 102 };
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;

	(void)state;
	fake_chunk(fake, two_disks("h", t, lp_array_size(t)));
	survey = survey_of(fake);
	assert_true(is_active(&survey, "sda"));
	assert_false(is_active(&survey, "sdb"));
	assert_false(is_active(&survey, "sdc"));
	lp_survey_done(&survey);
}

static void activity_between_two_chunks_is_seen(void **state)
{
	static const double t[] = { 100 }, u[] = { 101, 102, 103 };
	struct fake_stream *fake = fake_new();
	struct lp_builder *b = two_disks("h", t, 1);
	struct lp_survey survey;
	struct lp_row row;

	(void)state;
	lp_builder_row(b, 0, "sdb", 3, &row);
	lp_row_u64(&row, 0, 76);
	fake_chunk(fake, b);
	fake_chunk(fake, two_disks("h", u, lp_array_size(u)));
	survey = survey_of(fake);
	assert_true(is_active(&survey, "sdb"));
	lp_survey_done(&survey);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cadence_is_the_usual_distance_of_samples),
		cmocka_unit_test(a_counter_that_is_logged_less_often_counts),
		cmocka_unit_test(the_longest_cadence_of_all_hosts_counts),
		cmocka_unit_test(what_the_recorder_says_of_its_interval_holds),
		cmocka_unit_test(a_component_that_never_counted_is_idle),
		cmocka_unit_test(activity_between_two_chunks_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
