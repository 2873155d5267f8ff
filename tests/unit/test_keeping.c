/* SPDX-License-Identifier: Apache-2.0 */
/* Whether anything keeps the clock right, as a test tells it. */
#include "unit.h"

#include "base/timestamp.h"
#include "diagnose/conclude.h"
#include "record/keeping.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define MINUTE (60 * LP_NS_PER_S)

struct told {
	int status;
	struct lp_clock_keeping keeping;
	unsigned asked;
	struct lp_builder *samples;
	struct lp_notices notices;
	struct lp_keeping_log log;
};

static int tell(void *user, struct lp_clock_keeping *keeping)
{
	struct told *told = user;

	told->asked++;
	*keeping = told->keeping;
	return told->status;
}

/* The error in the sample of this time; NaN: none was noted. */
static double note(struct told *told, int64_t time_ns)
{
	const struct lp_clock clock = { .user = told, .keeping = tell };
	const struct lp_chunk *chunk;
	const struct lp_panel *panel;
	int column;

	lp_builder_tick(told->samples, time_ns);
	lp_keeping_note(&told->log, &clock, time_ns, told->samples,
			&told->notices);
	chunk = lp_builder_chunk(told->samples);
	panel = lp_chunk_panel(chunk, "host");
	if (!panel)
		return NAN;
	column = lp_panel_column(panel, "clock_error");
	return lp_values_number(&panel->series[0].values[column], LP_U64,
				chunk->n_samples - 1);
}

static void the_error_is_noted_once_a_minute(void **state)
{
	struct told told = { .keeping = { true, 250 },
			     .log = { .host = &lp_class_host } };

	(void)state;
	told.samples = lp_builder_new("h");
	assert_true(note(&told, 10 * MINUTE + 59 * LP_NS_PER_S) == 250);
	told.keeping.error_us = 300;
	assert_true(note(&told, 11 * MINUTE) == 300);
	assert_true(isnan(note(&told, 11 * MINUTE + LP_NS_PER_S)));
	assert_true(isnan(note(&told, 11 * MINUTE + 59 * LP_NS_PER_S)));
	assert_true(note(&told, 12 * MINUTE + LP_NS_PER_S) == 300);
	assert_int_equal(told.asked, 3);
	assert_int_equal(told.notices.count, 0);
	lp_builder_free(told.samples);
}

static void that_nothing_keeps_the_clock_is_said_when_it_begins(void **state)
{
	struct told told = { .keeping = { false, 16000000 },
			     .log = { .host = &lp_class_host } };
	struct lp_label room[LP_NOTICE_PAIRS + 1];
	struct lp_event event;

	(void)state;
	told.samples = lp_builder_new("h");
	note(&told, 10 * MINUTE);
	note(&told, 11 * MINUTE);
	assert_int_equal(told.notices.count, 1);
	told.keeping.synchronised = true;
	note(&told, 12 * MINUTE);
	note(&told, 13 * MINUTE);
	assert_int_equal(told.notices.count, 2);
	event = lp_notice_event(&told.notices.items[0], "h", room);
	assert_int_equal(event.kind, LP_EVENT_CLOCK);
	assert_int_equal(event.time_ns, 10 * MINUTE);
	assert_true(lp_event_is(&event, "synchronised", "no"));
	event = lp_notice_event(&told.notices.items[1], "h", room);
	assert_true(lp_event_is(&event, "synchronised", "yes"));
	lp_notices_done(&told.notices);
	lp_builder_free(told.samples);
}

static void a_kernel_that_does_not_tell_is_passed_over(void **state)
{
	struct told told = { .status = -EPERM,
			     .log = { .host = &lp_class_host } };

	(void)state;
	told.samples = lp_builder_new("h");
	assert_true(isnan(note(&told, 10 * MINUTE)));
	told.log.host = NULL;
	assert_true(isnan(note(&told, 11 * MINUTE)));
	assert_int_equal(told.asked, 1);
	assert_int_equal(told.notices.count, 0);
	lp_builder_free(told.samples);
}

/* ---- the note of the verdict ---- */

static void put_host(struct lp_survey *survey, const char *host,
		     const char *boot, bool kept)
{
	struct lp_inventory *inventory = lp_inventory_new(host, MINUTE);
	const struct lp_label no = { "synchronised", "no" };
	const struct lp_event event = { .host = host,
					.time_ns = MINUTE,
					.kind = LP_EVENT_CLOCK,
					.pairs = &no,
					.n_pairs = 1 };
	struct lp_item items[] = {
		{ .kind = LP_ITEM_INVENTORY, .inventory = inventory },
		{ .kind = LP_ITEM_EVENT, .event = &event },
	};
	struct lp_error err;

	lp_inventory_label(inventory, &inventory->labels, "boot_id", boot);
	lp_inventory_add(inventory, "disk", "sda");
	assert_int_equal(lp_survey_put(survey, &items[0], &err), 0);
	if (!kept)
		assert_int_equal(lp_survey_put(survey, &items[1], &err), 0);
	lp_inventory_free(inventory);
}

static void expect_note(struct lp_survey *survey, const char *text)
{
	struct lp_diagnosis d = { 0 };

	lp_survey_finish(survey);
	assert_int_equal(lp_diagnosis_note_clocks(&d, survey), 0);
	assert_int_equal(d.n_notes, text != NULL);
	if (text)
		assert_non_null(strstr(d.notes[0], text));
	lp_diagnosis_done(&d);
	lp_survey_done(survey);
}

static void hosts_with_such_clocks_are_noted(void **state)
{
	struct lp_survey survey = { .parts = LP_SURVEY_PEERS };

	(void)state;
	put_host(&survey, "oss1", "a", true);
	put_host(&survey, "oss2", "b", false);
	put_host(&survey, "oss20", "c", false);
	expect_note(&survey, "the clock of oss2, oss20 right");
}

static void hosts_of_one_kernel_have_one_clock(void **state)
{
	struct lp_survey survey = { .parts = LP_SURVEY_PEERS };

	(void)state;
	put_host(&survey, "oss1", "a", false);
	put_host(&survey, "oss2", "a", false);
	expect_note(&survey, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_error_is_noted_once_a_minute),
		cmocka_unit_test(
			that_nothing_keeps_the_clock_is_said_when_it_begins),
		cmocka_unit_test(a_kernel_that_does_not_tell_is_passed_over),
		cmocka_unit_test(hosts_with_such_clocks_are_noted),
		cmocka_unit_test(hosts_of_one_kernel_have_one_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
