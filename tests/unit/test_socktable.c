/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "source/socktable.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define S INT64_C(1000000000)

static struct lp_socket make_socket(uint64_t cookie, uint16_t port,
				    uint8_t last_octet, uint64_t sent)
{
	struct lp_socket s = { .cookie = cookie,
			       .local_port = port,
			       .peer_port = 40000,
			       .state = LP_TCP_ESTABLISHED,
			       .counters_known = 0x7f,
			       .levels_known = 0x7f,
			       .congestion = "cubic" };

	s.peer.bytes[10] = s.peer.bytes[11] = 0xff;
	s.peer.bytes[12] = 10;
	s.peer.bytes[15] = last_octet;
	s.counters[LP_TCP_BYTES_SENT] = sent;
	s.counters[LP_TCP_BYTES_ACKED] = sent + 1;
	s.levels[LP_TCP_CWND] = 10;
	return s;
}

struct rig {
	struct lp_socktable *table;
	struct lp_builder *builder;
	int64_t now_ns;
};

static struct rig make_rig(const struct lp_socktable_options *options)
{
	struct rig rig = { lp_socktable_new(options), lp_builder_new("h"), 0 };

	lp_socktable_ports_begin(rig.table);
	lp_socktable_listens(rig.table, 2049);
	lp_socktable_ports_end(rig.table);
	return rig;
}

static const struct lp_socktable_options plain = { .max_groups = 100,
						   .has_deaths = true };

static void free_rig(struct rig *rig)
{
	lp_socktable_free(rig->table);
	lp_builder_free(rig->builder);
}

static void begin(struct rig *rig)
{
	rig->now_ns += S;
	lp_socktable_begin(rig->table, rig->now_ns);
}

static void see(struct rig *rig, uint64_t cookie, uint16_t port,
		uint8_t last_octet, uint64_t sent)
{
	struct lp_socket s = make_socket(cookie, port, last_octet, sent);

	lp_socktable_see(rig->table, &s);
}

static int put(struct rig *rig, struct lp_error *err)
{
	lp_socktable_end(rig->table);
	lp_builder_tick(rig->builder, rig->now_ns);
	return lp_socktable_put(rig->table, rig->builder, err);
}

/* The value in the newest sample; -1: missing; -2: no such instance. */
static double value(struct rig *rig, const char *name, const char *column)
{
	const struct lp_chunk *chunk = lp_builder_chunk(rig->builder);
	const struct lp_panel *panel = lp_chunk_panel(chunk, "tcp");
	int c = lp_panel_column(panel, column);

	assert_true(c >= 0);
	for (size_t s = 0; s < panel->n_series; s++) {
		const struct lp_values *v = &panel->series[s].values[c];

		if (strcmp(panel->series[s].name, name) != 0)
			continue;
		if (!lp_values_has(v, chunk->n_samples - 1))
			return -1;
		return lp_values_number(v, panel->columns[c].type,
					chunk->n_samples - 1);
	}
	return -2;
}

#define check(rig, name, column, expected)                                     \
	assert_float_equal(value(rig, name, column), expected, 1e-9)

static void the_first_dump_is_a_baseline(void **state)
{
	struct rig rig = make_rig(&plain);

	(void)state;
	begin(&rig);
	see(&rig, 1, 2049, 5, 1000);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 0);
	check(&rig, "2049>10.0.0.5", "active", -1);
	begin(&rig);
	see(&rig, 1, 2049, 5, 1700);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 700);
	check(&rig, "2049>10.0.0.5", "active", 1);
	free_rig(&rig);
}

static void a_later_socket_counts_from_its_birth(void **state)
{
	struct rig rig = make_rig(&plain);

	(void)state;
	begin(&rig);
	put(&rig, NULL);
	begin(&rig);
	see(&rig, 1, 2049, 5, 1000);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 1000);
	free_rig(&rig);
}

static void a_socket_that_ends_keeps_what_it_gave(void **state)
{
	struct rig rig = make_rig(&plain);
	struct lp_socket last = make_socket(1, 2049, 5, 1900);

	(void)state;
	begin(&rig);
	see(&rig, 1, 2049, 5, 1000);
	see(&rig, 2, 2049, 5, 0);
	put(&rig, NULL);
	begin(&rig);
	lp_socktable_bury(rig.table, &last);
	see(&rig, 2, 2049, 5, 50);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 950);
	check(&rig, "2049>10.0.0.5", "sockets", 1);
	free_rig(&rig);
}

static void a_socket_between_two_dumps_is_counted(void **state)
{
	struct rig rig = make_rig(&plain);
	struct lp_socket brief = make_socket(9, 2049, 7, 400);
	struct lp_socket refused = make_socket(10, 2049, 8, 0);

	(void)state;
	begin(&rig);
	put(&rig, NULL);
	begin(&rig);
	lp_socktable_bury(rig.table, &brief);
	lp_socktable_bury(rig.table, &refused);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.7", "bytes_sent", 400);
	check(&rig, "2049>10.0.0.7", "sockets", 0);
	assert_float_equal(value(&rig, "2049>10.0.0.8", "sockets"), -2, 0);
	free_rig(&rig);
}

static void a_socket_that_a_dump_missed_is_not_counted_twice(void **state)
{
	struct rig rig = make_rig(&plain);

	(void)state;
	begin(&rig);
	see(&rig, 1, 2049, 5, 1000);
	put(&rig, NULL);
	begin(&rig);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "sockets", 0);
	begin(&rig);
	see(&rig, 1, 2049, 5, 1010);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 10);
	free_rig(&rig);
}

static void a_socket_seen_twice_in_a_dump_is_one(void **state)
{
	struct rig rig = make_rig(&plain);

	(void)state;
	begin(&rig);
	see(&rig, 1, 2049, 5, 1000);
	see(&rig, 1, 2049, 5, 1004);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "sockets", 1);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 4);
	free_rig(&rig);
}

static void counters_of_32_bits_wrap(void **state)
{
	struct rig rig = make_rig(&plain);
	struct lp_socket s = make_socket(1, 2049, 5, 0);

	(void)state;
	s.counters[LP_TCP_SEGS_OUT] = UINT32_MAX;
	begin(&rig);
	lp_socktable_see(rig.table, &s);
	put(&rig, NULL);
	s.counters[LP_TCP_SEGS_OUT] = 4;
	begin(&rig);
	lp_socktable_see(rig.table, &s);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "segs_out", 5);
	free_rig(&rig);
}

static void levels_are_means_over_the_sockets(void **state)
{
	struct rig rig = make_rig(&plain);
	struct lp_socket a = make_socket(1, 2049, 5, 0);
	struct lp_socket b = make_socket(2, 2049, 5, 0);

	(void)state;
	begin(&rig);
	put(&rig, NULL);
	a.levels[LP_TCP_CWND] = 30;
	a.levels[LP_TCP_RTT_US] = 500;
	b.levels[LP_TCP_RTT_US] = 1500;
	a.levels[LP_TCP_SSTHRESH] = 20;
	b.levels_known &= (uint8_t) ~(1U << LP_TCP_SSTHRESH);
	a.levels[LP_TCP_UNACKED] = 2;
	b.levels[LP_TCP_UNACKED] = 3;
	a.counters[LP_TCP_BYTES_SENT] = 8;
	snprintf(b.congestion, sizeof(b.congestion), "bbr");
	begin(&rig);
	lp_socktable_see(rig.table, &a);
	lp_socktable_see(rig.table, &b);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "cwnd", 20);
	check(&rig, "2049>10.0.0.5", "rtt_ms", 1);
	check(&rig, "2049>10.0.0.5", "ssthresh", 20);
	check(&rig, "2049>10.0.0.5", "unacked", 5);
	check(&rig, "2049>10.0.0.5", "active", 1);
	check(&rig, "2049>10.0.0.5", "cwnd_active", 30);
	assert_true(value(&rig, "2049>10.0.0.5", "congestion") != -1);
	assert_string_equal(lp_builder_chunk(rig.builder)->texts[0], "mixed");
	free_rig(&rig);
}

static void columns_the_kernel_lacks_are_missing(void **state)
{
	struct rig rig = make_rig(&plain);
	struct lp_socket s = make_socket(1, 2049, 5, 0);

	(void)state;
	s.counters_known = 1 << LP_TCP_RETRANS;
	begin(&rig);
	lp_socktable_see(rig.table, &s);
	put(&rig, NULL);
	begin(&rig);
	lp_socktable_see(rig.table, &s);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "retrans", 0);
	check(&rig, "2049>10.0.0.5", "bytes_sent", -1);
	check(&rig, "2049>10.0.0.5", "active", -1);
	free_rig(&rig);
}

static void connections_the_host_opened_have_no_port(void **state)
{
	struct rig rig = make_rig(&plain);

	(void)state;
	begin(&rig);
	see(&rig, 1, 51234, 5, 0);
	put(&rig, NULL);
	check(&rig, "->10.0.0.5", "sockets", 1);
	/* A daemon that began to listen since the ports were read last. */
	lp_socktable_ports_begin(rig.table);
	lp_socktable_listens(rig.table, 51234);
	lp_socktable_ports_end(rig.table);
	begin(&rig);
	see(&rig, 1, 51234, 5, 30);
	put(&rig, NULL);
	check(&rig, "51234>10.0.0.5", "bytes_sent", 30);
	check(&rig, "->10.0.0.5", "sockets", 0);
	free_rig(&rig);
}

static void a_group_long_without_sockets_is_dropped(void **state)
{
	struct rig rig = make_rig(&plain);
	struct lp_socket last = make_socket(1, 2049, 5, 10);

	(void)state;
	begin(&rig);
	see(&rig, 1, 2049, 5, 0);
	put(&rig, NULL);
	begin(&rig);
	lp_socktable_bury(rig.table, &last);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 10);
	rig.now_ns += LP_SOCKTABLE_KEEP_NS;
	begin(&rig);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", -1);
	begin(&rig);
	see(&rig, 2, 2049, 5, 3);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "bytes_sent", 3);
	free_rig(&rig);
}

static void each_socket_keeps_its_own_numbers(void **state)
{
	const struct lp_socktable_options options = { .max_groups = 100,
						      .each_socket = true };
	struct rig rig = make_rig(&options);

	(void)state;
	begin(&rig);
	see(&rig, 1, 2049, 5, 1000);
	put(&rig, NULL);
	check(&rig, "[::]:2049>10.0.0.5:40000", "bytes_sent", 1000);
	free_rig(&rig);
}

static void groups_beyond_the_bound_are_together(void **state)
{
	const struct lp_socktable_options options = { .max_groups = 2 };
	struct rig rig = make_rig(&options);
	struct lp_error err = { "" };

	(void)state;
	begin(&rig);
	put(&rig, NULL);
	begin(&rig);
	for (uint8_t i = 1; i <= 5; i++)
		see(&rig, i, 2049, i, 100);
	assert_int_equal(put(&rig, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "2 TCP peers"));
	check(&rig, "2049>10.0.0.2", "bytes_sent", 100);
	check(&rig, "other", "bytes_sent", 300);
	check(&rig, "other", "sockets", 3);
	assert_float_equal(value(&rig, "2049>10.0.0.3", "sockets"), -2, 0);
	/* It is over when the last of the others has ended. */
	begin(&rig);
	for (uint8_t i = 1; i <= 5; i++) {
		struct lp_socket last = make_socket(i, 2049, i, 100);

		lp_socktable_bury(rig.table, &last);
	}
	assert_int_equal(put(&rig, &err), 0);
	check(&rig, "other", "bytes_sent", 300);
	free_rig(&rig);
}

static void sockets_beyond_the_bound_count_as_levels(void **state)
{
	const struct lp_socktable_options options = { .max_groups = 9,
						      .max_sockets = 2 };
	struct rig rig = make_rig(&options);
	struct lp_error err = { "" };

	(void)state;
	begin(&rig);
	for (uint8_t i = 1; i <= 5; i++)
		see(&rig, i, 2049, 5, 100);
	assert_int_equal(put(&rig, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "2 TCP sockets"));
	check(&rig, "2049>10.0.0.5", "sockets", 2);
	check(&rig, "other", "sockets", 3);
	check(&rig, "other", "bytes_sent", -1);
	free_rig(&rig);
}

static void excluded_peers_are_left_out(void **state)
{
	const char *rules[] = { "tcp:*>10.0.0.6" };
	const struct lp_filter filter = { .exclude = rules, .n_exclude = 1 };
	const struct lp_socktable_options options = { .max_groups = 9,
						      .filter = &filter };
	struct rig rig = make_rig(&options);

	(void)state;
	begin(&rig);
	see(&rig, 1, 2049, 5, 100);
	see(&rig, 2, 2049, 6, 100);
	put(&rig, NULL);
	check(&rig, "2049>10.0.0.5", "sockets", 1);
	assert_float_equal(value(&rig, "2049>10.0.0.6", "sockets"), -2, 0);
	free_rig(&rig);
}

/* Ten thousand sockets come and go; nothing is lost and nothing is left. */
static void sums_are_exact_however_sockets_come_and_go(void **state)
{
	struct rig rig = make_rig(&plain);
	uint64_t cookie = 0;

	(void)state;
	begin(&rig);
	put(&rig, NULL);
	for (int round = 0; round < 100; round++) {
		struct lp_socket last;

		begin(&rig);
		for (int i = 0; i < 100; i++) {
			last = make_socket(cookie - 99 + (uint64_t)i, 2049, 5,
					   30);
			if (round > 0)
				lp_socktable_bury(rig.table, &last);
		}
		for (int i = 0; i < 100; i++)
			see(&rig, ++cookie, 2049, 5, 20);
		put(&rig, NULL);
		check(&rig, "2049>10.0.0.5", "bytes_sent", round * 3000 + 2000);
		check(&rig, "2049>10.0.0.5", "sockets", 100);
	}
	free_rig(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_dump_is_a_baseline),
		cmocka_unit_test(a_later_socket_counts_from_its_birth),
		cmocka_unit_test(a_socket_that_ends_keeps_what_it_gave),
		cmocka_unit_test(a_socket_between_two_dumps_is_counted),
		cmocka_unit_test(
			a_socket_that_a_dump_missed_is_not_counted_twice),
		cmocka_unit_test(a_socket_seen_twice_in_a_dump_is_one),
		cmocka_unit_test(counters_of_32_bits_wrap),
		cmocka_unit_test(levels_are_means_over_the_sockets),
		cmocka_unit_test(columns_the_kernel_lacks_are_missing),
		cmocka_unit_test(connections_the_host_opened_have_no_port),
		cmocka_unit_test(a_group_long_without_sockets_is_dropped),
		cmocka_unit_test(each_socket_keeps_its_own_numbers),
		cmocka_unit_test(groups_beyond_the_bound_are_together),
		cmocka_unit_test(sockets_beyond_the_bound_count_as_levels),
		cmocka_unit_test(excluded_peers_are_left_out),
		cmocka_unit_test(sums_are_exact_however_sockets_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
