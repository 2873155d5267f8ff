/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets come and go; what is kept is their sum per local listening port and
 * peer address. The table remembers each socket's counters, adds what they
 * grew by to their group, and puts the groups into a builder.
 *
 *     lp_socktable_begin(t, now);
 *     lp_socktable_see(t, &socket);      each socket of the dump
 *     lp_socktable_end(t);               the dump was whole
 *     lp_socktable_put(t, builder, &err);
 *
 * Memory is bounded: LP_SOCKTABLE_SOCKETS sockets (about 100 bytes each) and
 * max_groups groups (about 400 bytes each). Sockets of further groups count in
 * the group "other"; further sockets count there in the levels only.
 */
#ifndef LP_SOURCE_SOCKTABLE_H
#define LP_SOURCE_SOCKTABLE_H

#include "base/error.h"
#include "model/builder.h"
#include "source/reader.h"
#include "source/tcpinfo.h"

#define LP_SOCKTABLE_SOCKETS 65536
/* How long a group without sockets keeps its counters. */
#define LP_SOCKTABLE_KEEP_NS (60 * INT64_C(1000000000))

struct lp_socktable;

struct lp_socktable_options {
	const struct lp_filter *filter; /* may be NULL */
	bool each_socket;               /* a group per socket */
	bool has_deaths; /* lp_socktable_bury will be called for all */
	size_t max_groups;
	size_t max_sockets; /* 0: LP_SOCKTABLE_SOCKETS */
};

struct lp_socktable *lp_socktable_new(
	const struct lp_socktable_options *options);
void lp_socktable_free(struct lp_socktable *table);

/*
 * The ports on which this host listens: begin, each, end. Those of before hold
 * until the end.
 */
void lp_socktable_ports_begin(struct lp_socktable *table);
void lp_socktable_listens(struct lp_socktable *table, uint16_t port);
void lp_socktable_ports_end(struct lp_socktable *table);

void lp_socktable_begin(struct lp_socktable *table, int64_t now_ns);
void lp_socktable_see(struct lp_socktable *table,
		      const struct lp_socket *socket);
/* The last words of a socket, which the kernel sends when it ends. */
void lp_socktable_bury(struct lp_socktable *table,
		       const struct lp_socket *socket);
void lp_socktable_end(struct lp_socktable *table);

/*
 * All groups into the builder's current tick. 0; -ENOSPC while a bound is met
 * (err says which; what fits was put); -ENOMEM.
 */
int lp_socktable_put(struct lp_socktable *table, struct lp_builder *builder,
		     struct lp_error *err);

#endif
