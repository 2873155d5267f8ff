/* SPDX-License-Identifier: Apache-2.0 */
#include "source/sockget.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* So many answers fit into a socket's default buffer. */
#define BATCH 50

struct lp_sockget_question {
	struct nlmsghdr header;
	struct inet_diag_req_v2 request;
};

int lp_sockget_init(struct lp_sockget *get)
{
	*get = (struct lp_sockget){ .too_many = true };
	get->questions = calloc(LP_SOCKGET_MOST, sizeof(*get->questions));
	return get->questions ? 0 : -ENOMEM;
}

void lp_sockget_done(struct lp_sockget *get)
{
	free(get->questions);
	*get = (struct lp_sockget){ 0 };
}

void lp_sockget_forget(struct lp_sockget *get)
{
	get->count = 0;
	get->too_many = false;
}

static void put_address(__be32 to[4], const struct lp_address *address)
{
	if (lp_address_is_v4(address))
		memcpy(to, address->bytes + 12, 4);
	else
		memcpy(to, address->bytes, 16);
}

void lp_sockget_learn(struct lp_sockget *get, const struct lp_socket *socket)
{
	struct lp_sockget_question *q;

	if (get->count == LP_SOCKGET_MOST) {
		get->too_many = true;
		return;
	}
	q = &get->questions[get->count++];
	*q = (struct lp_sockget_question){
		.header = { .nlmsg_len = sizeof(*q),
			    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			    .nlmsg_flags = NLM_F_REQUEST },
		.request = { .sdiag_protocol = IPPROTO_TCP,
			     .idiag_ext = 1U << (INET_DIAG_INFO - 1) |
					  1U << (INET_DIAG_CONG - 1) },
	};
	/* An IPv4 question finds IPv6 sockets with mapped addresses too. */
	q->request.sdiag_family =
		lp_address_is_v4(&socket->peer) ? AF_INET : AF_INET6;
	q->request.id.idiag_sport = htons(socket->local_port);
	q->request.id.idiag_dport = htons(socket->peer_port);
	put_address(q->request.id.idiag_src, &socket->local);
	put_address(q->request.id.idiag_dst, &socket->peer);
	q->request.id.idiag_if = socket->interface;
	memcpy(q->request.id.idiag_cookie, &socket->cookie,
	       sizeof(q->request.id.idiag_cookie));
}

/* One answer, whatever it says: 0, -ENOENT (it is gone), or another -errno. */
static int hear_one(int fd, uint32_t sequence, void *bytes, size_t size,
		    lp_socket_visit *visit, void *argument)
{
	ssize_t n;

	do
		n = recv(fd, bytes, size, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	return lp_sockdiag_scan(bytes, (size_t)n, sequence, visit, argument);
}

/* What is gone leaves the list; the kernel answers in the order asked. */
int lp_sockget_ask(struct lp_sockget *get, int fd, uint32_t sequence,
		   void *bytes, size_t size, lp_socket_visit *visit,
		   void *argument)
{
	size_t kept = 0, asked = get->count;

	for (size_t i = 0; i < asked; i++)
		get->questions[i].header.nlmsg_seq = sequence;
	for (size_t i = 0; i < asked; i++) {
		size_t batch = asked - i < BATCH ? asked - i : BATCH;
		int status;

		if (i % BATCH == 0 &&
		    send(fd, &get->questions[i],
			 batch * sizeof(*get->questions), 0) < 0)
			return -errno;
		status = hear_one(fd, sequence, bytes, size, visit, argument);
		if (status == 0)
			get->questions[kept++] = get->questions[i];
		else if (status != -ENOENT && status != -ESTALE)
			return status < 0 ? status : -EBADMSG;
	}
	get->count = kept;
	return 0;
}

/*
 * Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens ...
 * Tcp: 1 200 120000 -1 5206 1187 ...
 */
bool lp_tcp_opens(const char *text, uint64_t *opens)
{
	uint64_t active, passive;
	const char *line = strstr(text, "\nTcp: ");

	if (line)
		line = strstr(line + 1, "\nTcp: ");
	if (!line || sscanf(line, "\nTcp: %*s %*s %*s %*s %" SCNu64 " %" SCNu64,
			    &active, &passive) != 2)
		return false;
	*opens = active + passive;
	return true;
}
