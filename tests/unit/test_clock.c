/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder with clocks that a test sets: nobody may touch the machine's. */
#include "unit.h"

#include "archive/archive.h"
#include "base/memory.h"
#include "base/timestamp.h"
#include "record/record.h"
#include "record/tidy.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TENTH (LP_NS_PER_S / 10)
#define HOUR (3600 * LP_NS_PER_S)
#define MOST 64

/* ---- the difference of two clocks ---- */

struct hands {
	int64_t wall_ns, machine_ns, slow_ns;
};

static int64_t read_wall(void *user)
{
	struct hands *hands = user;

	return hands->wall_ns;
}

/* Every reading takes its time when the thread loses its CPU. */
static int64_t read_machine(void *user)
{
	struct hands *hands = user;

	hands->machine_ns += hands->slow_ns;
	hands->wall_ns += hands->slow_ns;
	return hands->machine_ns;
}

static int64_t pass(struct hands *hands, struct lp_clock_watch *watch,
		    int64_t wall_ns, int64_t machine_ns)
{
	const struct lp_clock clock = { .wall_ns = read_wall,
					.machine_ns = read_machine,
					.user = hands };

	hands->wall_ns += wall_ns;
	hands->machine_ns += machine_ns;
	return lp_clock_step(&clock, watch, hands->wall_ns);
}

static void a_clock_that_parts_from_the_machine_s_was_set(void **state)
{
	struct hands hands = { .wall_ns = 500 * HOUR };
	struct lp_clock_watch watch = { 0 };
	int64_t s = LP_NS_PER_S;

	(void)state;
	assert_int_equal(pass(&hands, &watch, s, s), 0);
	assert_int_equal(pass(&hands, &watch, s, s), 0);
	assert_int_equal(pass(&hands, &watch, s + HOUR, s), HOUR);
	assert_int_equal(pass(&hands, &watch, s, s), 0);
	assert_int_equal(pass(&hands, &watch, s - 2 * HOUR, s), -2 * HOUR);
	assert_int_equal(pass(&hands, &watch, s, s), 0);
}

static void a_machine_that_slept_was_not_set(void **state)
{
	struct hands hands = { .wall_ns = 500 * HOUR };
	struct lp_clock_watch watch = { 0 };

	(void)state;
	assert_int_equal(pass(&hands, &watch, 1, 1), 0);
	assert_int_equal(pass(&hands, &watch, 8 * HOUR, 8 * HOUR), 0);
}

static void a_clock_that_is_slewed_was_not_set(void **state)
{
	struct hands hands = { .wall_ns = 500 * HOUR };
	struct lp_clock_watch watch = { 0 };
	int64_t s = LP_NS_PER_S;

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(pass(&hands, &watch, s + s / 2000, s), 0);
}

static void readings_far_apart_say_nothing(void **state)
{
	struct hands hands = { .wall_ns = 500 * HOUR };
	struct lp_clock_watch watch = { 0 };
	int64_t s = LP_NS_PER_S;

	(void)state;
	assert_int_equal(pass(&hands, &watch, s, s), 0);
	hands.slow_ns = s / 5;
	assert_int_equal(pass(&hands, &watch, s, s), 0);
	hands.slow_ns = 0;
	assert_int_equal(pass(&hands, &watch, s, s), 0);
	assert_int_equal(pass(&hands, &watch, s + HOUR, s), HOUR);
}

/* ---- the recorder ---- */

/* The real clock, moved, and moved on after a while. */
struct story {
	char dir[64], root[256];
	int64_t began_ns;  /* monotonic */
	int64_t offset_ns; /* from the real clock */
	struct {
		int64_t after_ns, by_ns;
	} turns[2];
};

static int64_t told_wall(void *user)
{
	const struct story *story = user;
	int64_t age = lp_monotonic_now() - story->began_ns;
	int64_t now = lp_time_now() + story->offset_ns;

	for (size_t i = 0; i < lp_array_size(story->turns); i++)
		now += age >= story->turns[i].after_ns ? story->turns[i].by_ns
						       : 0;
	return now;
}

static int64_t told_machine(void *user)
{
	(void)user;
	return lp_boottime_now();
}

static void say_nothing(void *user, const char *line)
{
	(void)user;
	(void)line;
}

static void record(struct story *story, uint64_t count)
{
	const struct lp_clock clock = { .wall_ns = told_wall,
					.machine_ns = told_machine,
					.user = story };
	const struct lp_record_config config = {
		.dir = story->dir,
		.host = "h",
		.interval_ns = TENTH,
		.count = count,
		.no_tcp = true,
		.context = { .root = story->root, .netns_fd = -1 },
		.clock = &clock,
		.say = say_nothing,
	};
	struct lp_error err;
	bool stuck;

	story->began_ns = lp_monotonic_now();
	if (lp_record_run(&config, &stuck, &err) < 0)
		fail_msg("%s", err.text);
	assert_false(stuck);
}

static int set_up(void **state)
{
	const char *source = getenv("LIMPID_SOURCE");
	struct story *story = calloc(1, sizeof(*story));

	snprintf(story->dir, sizeof(story->dir), "/tmp/limpid-clock-XXXXXX");
	snprintf(story->root, sizeof(story->root), "%s/tests/trees/linux-5.15",
		 source ? source : ".");
	*state = story;
	return mkdtemp(story->dir) ? 0 : -1;
}

static int is_archive(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int list(const struct story *story, struct dirent ***entries)
{
	return scandir(story->dir, entries, is_archive, alphasort);
}

static void forget(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

static int tear_down(void **state)
{
	struct story *story = *state;
	struct dirent **entries;
	char path[400];
	int n;

	while (wait(NULL) > 0)
		; /* the child that compacts */
	n = scandir(story->dir, &entries, NULL, NULL);

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", story->dir,
			 entries[i]->d_name);
		unlink(path);
	}
	forget(entries, n);
	rmdir(story->dir);
	free(story);
	return 0;
}

/* What a file holds: the times of its samples, and events of the clock. */
struct holding {
	int64_t time_ns[MOST], event_ns[MOST], by_ns[MOST];
	size_t n, n_events;
	bool forward[MOST];
};

static void expect_start(const struct lp_event *event)
{
	int64_t interval_ns;

	assert_string_equal(event->source, "limpid");
	assert_true(lp_event_number(event, "interval_ns", &interval_ns));
	assert_true(interval_ns > 0);
	assert_non_null(lp_event_get(event, "version"));
}

static struct holding read_file(const struct story *story, const char *name)
{
	struct holding h = { .n = 0 };
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_error err;
	struct lp_item item;
	char path[400];

	snprintf(path, sizeof(path), "%s/%s", story->dir, name);
	lp_query_init(&query);
	assert_int_equal(lp_archive_open(path, &query, &stream, &err), 0);
	while (lp_stream_next(stream, &item, &err) > 0) {
		for (size_t i = 0; item.chunk && i < item.chunk->n_samples; i++)
			if (h.n < MOST)
				h.time_ns[h.n++] = item.chunk->time_ns[i];
		if (item.event && item.event->kind == LP_EVENT_START)
			expect_start(item.event);
		if (!item.event || item.event->kind != LP_EVENT_CLOCK)
			continue;
		h.event_ns[h.n_events] = item.event->time_ns;
		assert_true(lp_event_number(item.event, "by_ns",
					    &h.by_ns[h.n_events]));
		h.forward[h.n_events++] =
			lp_event_is(item.event, "set", "forward");
	}
	lp_stream_close(stream);
	return h;
}

static int64_t at(const char *text)
{
	int64_t t = 0;

	assert_int_equal(lp_time_parse(text, strlen(text), &t), 0);
	return t;
}

/* The first file is compacted meanwhile, or not yet: it holds the same. */
static void a_recorder_begins_a_new_file_after_midnight(void **state)
{
	struct story *story = *state;
	int64_t midnight = at("2026-11-16T00:00:05Z");
	struct dirent **entries;
	struct holding a, b;

	story->offset_ns = midnight - 3 * LP_NS_PER_S / 2 - lp_time_now();
	record(story, 45);
	assert_int_equal(list(story, &entries), 2);
	assert_string_equal(entries[1]->d_name, "h-20261116T000005Z.limpid");
	a = read_file(story, entries[0]->d_name);
	b = read_file(story, entries[1]->d_name);
	assert_int_equal(a.n + b.n, 45);
	assert_true(a.n > 0 && a.time_ns[a.n - 1] < midnight);
	assert_true(b.n > 0 && b.time_ns[0] >= midnight);
	assert_int_equal(a.n_events + b.n_events, 0);
	forget(entries, 2);
}

/* Where the clock steps by more than a second, and that an event is there. */
static void expect_step(const struct holding *h, size_t event, bool forward)
{
	size_t i = 0;

	assert_true(h->n_events > event);
	assert_int_equal(h->forward[event], forward);
	assert_true(h->by_ns[event] > HOUR / 2);
	while (i < h->n && h->time_ns[i] != h->event_ns[event])
		i++;
	assert_true(i > 0 && i < h->n);
	assert_true(forward ? h->time_ns[i] - h->time_ns[i - 1] > HOUR / 2
			    : h->time_ns[i] < h->time_ns[i - 1]);
}

static void a_clock_that_is_set_is_noted_at_the_sample_behind(void **state)
{
	struct story *story = *state;
	struct dirent **entries;
	struct holding h;

	story->offset_ns = at("2026-11-15T12:00:00Z") - lp_time_now();
	story->turns[0].after_ns = LP_NS_PER_S;
	story->turns[0].by_ns = HOUR;
	story->turns[1].after_ns = 2 * LP_NS_PER_S;
	story->turns[1].by_ns = -2 * HOUR;
	record(story, 30);
	assert_int_equal(list(story, &entries), 1);
	h = read_file(story, entries[0]->d_name);
	assert_int_equal(h.n, 30);
	assert_int_equal(h.n_events, 2);
	expect_step(&h, 0, true);
	expect_step(&h, 1, false);
	forget(entries, 1);
}

#define RECORDED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clock_that_parts_from_the_machine_s_was_set),
		cmocka_unit_test(a_machine_that_slept_was_not_set),
		cmocka_unit_test(a_clock_that_is_slewed_was_not_set),
		cmocka_unit_test(readings_far_apart_say_nothing),
		RECORDED(a_recorder_begins_a_new_file_after_midnight),
		RECORDED(a_clock_that_is_set_is_noted_at_the_sample_behind),
	};
	struct lp_error err;

	/* The recorder starts its own program again to compact a file. */
	if (strcmp(argv[0], LP_TIDY_NAME) == 0)
		return lp_tidy_up(argv[1], argv[2], 0, argv + 4,
				  (size_t)argc - 4, &err) < 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
