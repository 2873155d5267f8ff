/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "source/sockget.h"
#include "source/tcpinfo.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/tcp.h>
#include <stdlib.h>
#include <string.h>

/* Messages, as the kernel would write them. */

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

static void opened_connections_are_counted_by_the_kernel(void **state)
{
	uint64_t opens = 0;

	(void)state;
	assert_true(lp_tcp_opens("Ip: Forwarding\nIp: 1\n"
				 "Tcp: RtoAlgorithm RtoMin RtoMax MaxConn "
				 "ActiveOpens PassiveOpens\n"
				 "Tcp: 1 200 120000 -1 5206 1187\n",
				 &opens));
	assert_int_equal(opens, 6393);
	assert_false(lp_tcp_opens("", &opens));
	assert_false(lp_tcp_opens("\nTcp: a\nTcp: 1 2 3 4 5\n", &opens));
	assert_int_equal(opens, 6393);
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
		cmocka_unit_test(opened_connections_are_counted_by_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
