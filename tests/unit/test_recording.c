/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_maker.h"

#include "cluster/step.h"
#include "detect/reach.h"

static void make_host(struct maker *m, const char *host, int64_t n,
		      int64_t interval)
{
	maker_host(m, host, NULL);
	maker_add(m, "disk", "d0", NULL, 10);
	maker_end(m, 0, n, interval);
}

static int64_t step_of(struct maker *m, int64_t wanted, char *note)
{
	maker_read(m);
	return lp_step_choose(&m->recording, &lp_detector_cdf, wanted, note);
}

static void short_recordings_keep_their_interval(void **state)
{
	struct maker m = { 0 };
	char note[LP_STEP_NOTE];

	(void)state;
	make_host(&m, "a", 7000, 1);
	assert_int_equal(step_of(&m, 0, note), S);
	assert_string_equal(note, "");
	maker_done(&m, NULL);
}

static void long_recordings_are_seen_in_steps_of_15_s(void **state)
{
	struct maker m = { 0 };
	char note[LP_STEP_NOTE];

	(void)state;
	make_host(&m, "a", 1000, 10);
	/* Ten does not divide fifteen. */
	assert_int_equal(step_of(&m, 0, note), 20 * S);
	maker_done(&m, NULL);
}

static void limpids_own_detector_sees_long_ones_in_its_blocks(void **state)
{
	(void)state;
	assert_int_equal(lp_step_default(&lp_detector_limpid, S, 7000 * S), S);
	assert_int_equal(lp_step_default(&lp_detector_limpid, S, 7200 * S),
			 10 * S);
	assert_int_equal(lp_step_default(&lp_detector_limpid, 4 * S, 7200 * S),
			 8 * S);
	assert_int_equal(lp_step_default(&lp_detector_limpid, 30 * S, 7200 * S),
			 30 * S);
}

/* A state keeps as much, so that the next day goes on as if nothing ended. */
static void verdicts_depend_on_so_much_of_the_past(void **state)
{
	static const struct lp_detector_params usual;
	struct lp_detector_params cdf =
		lp_detector_params_at(&lp_detector_cdf, &usual, 15 * S);
	struct lp_detector_params own =
		lp_detector_params_at(&lp_detector_limpid, &usual, 10 * S);

	(void)state;
	/* A window, its moving average, and those of the vote. */
	assert_int_equal(lp_detector_looks_back(&lp_detector_cdf, &cdf, 15 * S),
			 (60 + 15 + 7 * 30) * 15 * S);
	/* 240 blocks of 10 s, the first of which ends a window of 96. */
	assert_int_equal(
		lp_detector_looks_back(&lp_detector_limpid, &own, 10 * S),
		(240 + 96 + 1) * 10 * S);
}

static void a_host_at_another_interval_is_noted(void **state)
{
	struct maker m = { 0 };
	char note[LP_STEP_NOTE];

	(void)state;
	make_host(&m, "fast", 100, 1);
	make_host(&m, "slow", 10, 10);
	assert_int_equal(step_of(&m, 0, note), 10 * S);
	assert_string_equal(note, "slow was recorded every 10 s, others every "
				  "1 s: all are compared in steps of 10 s");
	maker_done(&m, NULL);
}

static void a_wanted_step_is_rounded_up_with_a_note(void **state)
{
	struct maker m = { 0 };
	char note[LP_STEP_NOTE];

	(void)state;
	make_host(&m, "a", 100, 10);
	assert_int_equal(step_of(&m, 25 * S, note), 30 * S);
	assert_non_null(strstr(note, "the next multiple"));
	assert_int_equal(
		lp_step_choose(&m.recording, &lp_detector_cdf, 20 * S, note),
		20 * S);
	assert_string_equal(note, "");
	maker_done(&m, NULL);
}

static void no_samples_give_no_step(void **state)
{
	struct maker m = { 0 };
	char note[LP_STEP_NOTE];

	(void)state;
	assert_int_equal(step_of(&m, 0, note), 0);
	assert_int_equal(lp_survey_span(&m.recording), 0);
	assert_null(lp_survey_host(&m.recording, "a"));
	maker_done(&m, NULL);
}

static void an_orderly_stop_is_remembered_until_the_next_start(void **state)
{
	static const struct lp_event events[] = {
		{ .host = "a", .time_ns = 0, .kind = LP_EVENT_START },
		{ .host = "a", .time_ns = 50 * S, .kind = LP_EVENT_STOP },
		{ .host = "b", .time_ns = 50 * S, .kind = LP_EVENT_BOOT },
		{ .host = "a", .time_ns = 90 * S, .kind = LP_EVENT_START },
	};
	struct maker m = { 0 };

	(void)state;
	make_host(&m, "a", 100, 1);
	for (size_t i = 0; i < lp_array_size(events); i++)
		fake_event(m.fake, &events[i]);
	maker_read(&m);
	assert_int_equal(m.recording.n_events, 4);
	assert_int_equal(m.recording.events[0].host, 0);
	assert_int_equal(m.recording.events[2].host, UINT32_MAX);
	assert_false(lp_survey_stopped(&m.recording, "a", 49 * S));
	assert_true(lp_survey_stopped(&m.recording, "a", 60 * S));
	assert_false(lp_survey_stopped(&m.recording, "a", 95 * S));
	assert_false(lp_survey_stopped(&m.recording, "b", 60 * S));
	maker_done(&m, NULL);
}

static void what_moved_is_told_in_bytes(void **state)
{
	struct maker m = { 0 };

	(void)state;
	make_host(&m, "a", 11, 1);
	maker_read(&m);
	assert_true(m.recording.roster.items[0].has_bytes);
	assert_float_equal(m.recording.roster.items[0].bytes, 10 * 10 * 512, 0);
	maker_done(&m, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_recordings_keep_their_interval),
		cmocka_unit_test(long_recordings_are_seen_in_steps_of_15_s),
		cmocka_unit_test(
			limpids_own_detector_sees_long_ones_in_its_blocks),
		cmocka_unit_test(verdicts_depend_on_so_much_of_the_past),
		cmocka_unit_test(a_host_at_another_interval_is_noted),
		cmocka_unit_test(a_wanted_step_is_rounded_up_with_a_note),
		cmocka_unit_test(no_samples_give_no_step),
		cmocka_unit_test(
			an_orderly_stop_is_remembered_until_the_next_start),
		cmocka_unit_test(what_moved_is_told_in_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
