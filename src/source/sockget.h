/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking for known sockets one by one. A dump walks the kernel's whole table,
 * which is large on a large machine, however few sockets are in it: below some
 * two hundred sockets it is two to seven times cheaper to ask for each, as
 * long as no connection was opened since the last dump. Used by sockdiag.c.
 */
#ifndef LP_SOURCE_SOCKGET_H
#define LP_SOURCE_SOCKGET_H

#include "source/tcpinfo.h"

/* With more, a dump is cheaper. */
#define LP_SOCKGET_MOST 200

struct lp_sockget {
	struct lp_sockget_question *questions; /* [LP_SOCKGET_MOST] */
	size_t count;
	bool too_many;
};

/* 0 or -ENOMEM. */
int lp_sockget_init(struct lp_sockget *get);
void lp_sockget_done(struct lp_sockget *get);

/* A dump begins; learn each of its sockets. */
void lp_sockget_forget(struct lp_sockget *get);
void lp_sockget_learn(struct lp_sockget *get, const struct lp_socket *socket);

/*
 * Ask netlink socket fd for all that were learnt, and visit those that are
 * still there. `bytes` has room for one answer. 0 or -errno.
 */
int lp_sockget_ask(struct lp_sockget *get, int fd, uint32_t sequence,
		   void *bytes, size_t size, lp_socket_visit *visit,
		   void *argument);

/*
 * How many connections were ever opened, by this host or to it, from the text
 * of /proc/net/snmp. False: it does not say.
 */
bool lp_tcp_opens(const char *text, uint64_t *opens);

#endif
