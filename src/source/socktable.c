/* SPDX-License-Identifier: Apache-2.0 */
#include "source/socktable.h"

#include "base/memory.h"
#include "source/sockgroup.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Chains of sockets; cookies are handed out one after another. */
#define HEADS 65536
/*
 * A socket that a dump left out may come back: the kernel walks a table that
 * changes meanwhile. If it were forgotten at once, its whole life would be
 * counted again. Where the kernel tells of every end, it is kept longer than
 * the dumps leave half-closed sockets out, since those end with a message.
 */
#define STALE_ROUNDS 4
#define STALE_ROUNDS_WITH_DEATHS 200

/* A socket that was seen; `next` chains those with the same hash. */
struct tracked {
	uint64_t cookie;
	uint64_t last[LP_TCP_COUNTERS];
	uint32_t next;
	uint32_t group; /* NONE: filtered out, or the slot is free */
	uint32_t seen;  /* the round of the last time */
	bool used, outgoing;
};

struct lp_socktable {
	struct lp_socktable_options options;
	struct lp_sockgroups groups;
	uint64_t ports[65536 / 64], next_ports[65536 / 64];
	uint32_t heads[HEADS]; /* index + 1, or 0 */
	struct tracked *tracked;
	size_t n_tracked, capacity; /* slots, free ones included */
	size_t n_used, n_seen;
	uint32_t free_slot; /* chained by next */
	uint32_t round;
	bool baseline;       /* no dump was whole yet */
	bool full, was_full; /* in this round; ever */
	bool failed;
};

struct lp_socktable *lp_socktable_new(
	const struct lp_socktable_options *options)
{
	struct lp_socktable *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->options = *options;
	if (!t->options.max_sockets)
		t->options.max_sockets = LP_SOCKTABLE_SOCKETS;
	t->free_slot = NONE;
	t->baseline = true;
	if (lp_sockgroups_init(&t->groups, options->filter,
			       options->max_groups) < 0) {
		lp_socktable_free(t);
		return NULL;
	}
	return t;
}

void lp_socktable_free(struct lp_socktable *t)
{
	if (!t)
		return;
	lp_sockgroups_done(&t->groups);
	free(t->tracked);
	free(t);
}

void lp_socktable_ports_begin(struct lp_socktable *t)
{
	memset(t->next_ports, 0, sizeof(t->next_ports));
}

void lp_socktable_listens(struct lp_socktable *t, uint16_t port)
{
	t->next_ports[port / 64] |= UINT64_C(1) << (port % 64);
}

void lp_socktable_ports_end(struct lp_socktable *t)
{
	memcpy(t->ports, t->next_ports, sizeof(t->ports));
}

static bool listens(const struct lp_socktable *t, uint16_t port)
{
	return t->ports[port / 64] >> (port % 64) & 1;
}

static struct tracked *find(struct lp_socktable *t, uint64_t cookie)
{
	uint32_t i = t->heads[cookie % HEADS];

	while (i && t->tracked[i - 1].cookie != cookie)
		i = t->tracked[i - 1].next;
	return i ? &t->tracked[i - 1] : NULL;
}

/* A free slot, or NULL: the table is full. */
static struct tracked *take_slot(struct lp_socktable *t)
{
	struct tracked *s;

	if (t->free_slot != NONE) {
		s = &t->tracked[t->free_slot];
		assert(!s->used);
		t->free_slot = s->next;
		return s;
	}
	if (t->n_tracked >= t->options.max_sockets) {
		t->full = t->was_full = true;
		return NULL;
	}
	if (lp_grow(&t->tracked, &t->capacity, t->n_tracked + 1,
		    sizeof(*t->tracked)) < 0) {
		t->failed = true;
		return NULL;
	}
	return &t->tracked[t->n_tracked++];
}

static struct tracked *track(struct lp_socktable *t, uint64_t cookie)
{
	struct tracked *s = take_slot(t);
	uint32_t *head = &t->heads[cookie % HEADS];

	if (!s)
		return NULL;
	*s = (struct tracked){ .cookie = cookie,
			       .next = *head,
			       .group = NONE,
			       .seen = t->round - 1,
			       .used = true };
	*head = (uint32_t)(s - t->tracked) + 1;
	t->n_used++;
	return s;
}

static void forget(struct lp_socktable *t, struct tracked *s)
{
	uint32_t index = (uint32_t)(s - t->tracked);
	uint32_t *link = &t->heads[s->cookie % HEADS];

	assert(s->used && t->n_used > 0);
	while (*link != index + 1)
		link = &t->tracked[*link - 1].next;
	*link = s->next;
	lp_sockgroups_leave(&t->groups, s->group);
	s->used = false;
	s->next = t->free_slot;
	t->free_slot = index;
	t->n_used--;
}

/* Put the socket into the group of its port and peer, or of itself. */
static void assign(struct lp_socktable *t, struct tracked *s,
		   const struct lp_socket *socket)
{
	lp_sockgroups_leave(&t->groups, s->group);
	s->outgoing = !listens(t, socket->local_port);
	if (t->options.each_socket)
		s->group = lp_sockgroups_join_alone(&t->groups, socket);
	else
		s->group = lp_sockgroups_join(&t->groups, socket, s->outgoing);
}

/* Counters are as wide as the kernel's: retransmits and segments wrap. */
static uint64_t increase(enum lp_tcp_counter counter, uint64_t before,
			 uint64_t now)
{
	if (lp_tcp_counter_is_narrow(counter))
		return (uint32_t)(now - before);
	return now > before ? now - before : 0;
}

/*
 * Add what the socket did since it was seen last to its group. A socket of
 * the first dump has a life that nobody watched: it counts from now on.
 * Alone in its group, it keeps the kernel's own numbers.
 */
static void count(struct lp_socktable *t, struct tracked *s,
		  const struct lp_socket *socket, bool is_new,
		  uint64_t grown[LP_TCP_COUNTERS])
{
	bool unwatched = is_new && t->baseline && !t->options.each_socket;

	for (enum lp_tcp_counter c = 0; c < LP_TCP_COUNTERS; c++) {
		grown[c] = unwatched ? 0
				     : increase(c, s->last[c],
						socket->counters[c]);
		s->last[c] = socket->counters[c];
	}
	lp_sockgroups_count(&t->groups, s->group, socket, grown);
}

/* Whether it sent data; a new one's SYN counts as one byte acknowledged. */
static enum lp_sock_activity activity(const struct lp_socktable *t,
				      const struct lp_socket *socket,
				      bool is_new, const uint64_t *grown)
{
	unsigned known = socket->counters_known;

	if (is_new && t->baseline)
		return LP_SOCK_ACTIVITY_UNKNOWN;
	if (known & 1U << LP_TCP_BYTES_SENT)
		return grown[LP_TCP_BYTES_SENT] > 0 ? LP_SOCK_ACTIVE
						    : LP_SOCK_IDLE;
	if (known & 1U << LP_TCP_BYTES_ACKED)
		return grown[LP_TCP_BYTES_ACKED] > (is_new ? 1 : 0)
			       ? LP_SOCK_ACTIVE
			       : LP_SOCK_IDLE;
	return LP_SOCK_ACTIVITY_UNKNOWN;
}

void lp_socktable_begin(struct lp_socktable *t, int64_t now_ns)
{
	int64_t keep_ns = t->options.each_socket ? 0 : LP_SOCKTABLE_KEEP_NS;

	t->round++;
	t->n_seen = 0;
	t->full = false;
	lp_sockgroups_begin(&t->groups, now_ns, keep_ns);
}

void lp_socktable_see(struct lp_socktable *t, const struct lp_socket *socket)
{
	struct tracked *s = find(t, socket->cookie);
	uint64_t grown[LP_TCP_COUNTERS];
	bool is_new = !s, again;

	/* What is left of a socket in TIME-WAIT has no counters. */
	if (!socket->counters_known && socket->state != LP_TCP_ESTABLISHED)
		return;
	if (!s)
		s = track(t, socket->cookie);
	if (!s) {
		lp_sockgroups_level(&t->groups, LP_SOCKGROUP_OTHER, socket,
				    LP_SOCK_ACTIVITY_UNKNOWN);
		return;
	}
	again = s->seen == t->round;
	t->n_seen += !again;
	s->seen = t->round;
	if (is_new || (s->outgoing && listens(t, socket->local_port)))
		assign(t, s, socket);
	if (s->group == NONE)
		return;
	count(t, s, socket, is_new, grown);
	if (!again && socket->state == LP_TCP_ESTABLISHED)
		lp_sockgroups_level(&t->groups, s->group, socket,
				    activity(t, socket, is_new, grown));
}

/*
 * One that came and went between two dumps is counted from its birth; one
 * that never exchanged a byte (a refused connection) is not worth a group. In
 * a table that was full once, nobody knows what was counted of it before.
 */
void lp_socktable_bury(struct lp_socktable *t, const struct lp_socket *socket)
{
	struct tracked *s = find(t, socket->cookie);
	uint64_t grown[LP_TCP_COUNTERS];
	bool is_new = !s;

	if (!s && (t->baseline || t->was_full || socket->peer_port == 0 ||
		   (socket->counters[LP_TCP_BYTES_ACKED] <= 1 &&
		    socket->counters[LP_TCP_BYTES_RECEIVED] == 0)))
		return;
	if (!s)
		s = track(t, socket->cookie);
	if (!s)
		return;
	if (is_new)
		assign(t, s, socket);
	if (s->group != NONE)
		count(t, s, socket, is_new, grown);
	forget(t, s);
}

void lp_socktable_end(struct lp_socktable *t)
{
	uint32_t patience =
		t->options.has_deaths ? STALE_ROUNDS_WITH_DEATHS : STALE_ROUNDS;

	t->baseline = false;
	if (t->n_seen == t->n_used)
		return;
	for (size_t i = 0; i < t->n_tracked; i++)
		if (t->tracked[i].used &&
		    t->round - t->tracked[i].seen > patience)
			forget(t, &t->tracked[i]);
}

int lp_socktable_put(struct lp_socktable *t, struct lp_builder *builder,
		     struct lp_error *err)
{
	int status = lp_sockgroups_put(&t->groups, builder);

	if (t->failed || status < 0) {
		t->failed = false;
		return lp_fail_memory(err);
	}
	if (t->full)
		return lp_fail(err, ENOSPC,
			       "more than %zu TCP sockets; the others are kept "
			       "together as \"other\"",
			       t->options.max_sockets);
	if (lp_sockgroups_full(&t->groups))
		return lp_fail(err, ENOSPC,
			       "more than %zu TCP %s; the others are kept "
			       "together as \"other\"",
			       t->groups.max_groups,
			       t->options.each_socket ? "sockets" : "peers");
	return 0;
}
