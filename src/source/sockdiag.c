/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCP connections by NETLINK_SOCK_DIAG.
 *
 * Every sample one dump of the established sockets (TCPDIAG_GETSOCK answers
 * for IPv4 and IPv6 in one walk of the kernel's table), or, where there are few
 * and the kernel's count of opened connections stands still, one question for
 * each; every ten seconds one dump of the listening ones. A second netlink
 * socket hears of every TCP socket that ends, with its last counters, so that
 * the bytes of sockets that end between two samples are counted too.
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "source/netns.h"
#include "source/reader.h"
#include "source/sockget.h"
#include "source/socktable.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The kernel puts at most this much of a dump into one datagram. */
#define DATAGRAM_BYTES 32768
/* A kernel that does not answer for so long is asked anew. */
#define ANSWER_SECONDS 5
#define LISTEN_EVERY_NS (10 * LP_NS_PER_S)
/* However still it is, look for what was overlooked. */
#define DUMP_EVERY_NS (30 * LP_NS_PER_S)
/* A connection is counted when it begins and may be there a sample later. */
#define DUMPS_AFTER_OPEN 3
/* Room for some thousand ends between two samples, if we may. */
#define DEATHS_BYTES (4 << 20)
#define DEFAULT_GROUPS 4096

/*
 * Sockets that may still carry data. Those that have said their last word
 * (FIN-WAIT-2) are mostly no full sockets any more; they are asked for now and
 * then, so that those that are stay known until they end.
 */
#define STATES_WITH_DATA                                                       \
	(1U << 1 /* ESTABLISHED */ | 1U << 4 /* FIN-WAIT-1 */ |                \
	 1U << 8 /* CLOSE-WAIT */ | 1U << 9 /* LAST-ACK */ |                   \
	 1U << 11 /* CLOSING */)
#define STATE_FIN_WAIT_2 (1U << 5)
#define FIN_WAIT_2_ROUNDS 64
#define STATES_LISTEN (1U << LP_TCP_LISTEN)

struct sockdiag {
	int netns_fd;
	bool recorded; /* a root is given: there are no sockets in a tree */
	int fd;        /* questions and answers; -1: not open */
	int deaths_fd; /* -1: this kernel does not tell */
	bool opened;   /* deaths were asked for */
	uint32_t sequence;
	unsigned rounds_without_fin_wait_2;
	int opens_fd; /* /proc/net/snmp of the namespace; -1: none */
	uint64_t opens;
	unsigned dumps_due;
	int64_t dumped_ns;
	struct lp_sockget get;
	bool listened;
	int64_t listened_ns;
	struct lp_socktable_options options;
	struct lp_socktable *table;
	uint8_t bytes[DATAGRAM_BYTES];
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int sockdiag_open(const struct lp_reader_context *context, void **state)
{
	struct sockdiag *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->netns_fd = context->netns_fd;
	s->recorded = context->root && *context->root;
	s->fd = s->deaths_fd = s->opens_fd = -1;
	s->rounds_without_fin_wait_2 = FIN_WAIT_2_ROUNDS;
	s->dumps_due = 1;
	if (lp_sockget_init(&s->get) < 0) {
		free(s);
		return -ENOMEM;
	}
	s->options = (struct lp_socktable_options){
		.filter = context->filter,
		.each_socket = context->each_socket,
		.max_groups = context->max_series ? context->max_series
						  : DEFAULT_GROUPS,
	};
	*state = s;
	return 0;
}

static void sockdiag_close(void *state)
{
	struct sockdiag *s = state;

	if (!s)
		return;
	close_fd(&s->fd);
	close_fd(&s->deaths_fd);
	close_fd(&s->opens_fd);
	lp_sockget_done(&s->get);
	lp_socktable_free(s->table);
	free(s);
}

/* Runs in the namespace whose sockets are asked for. */
static int open_questions(void *state)
{
	struct sockdiag *s = state;
	struct timeval limit = { .tv_sec = ANSWER_SECONDS };

	s->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (s->fd < 0)
		return -errno;
	setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return 0;
}

static int open_opens(void *state)
{
	struct sockdiag *s = state;

	s->opens_fd = open("/proc/thread-self/net/snmp", O_RDONLY | O_CLOEXEC);
	return 0;
}

/* A kernel before 4.2 refuses: then ends between samples stay unseen. */
static int open_deaths(void *state)
{
	struct sockdiag *s = state;
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = 1U << (SKNLGRP_INET_TCP_DESTROY - 1) |
			     1U << (SKNLGRP_INET6_TCP_DESTROY - 1),
	};
	int room = DEATHS_BYTES;

	s->deaths_fd =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       NETLINK_SOCK_DIAG);
	if (s->deaths_fd < 0)
		return 0;
	if (setsockopt(s->deaths_fd, SOL_SOCKET, SO_RCVBUFFORCE, &room,
		       sizeof(room)) < 0)
		setsockopt(s->deaths_fd, SOL_SOCKET, SO_RCVBUF, &room,
			   sizeof(room));
	if (bind(s->deaths_fd, (struct sockaddr *)&address, sizeof(address)) <
	    0)
		close_fd(&s->deaths_fd);
	return 0;
}

static int open_all(struct sockdiag *s, struct lp_error *err)
{
	int status;

	if (s->fd < 0) {
		status = lp_netns_run(s->netns_fd, open_questions, s, err);
		if (status < 0)
			return lp_fail_errno(err, -status,
					     "cannot ask for TCP sockets "
					     "(NETLINK_SOCK_DIAG)");
	}
	if (!s->opened) {
		lp_netns_run(s->netns_fd, open_deaths, s, NULL);
		lp_netns_run(s->netns_fd, open_opens, s, NULL);
		s->opened = true;
	}
	if (!s->table) {
		s->options.has_deaths = s->deaths_fd >= 0;
		s->table = lp_socktable_new(&s->options);
	}
	return s->table ? 0 : lp_fail_memory(err);
}

static int ask(struct sockdiag *s, uint32_t states, uint8_t extensions)
{
	struct {
		struct nlmsghdr header;
		struct inet_diag_req request;
	} question = {
		.header = { .nlmsg_len = sizeof(question),
			    .nlmsg_type = TCPDIAG_GETSOCK,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
			    .nlmsg_seq = ++s->sequence },
		.request = { .idiag_ext = extensions, .idiag_states = states },
	};

	if (s->sequence == LP_SOCKDIAG_ANY)
		question.header.nlmsg_seq = s->sequence = 1;
	return send(s->fd, &question, sizeof(question), 0) < 0 ? -errno : 0;
}

static int hear(struct sockdiag *s, lp_socket_visit *visit)
{
	int status = 0;

	while (status == 0) {
		ssize_t n = recv(s->fd, s->bytes, sizeof(s->bytes), 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		status = lp_sockdiag_scan(s->bytes, (size_t)n, s->sequence,
					  visit, s);
	}
	return status < 0 ? status : 0;
}

/* One whole dump. A socket that failed is closed: it may hold old answers. */
static int dump(struct sockdiag *s, uint32_t states, uint8_t extensions,
		lp_socket_visit *visit, struct lp_error *err)
{
	int status = ask(s, states, extensions);

	if (status == 0)
		status = hear(s, visit);
	if (status == 0)
		return 0;
	close_fd(&s->fd);
	if (status == -ENOENT || status == -EOPNOTSUPP)
		return lp_fail(
			err, ENOENT,
			"this kernel does not list TCP sockets (tcp_diag)");
	return lp_fail_errno(err, -status,
			     "the kernel's list of TCP sockets ended early");
}

static void visit_listening(void *state, const struct lp_socket *socket)
{
	struct sockdiag *s = state;

	lp_socktable_listens(s->table, socket->local_port);
}

static void visit_connected(void *state, const struct lp_socket *socket)
{
	struct sockdiag *s = state;

	lp_sockget_learn(&s->get, socket);
	lp_socktable_see(s->table, socket);
}

static void visit_known(void *state, const struct lp_socket *socket)
{
	struct sockdiag *s = state;

	lp_socktable_see(s->table, socket);
}

static void visit_dead(void *state, const struct lp_socket *socket)
{
	struct sockdiag *s = state;

	lp_socktable_bury(s->table, socket);
}

static int hear_listening(struct sockdiag *s, int64_t now_ns,
			  struct lp_error *err)
{
	int status;

	if (s->listened && now_ns - s->listened_ns < LISTEN_EVERY_NS)
		return 0;
	lp_socktable_ports_begin(s->table);
	status = dump(s, STATES_LISTEN, 0, visit_listening, err);
	if (status < 0)
		return status;
	lp_socktable_ports_end(s->table);
	s->listened = true;
	s->listened_ns = now_ns;
	return 0;
}

/*
 * What ended since the last sample. When more did than the kernel could keep
 * for us (-ENOBUFS), the bytes after their last sample are missed, as they
 * would all be without these messages.
 */
static void hear_deaths(struct sockdiag *s)
{
	while (s->deaths_fd >= 0) {
		ssize_t n = recv(s->deaths_fd, s->bytes, sizeof(s->bytes), 0);

		if (n < 0 && (errno == EINTR || errno == ENOBUFS))
			continue;
		if (n < 0)
			return;
		lp_sockdiag_scan(s->bytes, (size_t)n, LP_SOCKDIAG_ANY,
				 visit_dead, s);
	}
}

/* Whether the known sockets are all there are. */
static bool is_still(struct sockdiag *s, int64_t now_ns)
{
	ssize_t n = pread(s->opens_fd, s->bytes, sizeof(s->bytes) - 1, 0);
	uint64_t opens;

	if (n <= 0)
		return false;
	s->bytes[n] = '\0';
	if (!lp_tcp_opens((char *)s->bytes, &opens))
		return false;
	if (opens != s->opens)
		s->dumps_due = DUMPS_AFTER_OPEN;
	s->opens = opens;
	return s->dumps_due == 0 && !s->get.too_many &&
	       now_ns - s->dumped_ns < DUMP_EVERY_NS;
}

static int ask_each(struct sockdiag *s, struct lp_error *err)
{
	int status = lp_sockget_ask(&s->get, s->fd, ++s->sequence, s->bytes,
				    sizeof(s->bytes), visit_known, s);

	if (status == 0)
		return 0;
	close_fd(&s->fd);
	s->dumps_due = 1;
	return lp_fail_errno(
		err, -status,
		"the kernel does not answer requests for TCP sockets");
}

static int dump_all(struct sockdiag *s, int64_t now_ns, struct lp_error *err)
{
	static const uint8_t extensions =
		1U << (INET_DIAG_INFO - 1) | 1U << (INET_DIAG_CONG - 1);
	bool all = s->rounds_without_fin_wait_2 >= FIN_WAIT_2_ROUNDS;
	uint32_t states = STATES_WITH_DATA | (all ? STATE_FIN_WAIT_2 : 0);
	int status;

	lp_sockget_forget(&s->get);
	status = dump(s, states, extensions, visit_connected, err);
	if (status < 0) {
		s->get.too_many = true;
		return status;
	}
	s->dumped_ns = now_ns;
	if (s->dumps_due > 0)
		s->dumps_due--;
	if (all)
		s->rounds_without_fin_wait_2 = 0;
	return 0;
}

static int sockdiag_fetch(void *state, struct lp_error *err)
{
	struct sockdiag *s = state;
	int64_t now_ns = lp_monotonic_now();
	int status;

	if (s->recorded)
		return lp_fail(err, ENOENT, "a tree has no TCP sockets");
	status = open_all(s, err);
	if (status == 0)
		status = hear_listening(s, now_ns, err);
	if (status < 0)
		return status;
	lp_socktable_begin(s->table, now_ns);
	hear_deaths(s);
	s->rounds_without_fin_wait_2++;
	if (is_still(s, now_ns))
		status = ask_each(s, err);
	else
		status = dump_all(s, now_ns, err);
	if (status == 0)
		lp_socktable_end(s->table);
	return status;
}

static int sockdiag_parse(void *state, struct lp_builder *builder,
			  struct lp_error *err)
{
	struct sockdiag *s = state;

	return lp_socktable_put(s->table, builder, err);
}

const struct lp_reader lp_reader_sockdiag = {
	.name = "sockdiag",
	.class = &lp_class_tcp,
	.open = sockdiag_open,
	.fetch = sockdiag_fetch,
	.parse = sockdiag_parse,
	.close = sockdiag_close,
};
