/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel tells of a TCP socket, from the bytes of a
 * NETLINK_SOCK_DIAG answer. No system call is made here.
 */
#ifndef LP_SOURCE_TCPINFO_H
#define LP_SOURCE_TCPINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counters of a socket, in the order of the class's columns. */
enum lp_tcp_counter {
	LP_TCP_RETRANS,
	LP_TCP_BYTES_SENT,
	LP_TCP_BYTES_ACKED,
	LP_TCP_BYTES_RECEIVED,
	LP_TCP_BYTES_RETRANS,
	LP_TCP_SEGS_OUT,
	LP_TCP_SEGS_IN,
	LP_TCP_COUNTERS,
};

enum lp_tcp_level {
	LP_TCP_CWND,
	LP_TCP_SSTHRESH, /* not known while the socket has none */
	LP_TCP_RTT_US,
	LP_TCP_RTTVAR_US,
	LP_TCP_UNACKED,
	LP_TCP_LOST,
	LP_TCP_DELIVERY, /* bytes per second; not known before the first */
	LP_TCP_LEVELS,
};

/* An address as IPv6; IPv4 ones are mapped (::ffff:10.0.0.5). */
struct lp_address {
	uint8_t bytes[16];
};

struct lp_socket {
	uint64_t cookie; /* never given to another socket */
	struct lp_address local, peer;
	uint16_t local_port, peer_port;
	uint32_t interface;     /* it is bound to; 0: none */
	uint8_t state;          /* 1: established, 10: listening */
	uint8_t counters_known; /* bit per counter: kernels before 4.19 have */
	uint8_t levels_known;   /* fewer */
	uint64_t counters[LP_TCP_COUNTERS];
	uint64_t levels[LP_TCP_LEVELS];
	char congestion[16]; /* "" when not told */
};

#define LP_TCP_ESTABLISHED 1
#define LP_TCP_LISTEN 10

/* Whether a counter of a socket has only 32 bits. */
bool lp_tcp_counter_is_narrow(enum lp_tcp_counter counter);

typedef void lp_socket_visit(void *argument, const struct lp_socket *socket);

/*
 * Visit every socket in one datagram from the kernel. Messages that do not
 * bear `sequence` (of a question given up before) are passed over, unless it
 * is LP_SOCKDIAG_ANY. 1: the last of this answer; 0: more will come; -EBADMSG:
 * not what a kernel sends; another -errno: the kernel's own answer.
 */
#define LP_SOCKDIAG_ANY UINT32_MAX
int lp_sockdiag_scan(const void *bytes, size_t n, uint32_t sequence,
		     lp_socket_visit *visit, void *argument);

/* "10.0.0.5", "fe80::1". */
#define LP_ADDRESS_TEXT 48
const char *lp_address_format(const struct lp_address *address,
			      char text[LP_ADDRESS_TEXT]);
bool lp_address_is_v4(const struct lp_address *address);

#endif
