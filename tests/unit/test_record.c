/* SPDX-License-Identifier: Apache-2.0 */
/* What the recorder decides without a clock or a kernel. */
#include "unit.h"

#include "base/timestamp.h"
#include "record/job.h"
#include "record/naming.h"
#include "record/notice.h"
#include "record/sampler.h"
#include "record/tick.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int64_t at(const char *text)
{
	int64_t t = 0;

	assert_int_equal(lp_time_parse(text, strlen(text), &t), 0);
	return t;
}

static void ticks_are_whole_multiples_of_the_interval(void **state)
{
	int64_t s = LP_NS_PER_S;

	(void)state;
	assert_int_equal(lp_tick_after(10 * s + 1, s), 11 * s);
	assert_int_equal(lp_tick_after(10 * s - 1, s), 10 * s);
	assert_int_equal(lp_tick_after(at("2026-11-15T20:45:14Z"), 60 * s),
			 at("2026-11-15T20:46:00Z"));
	assert_int_equal(lp_tick_after(at("2026-11-15T20:45:14.05Z"), s / 10),
			 at("2026-11-15T20:45:14.1Z"));
}

static void a_tick_at_the_moment_itself_is_the_next_one(void **state)
{
	(void)state;
	assert_int_equal(lp_tick_after(10 * LP_NS_PER_S, LP_NS_PER_S),
			 11 * LP_NS_PER_S);
}

static void ticks_before_the_epoch_are_aligned_too(void **state)
{
	(void)state;
	assert_int_equal(lp_tick_after(-1, LP_NS_PER_S), 0);
	assert_int_equal(lp_tick_after(-LP_NS_PER_S - 1, LP_NS_PER_S),
			 -LP_NS_PER_S);
}

static void sample_times_are_rounded_to_microseconds(void **state)
{
	(void)state;
	assert_int_equal(lp_tick_round(1499), 1000);
	assert_int_equal(lp_tick_round(1500), 2000);
	assert_int_equal(lp_tick_round(2000), 2000);
}

static void a_day_begins_five_seconds_after_midnight(void **state)
{
	int64_t day = lp_tick_day(at("2026-11-15T12:00:00Z"));

	(void)state;
	assert_int_equal(lp_tick_day(at("2026-11-16T00:00:04.999999Z")), day);
	assert_int_equal(lp_tick_day(at("2026-11-16T00:00:05Z")), day + 1);
	assert_int_equal(lp_tick_day(at("2026-11-15T00:00:05Z")), day);
	assert_int_equal(lp_tick_day(at("2026-11-15T00:00:04Z")), day - 1);
}

static void a_file_is_named_after_its_first_sample(void **state)
{
	char *path = lp_archive_path("/d", "oss1.example.org",
				     at("2026-11-15T20:45:14.7Z"));

	(void)state;
	assert_string_equal(path,
			    "/d/oss1.example.org-20261115T204514Z.limpid");
	free(path);
}

static void a_host_name_cannot_leave_the_directory(void **state)
{
	char text[NAME_MAX];

	(void)state;
	lp_host_for_file("../../etc/x", text);
	assert_string_equal(text, "_._.._etc_x");
}

static void only_the_host_s_own_archives_are_its_own(void **state)
{
	(void)state;
	assert_true(lp_archive_is_of("a-20261115T204514Z.limpid", "a"));
	assert_false(lp_archive_is_of("a-b-20261115T204514Z.limpid", "a"));
	assert_false(lp_archive_is_of("ab-20261115T204514Z.limpid", "a"));
	assert_false(lp_archive_is_of("a-20261115T204514Z.limpid.bak", "a"));
	assert_false(lp_archive_is_of("a-20261115T2045Z.limpid", "a"));
	assert_false(lp_archive_is_of("a", "a"));
}

static void ten_minutes_are_kept_when_nothing_can_be_written(void **state)
{
	(void)state;
	assert_int_equal(lp_samples_to_keep(LP_NS_PER_S), 600);
	assert_int_equal(lp_samples_to_keep(10 * LP_NS_PER_S), 60);
	assert_int_equal(lp_samples_to_keep(LP_NS_PER_S / 10), 600);
	assert_int_equal(lp_samples_to_keep(3600 * LP_NS_PER_S), 2);
}

static void a_batch_is_written_within_ten_seconds(void **state)
{
	(void)state;
	assert_int_equal(lp_batch_wait(LP_NS_PER_S), 9 * LP_NS_PER_S);
	assert_int_equal(lp_batch_wait(3 * LP_NS_PER_S), 9 * LP_NS_PER_S);
	assert_int_equal(lp_batch_wait(10 * LP_NS_PER_S), 0);
	assert_int_equal(lp_batch_wait(3600 * LP_NS_PER_S), 0);
	assert_int_equal(lp_batch_wait(LP_NS_PER_S / 10),
			 31 * LP_NS_PER_S / 10);
}

static struct lp_job a_job(void)
{
	return (struct lp_job){ .reader = &lp_reader_diskstats };
}

static void an_absent_file_is_no_news(void **state)
{
	struct lp_notices notices = { 0 };
	struct lp_job job = a_job();
	struct lp_error err;

	(void)state;
	lp_fail(&err, ENOENT, "no such file");
	lp_job_fetched(&job, 1, -ENOENT, &err);
	lp_job_report(&job, 1, &notices);
	assert_int_equal(notices.count, 0);
	assert_false(lp_job_due(&job, 2));
	assert_true(lp_job_due(&job, 61 * LP_NS_PER_S));
}

static void a_failure_is_said_once_and_its_end_too(void **state)
{
	struct lp_notices notices = { 0 };
	struct lp_job job = a_job();
	struct lp_error err;

	(void)state;
	lp_fail(&err, EACCES, "cannot open it");
	for (int64_t i = 0; i < 5; i++) {
		lp_job_fetched(&job, i, -EACCES, &err);
		lp_job_report(&job, i, &notices);
	}
	assert_int_equal(notices.count, 1);
	assert_non_null(strstr(notices.items[0].text, "cannot open it"));
	for (int64_t i = 0; i < 5; i++) {
		lp_job_fetched(&job, i, 0, &err);
		lp_job_parsed(&job, 0, &err);
		lp_job_report(&job, i, &notices);
	}
	assert_int_equal(notices.count, 2);
	lp_notices_done(&notices);
}

static void a_file_that_goes_after_it_worked_is_a_failure(void **state)
{
	struct lp_notices notices = { 0 };
	struct lp_job job = a_job();
	struct lp_error err;

	(void)state;
	lp_fail(&err, ENOENT, "gone");
	lp_job_fetched(&job, 1, 0, &err);
	lp_job_parsed(&job, 0, &err);
	lp_job_fetched(&job, 2, -ENOENT, &err);
	lp_job_report(&job, 2, &notices);
	assert_int_equal(notices.count, 1);
	lp_notices_done(&notices);
}

static void a_reader_that_flaps_is_heard_now_and_then(void **state)
{
	struct lp_notices notices = { 0 };
	struct lp_job job = a_job();

	(void)state;
	for (int64_t i = 0; i < 100; i++) {
		lp_job_stuck(&job, LP_NS_PER_S);
		lp_job_report(&job, i * LP_NS_PER_MS, &notices);
		lp_job_freed(&job);
		lp_job_report(&job, i * LP_NS_PER_MS, &notices);
	}
	assert_in_range(notices.count, 2, 10);
	lp_notices_done(&notices);
}

static void a_stuck_reader_is_left_alone(void **state)
{
	struct lp_job job = a_job();

	(void)state;
	lp_job_stuck(&job, LP_NS_PER_S);
	assert_false(lp_job_due(&job, INT64_MAX));
	lp_job_freed(&job);
	assert_true(lp_job_due(&job, 0));
}

static void notices_beyond_the_queue_are_dropped(void **state)
{
	struct lp_notices notices = { 0 }, more = { 0 };

	(void)state;
	for (int i = 0; i < LP_NOTICES + 5; i++)
		lp_notice_add(&notices, LP_EVENT_READER, "%d", i);
	assert_int_equal(notices.count, LP_NOTICES);
	lp_notice_add(&more, LP_EVENT_READER, "more");
	lp_notices_move(&notices, &more);
	assert_int_equal(more.count, 0);
	assert_string_equal(notices.items[0].text, "0");
	lp_notices_done(&notices);
}

static void a_notice_becomes_an_event_with_its_pairs(void **state)
{
	struct lp_label room[LP_NOTICE_PAIRS + 1];
	struct lp_notices notices = { 0 };
	struct lp_notice *notice =
		lp_notice_at(&notices, 7, LP_EVENT_LOST, "%d are lost", 3);
	struct lp_event event;

	(void)state;
	lp_notice_pair(notice, "samples", "%d", 3);
	lp_notice_pair(notice, "boot", "%s", "");
	lp_notice_pair(NULL, "samples", "%d", 3);
	event = lp_notice_event(notice, "h", room);
	assert_string_equal(event.host, "h");
	assert_int_equal(event.time_ns, 7);
	assert_int_equal(event.kind, LP_EVENT_LOST);
	assert_int_equal(event.severity, LP_SEVERITY_WARNING);
	assert_string_equal(lp_event_text(&event), "3 are lost");
	assert_string_equal(lp_event_get(&event, "samples"), "3");
	assert_null(lp_event_get(&event, "boot"));
	lp_notices_done(&notices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_whole_multiples_of_the_interval),
		cmocka_unit_test(a_tick_at_the_moment_itself_is_the_next_one),
		cmocka_unit_test(ticks_before_the_epoch_are_aligned_too),
		cmocka_unit_test(sample_times_are_rounded_to_microseconds),
		cmocka_unit_test(a_day_begins_five_seconds_after_midnight),
		cmocka_unit_test(a_file_is_named_after_its_first_sample),
		cmocka_unit_test(a_host_name_cannot_leave_the_directory),
		cmocka_unit_test(only_the_host_s_own_archives_are_its_own),
		cmocka_unit_test(
			ten_minutes_are_kept_when_nothing_can_be_written),
		cmocka_unit_test(a_batch_is_written_within_ten_seconds),
		cmocka_unit_test(an_absent_file_is_no_news),
		cmocka_unit_test(a_failure_is_said_once_and_its_end_too),
		cmocka_unit_test(a_file_that_goes_after_it_worked_is_a_failure),
		cmocka_unit_test(a_reader_that_flaps_is_heard_now_and_then),
		cmocka_unit_test(a_stuck_reader_is_left_alone),
		cmocka_unit_test(notices_beyond_the_queue_are_dropped),
		cmocka_unit_test(a_notice_becomes_an_event_with_its_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
