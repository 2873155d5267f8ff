/* SPDX-License-Identifier: Apache-2.0 */
#include "tcp_floor.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

int tcp_floor_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);

	if (fd < 0)
		fail("NETLINK_SOCK_DIAG");
	return fd;
}

void tcp_floor_sample(int fd)
{
	static uint8_t bytes[32768];
	struct {
		struct nlmsghdr header;
		struct inet_diag_req request;
	} question = {
		.header = { .nlmsg_len = sizeof(question),
			    .nlmsg_type = TCPDIAG_GETSOCK,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.request = { .idiag_ext = 1U << (INET_DIAG_INFO - 1) |
					  1U << (INET_DIAG_CONG - 1),
			     .idiag_states = 1U << TCP_ESTABLISHED },
	};
	uint16_t type = 0;

	if (send(fd, &question, sizeof(question), 0) < 0)
		fail("send");
	while (type != NLMSG_DONE) {
		ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

		if (n < 20)
			fail("recv");
		/* The end is a message of 20 bytes, alone or behind others. */
		memcpy(&type, bytes + n - 20 + 4, sizeof(type));
	}
}
