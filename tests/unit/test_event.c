/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_file.h"

#include "archive/format.h"
#include "archive/maintain.h"
#include "archive/prose.h"
#include "model/event.h"

static void a_key_is_asked_for_by_its_name(void **state)
{
	const struct lp_label pairs[] = { { "set", "forward" },
					  { "by_ns", "-12" },
					  { "boot", "" } };
	const struct lp_event event = { .pairs = pairs, .n_pairs = 3 };

	(void)state;
	assert_string_equal(lp_event_get(&event, "set"), "forward");
	assert_string_equal(lp_event_get(&event, "boot"), "");
	assert_null(lp_event_get(&event, "by"));
	assert_true(lp_event_is(&event, "set", "forward"));
	assert_false(lp_event_is(&event, "set", "back"));
	assert_false(lp_event_is(&event, "text", ""));
	assert_string_equal(lp_event_text(&event), "");
}

static void expect_number(const char *text, bool is_number, int64_t number)
{
	const struct lp_label pair = { "n", text };
	const struct lp_event event = { .pairs = &pair, .n_pairs = 1 };
	int64_t got = 77;

	assert_int_equal(lp_event_number(&event, "n", &got), is_number);
	assert_true(got == (is_number ? number : 77));
	assert_false(lp_event_number(&event, "m", &got));
}

static void a_number_is_all_of_the_value_or_none(void **state)
{
	(void)state;
	expect_number("0", true, 0);
	expect_number("-12", true, -12);
	expect_number("9223372036854775807", true, INT64_MAX);
	expect_number("9223372036854775808", false, 0);
	expect_number("", false, 0);
	expect_number("12 s", false, 0);
	expect_number("many", false, 0);
}

static void a_copy_needs_nothing_of_the_event(void **state)
{
	char host[] = "h", source[] = "kernel", key[] = "unit", value[] = "7";
	const struct lp_label pair = { key, value };
	const struct lp_event event = { .host = host,
					.time_ns = 5,
					.kind = LP_EVENT_LOST,
					.source = source,
					.severity = LP_SEVERITY_ERROR,
					.pairs = &pair,
					.n_pairs = 1 };
	struct lp_arena arena = { 0 };
	struct lp_event copy;

	(void)state;
	assert_int_equal(lp_event_copy(&copy, &event, &arena), 0);
	assert_true(lp_event_equal(&copy, &event));
	host[0] = source[0] = key[0] = value[0] = '?';
	assert_string_equal(copy.host, "h");
	assert_string_equal(copy.source, "kernel");
	assert_null(copy.class_name);
	assert_string_equal(lp_event_get(&copy, "unit"), "7");
	lp_arena_done(&arena);
}

static void kinds_and_severities_have_names(void **state)
{
	(void)state;
	assert_string_equal(lp_event_kind_name(LP_EVENT_START), "start");
	assert_string_equal(lp_event_kind_name(LP_EVENT_CLOCK), "clock");
	assert_string_equal(lp_event_kind_name(LP_EVENT_KINDS), "unknown");
	assert_string_equal(lp_severity_name(LP_SEVERITY_INFO), "info");
	assert_string_equal(lp_severity_name(LP_SEVERITY_CRITICAL), "critical");
	assert_string_equal(lp_severity_name(LP_SEVERITIES), "unknown");
	assert_int_equal(lp_event_kind_severity(LP_EVENT_LOST),
			 LP_SEVERITY_WARNING);
	assert_int_equal(lp_event_kind_severity(LP_EVENT_STOP),
			 LP_SEVERITY_INFO);
}

/* ---- in archives ---- */

static struct lp_event random_event(struct lp_arena *arena, uint64_t *rng)
{
	size_t n = random_below(rng, 9);
	struct lp_label *pairs = lp_arena_alloc(arena, n * sizeof(*pairs));

	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct lp_label){ random_text(arena, rng),
					      random_text(arena, rng) };
	return (struct lp_event){
		.host = random_text(arena, rng),
		.time_ns = (int64_t)random_next(rng),
		.kind = (enum lp_event_kind)random_below(rng, LP_EVENT_KINDS),
		.source = random_text(arena, rng),
		.severity = (enum lp_severity)random_below(rng, LP_SEVERITIES),
		.class_name = random_text(arena, rng),
		.component = random_text(arena, rng),
		.pairs = pairs,
		.n_pairs = n,
	};
}

#define MANY 500

static void events_come_back_as_they_were_put(void **state)
{
	const char *path = in_directory("events.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_ATOMIC);
	struct lp_event *events = calloc(MANY, sizeof(*events));
	struct lp_arena arena = { 0 };
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;
	uint64_t rng = 11;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		events[i] = random_event(&arena, &rng);
		ok(lp_archive_put_event(w, &events[i], &err), &err);
	}
	ok(lp_archive_finish(w, &err), &err);
	stream = open_archive(path);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(next_item(stream, &item), 1);
		assert_true(lp_event_equal(item.event, &events[i]));
	}
	assert_int_equal(next_item(stream, &item), 0);
	lp_stream_close(stream);
	lp_arena_done(&arena);
	free(events);
}

/* Compacting writes what version 1 said as what version 2 says. */
static void compact_makes_pairs_of_prose(void **state)
{
	const char *source = getenv("LIMPID_SOURCE");
	const char *out = in_directory("two.limpid");
	char one[512];
	const char *paths[] = { one };
	struct lp_stream *a, *b;
	struct lp_item x, y;
	struct lp_error err;
	uint8_t *bytes;
	size_t n = 0;

	(void)state;
	snprintf(one, sizeof(one), "%s/tests/archives/v1-events.limpid",
		 source ? source : ".");
	ok(lp_archive_compact(paths, 1, out, NULL, NULL, &err), &err);
	a = open_archive(one);
	b = open_archive(out);
	for (; next_item(a, &x) > 0; n++) {
		assert_int_equal(next_item(b, &y), 1);
		assert_true(lp_event_equal(x.event, y.event));
	}
	assert_int_equal(n, 25);
	assert_int_equal(next_item(b, &y), 0);
	lp_stream_close(a);
	lp_stream_close(b);
	bytes = read_file(out, &n);
	assert_int_equal(bytes[HEAD_VERSION_AT], 2);
	assert_int_equal(bytes[FILE_HEAD_SIZE + 4], BLOCK_EVENT);
	free(bytes);
}

/* ---- the prose of version 1 ---- */

/* "source severity key=value key=value ..." without the text. */
static void expect_prose(enum lp_event_kind kind, const char *text,
			 const char *want)
{
	struct lp_event event = { .host = "h", .kind = kind };
	struct lp_arena arena = { 0 };
	char got[512];
	size_t at;

	assert_int_equal(lp_prose_event(&event, text, &arena), 0);
	at = (size_t)snprintf(got, sizeof(got), "%s %s",
			      event.source ? event.source : "-",
			      lp_severity_name(event.severity));
	for (size_t i = 0; i < event.n_pairs; i++)
		if (strcmp(event.pairs[i].key, "text") != 0)
			at += (size_t)snprintf(got + at, sizeof(got) - at,
					       " %s=%s", event.pairs[i].key,
					       event.pairs[i].value);
	assert_string_equal(got, want);
	assert_string_equal(lp_event_text(&event), text);
	lp_arena_done(&arena);
}

static void the_prose_of_a_start_has_keys(void **state)
{
	(void)state;
	expect_prose(LP_EVENT_START,
		     "interval 1 s, limpid 0.1.0, boot 8c6e1f0a-2c6d",
		     "limpid info interval_ns=1000000000 version=0.1.0 "
		     "boot=8c6e1f0a-2c6d");
	expect_prose(LP_EVENT_START, "interval 2 min 30 s, limpid 0.1.0",
		     "limpid info interval_ns=150000000000 version=0.1.0");
	expect_prose(LP_EVENT_START, "interval 15 s, simulated",
		     "- info interval_ns=15000000000");
	expect_prose(LP_EVENT_START, "sysstat, rounded rates", "sysstat info");
	expect_prose(LP_EVENT_START, "pmlogger", "pmlogger info");
	expect_prose(LP_EVENT_START, "", "- info");
	expect_prose(LP_EVENT_START, "x, boot a, limpid b, boot c",
		     "- info boot=a, limpid b, boot c");
}

static void the_prose_of_other_events_has_keys(void **state)
{
	(void)state;
	expect_prose(LP_EVENT_STOP, "in order", "- info");
	expect_prose(LP_EVENT_BOOT, "", "- notice");
	expect_prose(LP_EVENT_BOOT, "0b9a", "- notice boot=0b9a");
	expect_prose(LP_EVENT_LOST, "12 samples could not be written",
		     "- warning samples=12");
	expect_prose(LP_EVENT_LOST, "cut off after 2026 (sadf)",
		     "- warning why=cut");
	expect_prose(LP_EVENT_LOST, "mark: a gap", "- warning");
	expect_prose(LP_EVENT_READER, "diskstats: works again",
		     "- info reader=diskstats state=works");
	expect_prose(LP_EVENT_READER, "net/dev: a line: of its own",
		     "- warning reader=net/dev state=fails");
	expect_prose(LP_EVENT_READER, "?", "- warning");
}

static void the_prose_of_a_clock_has_keys(void **state)
{
	(void)state;
	expect_prose(LP_EVENT_CLOCK, "set forward by 1 h",
		     "- notice set=forward by_ns=3600000000000");
	expect_prose(LP_EVENT_CLOCK, "set back by 1.5 s",
		     "- notice set=back by_ns=1500000000");
	expect_prose(LP_EVENT_CLOCK, "set forward by a while",
		     "- notice set=forward");
	expect_prose(LP_EVENT_CLOCK, "set forward by 1e300 days",
		     "- notice set=forward");
	expect_prose(LP_EVENT_CLOCK, "turned", "- notice");
}

/* Whatever version 1 wrote of a length is read, as exactly as it was said. */
static void every_length_that_was_told_is_understood(void **state)
{
	uint64_t rng = 5;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t ns = (int64_t)(random_next(&rng) >>
				       (8 + random_next(&rng) % 48));
		struct lp_event event = { .host = "h", .kind = LP_EVENT_CLOCK };
		struct lp_arena arena = { 0 };
		char length[LP_TIME_TEXT], again[LP_TIME_TEXT], text[64];
		int64_t by;

		ns += LP_NS_PER_MS;
		snprintf(text, sizeof(text), "set back by %s",
			 lp_duration_format(ns, length));
		assert_int_equal(lp_prose_event(&event, text, &arena), 0);
		if (!lp_event_number(&event, "by_ns", &by))
			fail_msg("%s", text);
		assert_string_equal(lp_duration_format(by, again), length);
		lp_arena_done(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_is_asked_for_by_its_name),
		cmocka_unit_test(a_number_is_all_of_the_value_or_none),
		cmocka_unit_test(a_copy_needs_nothing_of_the_event),
		cmocka_unit_test(kinds_and_severities_have_names),
		cmocka_unit_test_teardown(events_come_back_as_they_were_put,
					  empty_directory),
		cmocka_unit_test_teardown(compact_makes_pairs_of_prose,
					  empty_directory),
		cmocka_unit_test(the_prose_of_a_start_has_keys),
		cmocka_unit_test(the_prose_of_other_events_has_keys),
		cmocka_unit_test(the_prose_of_a_clock_has_keys),
		cmocka_unit_test(every_length_that_was_told_is_understood),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
