/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "source/socktable.h"
#include "source/tcpinfo.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/tcp.h>
#include <stdlib.h>
#include <string.h>

#define S INT64_C(1000000000)

/* ---- messages, as the kernel would write them ---- */

struct message {
	uint8_t bytes[1024];
	size_t size;
};

static void put_attribute(struct message *m, uint16_t type, const void *bytes,
			  size_t n)
{
	uint16_t length = (uint16_t)(4 + n);

	memcpy(m->bytes + m->size, &length, 2);
	memcpy(m->bytes + m->size + 2, &type, 2);
	memcpy(m->bytes + m->size + 4, bytes, n);
	m->size += NLMSG_ALIGN(length);
}

static struct message make_message(uint8_t family, const char *peer,
				   const struct tcp_info *info,
				   size_t info_bytes)
{
	struct message m = { .size = 16 + 72 };
	struct inet_diag_msg diag = { .idiag_family = family,
				      .idiag_state = 1 };
	struct nlmsghdr header = { .nlmsg_type = TCPDIAG_GETSOCK,
				   .nlmsg_seq = 7 };

	diag.id.idiag_sport = htons(2049);
	diag.id.idiag_dport = htons(700);
	inet_pton(family, peer, diag.id.idiag_dst);
	diag.id.idiag_cookie[0] = 0x11;
	diag.id.idiag_cookie[1] = 0x22;
	memcpy(m.bytes + 16, &diag, sizeof(diag));
	put_attribute(&m, INET_DIAG_INFO, info, info_bytes);
	put_attribute(&m, INET_DIAG_CONG, "cubic", 6);
	header.nlmsg_len = (uint32_t)m.size;
	memcpy(m.bytes, &header, sizeof(header));
	return m;
}

static struct message make_answer(uint16_t type, int32_t code)
{
	struct message m = { .size = 36 };
	struct nlmsghdr header = { .nlmsg_len = 36,
				   .nlmsg_type = type,
				   .nlmsg_seq = 7 };

	memcpy(m.bytes, &header, sizeof(header));
	memcpy(m.bytes + 16, &code, sizeof(code));
	return m;
}

struct seen {
	size_t n;
	struct lp_socket last;
};

static void keep(void *argument, const struct lp_socket *socket)
{
	struct seen *seen = argument;

	seen->n++;
	seen->last = *socket;
}

static void a_message_tells_who_and_how(void **state)
{
	struct tcp_info info = { .tcpi_snd_cwnd = 10,
				 .tcpi_snd_ssthresh = 7,
				 .tcpi_rtt = 1500,
				 .tcpi_rttvar = 250,
				 .tcpi_unacked = 3,
				 .tcpi_lost = 1,
				 .tcpi_total_retrans = 5,
				 .tcpi_bytes_acked = 111,
				 .tcpi_bytes_received = 222,
				 .tcpi_segs_out = 33,
				 .tcpi_segs_in = 44,
				 .tcpi_delivery_rate = 999,
				 .tcpi_bytes_sent = 555,
				 .tcpi_bytes_retrans = 66 };
	struct message m =
		make_message(AF_INET, "10.0.0.5", &info, sizeof(info));
	char text[LP_ADDRESS_TEXT];
	struct seen seen = { 0 };
	const uint64_t *c = seen.last.counters, *l = seen.last.levels;

	(void)state;
	assert_int_equal(lp_sockdiag_scan(m.bytes, m.size, 7, keep, &seen), 0);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.last.cookie, UINT64_C(0x2200000011));
	assert_int_equal(seen.last.local_port, 2049);
	assert_int_equal(seen.last.peer_port, 700);
	assert_string_equal(lp_address_format(&seen.last.peer, text),
			    "10.0.0.5");
	assert_string_equal(seen.last.congestion, "cubic");
	assert_int_equal(seen.last.counters_known, 0x7f);
	assert_int_equal(seen.last.levels_known, 0x7f);
	assert_int_equal(c[LP_TCP_RETRANS], 5);
	assert_int_equal(c[LP_TCP_BYTES_SENT], 555);
	assert_int_equal(c[LP_TCP_BYTES_ACKED], 111);
	assert_int_equal(c[LP_TCP_BYTES_RECEIVED], 222);
	assert_int_equal(c[LP_TCP_BYTES_RETRANS], 66);
	assert_int_equal(c[LP_TCP_SEGS_OUT], 33);
	assert_int_equal(c[LP_TCP_SEGS_IN], 44);
	assert_int_equal(l[LP_TCP_CWND], 10);
	assert_int_equal(l[LP_TCP_SSTHRESH], 7);
	assert_int_equal(l[LP_TCP_RTT_US], 1500);
	assert_int_equal(l[LP_TCP_RTTVAR_US], 250);
	assert_int_equal(l[LP_TCP_UNACKED], 3);
	assert_int_equal(l[LP_TCP_LOST], 1);
	assert_int_equal(l[LP_TCP_DELIVERY], 999);
}

static void an_older_kernel_tells_less_and_not_zero(void **state)
{
	struct tcp_info info = { .tcpi_snd_cwnd = 10 };
	struct message m = make_message(AF_INET, "10.0.0.5", &info, 104);
	struct seen seen = { 0 };

	(void)state;
	assert_int_equal(lp_sockdiag_scan(m.bytes, m.size, 7, keep, &seen), 0);
	assert_int_equal(seen.last.counters_known, 1 << LP_TCP_RETRANS);
	assert_false(seen.last.levels_known >> LP_TCP_DELIVERY & 1);
	assert_true(seen.last.levels_known >> LP_TCP_CWND & 1);
}

static void no_ssthresh_is_missing(void **state)
{
	struct tcp_info info = { .tcpi_snd_ssthresh = 0x7fffffff };
	struct message m =
		make_message(AF_INET, "10.0.0.5", &info, sizeof(info));
	struct seen seen = { 0 };

	(void)state;
	lp_sockdiag_scan(m.bytes, m.size, 7, keep, &seen);
	assert_false(seen.last.levels_known >> LP_TCP_SSTHRESH & 1);
}

static void mapped_v6_is_shown_as_v4(void **state)
{
	struct tcp_info info = { 0 };
	struct message a = make_message(AF_INET6, "::ffff:10.0.0.5", &info, 8);
	struct message b = make_message(AF_INET6, "fd00::b", &info, 8);
	char text[LP_ADDRESS_TEXT];
	struct seen seen = { 0 };

	(void)state;
	lp_sockdiag_scan(a.bytes, a.size, 7, keep, &seen);
	assert_string_equal(lp_address_format(&seen.last.peer, text),
			    "10.0.0.5");
	lp_sockdiag_scan(b.bytes, b.size, 7, keep, &seen);
	assert_string_equal(lp_address_format(&seen.last.peer, text),
			    "fd00::b");
}

static void answers_end_fail_or_belong_to_another_question(void **state)
{
	struct message done = make_answer(NLMSG_DONE, 0);
	struct message refused = make_answer(NLMSG_ERROR, -ENOENT);
	struct seen seen = { 0 };

	(void)state;
	assert_int_equal(lp_sockdiag_scan(done.bytes, 36, 7, keep, &seen), 1);
	assert_int_equal(lp_sockdiag_scan(done.bytes, 36, 8, keep, &seen), 0);
	assert_int_equal(lp_sockdiag_scan(refused.bytes, 36, 7, keep, &seen),
			 -ENOENT);
}

static void cut_messages_are_refused(void **state)
{
	struct tcp_info info = { 0 };
	struct message m =
		make_message(AF_INET, "10.0.0.5", &info, sizeof(info));
	struct seen seen = { 0 };

	(void)state;
	for (size_t n = 1; n < m.size; n++) {
		/* A copy of its own, so that a read beyond it is seen. */
		uint8_t *copy = malloc(n);

		memcpy(copy, m.bytes, n);
		assert_int_equal(lp_sockdiag_scan(copy, n, 7, keep, &seen),
				 -EBADMSG);
		free(copy);
	}
	assert_int_equal(seen.n, 0);
}

/* ---- the table ---- */

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
	strcpy(b.congestion, "bbr");
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
	begin(&rig);
	assert_int_equal(put(&rig, &err), 0);
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
		cmocka_unit_test(a_message_tells_who_and_how),
		cmocka_unit_test(an_older_kernel_tells_less_and_not_zero),
		cmocka_unit_test(no_ssthresh_is_missing),
		cmocka_unit_test(mapped_v6_is_shown_as_v4),
		cmocka_unit_test(
			answers_end_fail_or_belong_to_another_question),
		cmocka_unit_test(cut_messages_are_refused),
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
