/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "pcp_sink.h"

#include "archive/archive.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MS LP_NS_PER_MS
#define T0 (INT64_C(1794700000) * LP_NS_PER_S)

struct sink_test {
	int fd; /* what the sink wrote */
	struct lp_pcp_sink *sink;
	const struct lp_pcp_family *disks, *sockets;
	struct lp_error err;
};

static void begin(struct sink_test *t)
{
	int memory = memfd_create("test", 0);

	assert_true(memory >= 0);
	t->fd = dup(memory);
	assert_non_null(lp_pcp_find("disk.dev.read", &t->disks));
	assert_non_null(lp_pcp_find("network.persocket.cwnd", &t->sockets));
	assert_int_equal(lp_pcp_sink_open(memory, "h", T0, &t->sink, &t->err),
			 0);
	assert_int_equal(lp_pcp_sink_column(t->sink, t->disks, 0, 64), 0);
	assert_int_equal(lp_pcp_sink_column(t->sink, t->sockets, 0, 0), 0);
}

static void set(struct sink_test *t, int64_t time_ns, const char *disk,
		uint64_t value)
{
	struct lp_pcp_series *series;

	assert_int_equal(lp_pcp_sink_at(t->sink, time_ns, false, &t->err), 0);
	series = lp_pcp_sink_series(t->sink, t->disks, disk);
	assert_non_null(series);
	lp_pcp_set(t->sink, series, 0, value);
}

/* What an archive says: samples, the last event, series of class tcp. */
struct told {
	size_t samples, sockets;
	char event[16];
	int64_t event_ns;
};

static struct told end(struct sink_test *t)
{
	struct told told = { 0 };
	struct lp_query query;
	struct lp_stream *stream;
	struct lp_item item;

	lp_query_init(&query);
	assert_int_equal(lp_pcp_sink_finish(t->sink, &t->err), 0);
	assert_int_equal(
		lp_archive_open_fd(t->fd, "test", &query, &stream, &t->err), 0);
	while (lp_stream_next(stream, &item, &t->err) > 0) {
		if (item.chunk) {
			const struct lp_panel *tcp =
				lp_chunk_panel(item.chunk, "tcp");

			told.samples += item.chunk->n_samples;
			told.sockets += tcp ? tcp->n_series : 0;
		}
		if (!item.event)
			continue;
		snprintf(told.event, sizeof(told.event), "%s",
			 lp_event_kind_name(item.event->kind));
		told.event_ns = item.event->time_ns;
	}
	lp_stream_close(stream);
	return told;
}

static void fetches_a_few_milliseconds_apart_are_one_sample(void **state)
{
	struct sink_test t;

	(void)state;
	begin(&t);
	set(&t, T0, "sda", 1);
	set(&t, T0 + 4 * MS, "sdb", 1);
	set(&t, T0 + 6 * MS, "sdc", 1);
	assert_int_equal(end(&t).samples, 2);
}

static void the_same_metric_again_is_another_sample(void **state)
{
	struct sink_test t;

	(void)state;
	begin(&t);
	set(&t, T0, "sda", 1);
	assert_int_equal(lp_pcp_sink_at(t.sink, T0 + MS, true, &t.err), 0);
	lp_pcp_set(t.sink, lp_pcp_sink_series(t.sink, t.disks, "sda"), 0, 2);
	assert_int_equal(end(&t).samples, 2);
}

static struct told told_of_mark(uint64_t sda, uint64_t sdb, uint64_t sdc)
{
	struct sink_test t;

	begin(&t);
	set(&t, T0, "sda", 100);
	set(&t, T0, "sdb", 100);
	set(&t, T0, "sdc", 100);
	assert_int_equal(lp_pcp_sink_mark(t.sink, T0 + 1, &t.err), 0);
	set(&t, T0 + LP_NS_PER_S, "sda", sda);
	set(&t, T0 + LP_NS_PER_S, "sdb", sdb);
	set(&t, T0 + LP_NS_PER_S, "sdc", sdc);
	return end(&t);
}

static void a_mark_after_which_most_counters_fell_is_a_boot(void **state)
{
	(void)state;
	assert_string_equal(told_of_mark(1, 2, 300).event, "boot");
	assert_string_equal(told_of_mark(100, 100, 300).event, "lost");
	/* A disk that was pulled out and put back. */
	assert_string_equal(told_of_mark(1, 200, 300).event, "lost");
}

static struct told told_of_boot(int64_t boot_ns, uint64_t after)
{
	struct sink_test t;

	begin(&t);
	set(&t, T0, "sda", 100);
	assert_int_equal(lp_pcp_sink_mark(t.sink, T0 + 1, &t.err), 0);
	set(&t, T0 + LP_NS_PER_S, "sda", after);
	lp_pcp_sink_booted(t.sink, boot_ns);
	return end(&t);
}

static void what_the_host_says_of_its_boot_counts_more(void **state)
{
	struct told told = told_of_boot(T0 + 500 * MS, 900);

	(void)state;
	assert_string_equal(told.event, "boot");
	assert_true(told.event_ns == T0 + 500 * MS);
	assert_string_equal(told_of_boot(T0 - 500 * MS, 1).event, "lost");
}

static void a_boot_before_the_recording_is_told_at_its_time(void **state)
{
	struct sink_test t;
	struct told told;

	(void)state;
	begin(&t);
	set(&t, T0, "sda", 100);
	lp_pcp_sink_booted(t.sink, T0 - 3600 * LP_NS_PER_S);
	told = end(&t);
	assert_string_equal(told.event, "boot");
	assert_true(told.event_ns == T0 - 3600 * LP_NS_PER_S);
}

static void set_socket(struct sink_test *t, unsigned number, const char *state)
{
	struct lp_pcp_series *series;
	char name[64];

	snprintf(name, sizeof(name), "tcp/10.0.0.1:%u", number);
	series = lp_pcp_sink_series(t->sink, t->sockets, name);
	assert_non_null(series);
	lp_pcp_set(t->sink, series, 0, 1);
	assert_int_equal(lp_pcp_socket_peer(series, "10.0.0.2:988"), 0);
	lp_pcp_socket_state(series, state);
}

static void sockets_that_went_are_forgotten(void **state)
{
	struct sink_test t;
	uint64_t before;

	(void)state;
	begin(&t);
	before = lp_pcp_sink_generation(t.sink);
	for (unsigned tick = 0; tick < 1300; tick++) {
		assert_int_equal(lp_pcp_sink_at(t.sink, T0 + tick * LP_NS_PER_S,
						false, &t.err),
				 0);
		for (unsigned i = 0; i < 8; i++)
			set_socket(&t, tick * 8 + i, "ESTAB");
	}
	assert_int_equal(lp_pcp_sink_generation(t.sink), before + 2);
	assert_int_equal(end(&t).samples, 1300);
}

static void only_established_sockets_are_kept(void **state)
{
	struct sink_test t;

	(void)state;
	begin(&t);
	assert_int_equal(lp_pcp_sink_at(t.sink, T0, false, &t.err), 0);
	set_socket(&t, 1, "ESTAB");
	set_socket(&t, 2, "LISTEN");
	set_socket(&t, 3, "TIME-WAIT");
	assert_int_equal(end(&t).sockets, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			fetches_a_few_milliseconds_apart_are_one_sample),
		cmocka_unit_test(the_same_metric_again_is_another_sample),
		cmocka_unit_test(
			a_mark_after_which_most_counters_fell_is_a_boot),
		cmocka_unit_test(what_the_host_says_of_its_boot_counts_more),
		cmocka_unit_test(
			a_boot_before_the_recording_is_told_at_its_time),
		cmocka_unit_test(sockets_that_went_are_forgotten),
		cmocka_unit_test(only_established_sockets_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
