/* SPDX-License-Identifier: Apache-2.0 */
#include "source/sockgroup.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "[ADDRESS]:65535>[ADDRESS]:65535" */
#define NAME_TEXT (2 * (LP_ADDRESS_TEXT + 8) + 2)

/* All bytes are compared: no padding, zero where it does not matter. */
struct key {
	struct lp_address peer;
	uint64_t cookie; /* of a socket alone */
	uint64_t port;   /* listening; 0: the host opened the connection */
};

/* What is measured anew in every sample. */
struct levels {
	uint64_t sockets, active;
	bool active_known, mixed;
	uint64_t sum[LP_TCP_LEVELS];
	uint64_t n[LP_TCP_LEVELS];
	uint64_t cwnd_active;
	char congestion[16];
};

struct lp_sockgroup {
	struct key key;
	uint32_t next;
	bool used;
	uint8_t counters_known;
	size_t members;  /* sockets that are tracked */
	int64_t last_ns; /* of the last time it had one */
	uint64_t counters[LP_TCP_COUNTERS];
	struct levels levels;
	size_t name_length;
	char name[NAME_TEXT];
};

/* Columns of the class, in its order; a test compares the names. */
enum {
	COLUMN_SOCKETS,
	COLUMN_ACTIVE,
	COLUMN_CWND,
	COLUMN_CWND_ACTIVE,
	COLUMN_SSTHRESH,
	COLUMN_RTT_MS,
	COLUMN_RTTVAR_MS,
	COLUMN_COUNTERS,
	COLUMN_UNACKED = COLUMN_COUNTERS + LP_TCP_COUNTERS,
	COLUMN_LOST,
	COLUMN_DELIVERY_BPS,
	COLUMN_CONGESTION,
	COLUMNS,
};

int lp_sockgroups_init(struct lp_sockgroups *g, const struct lp_filter *filter,
		       size_t max_groups)
{
	*g = (struct lp_sockgroups){ .filter = filter,
				     .max_groups = max_groups,
				     .free_slot = LP_SOCKGROUP_NONE,
				     .n_heads = 64 };
	while (g->n_heads < max_groups)
		g->n_heads *= 2;
	g->heads = calloc(g->n_heads, sizeof(*g->heads));
	if (!g->heads ||
	    lp_grow(&g->items, &g->capacity, 1, sizeof(*g->items)) < 0)
		return -ENOMEM;
	g->items[LP_SOCKGROUP_OTHER] = (struct lp_sockgroup){
		.name = "other",
		.name_length = strlen("other"),
	};
	g->count = 1;
	return 0;
}

void lp_sockgroups_done(struct lp_sockgroups *g)
{
	free(g->items);
	free(g->heads);
	*g = (struct lp_sockgroups){ 0 };
}

/* FNV-1a over the key's words, folded. */
static uint32_t *chain_of(const struct lp_sockgroups *g, const struct key *key)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325), words[4];

	static_assert(sizeof(words) == sizeof(*key), "a key has no padding");
	memcpy(words, key, sizeof(words));
	for (size_t i = 0; i < lp_array_size(words); i++)
		hash = (hash ^ words[i] ^ words[i] >> 32) *
		       UINT64_C(0x100000001b3);
	return &g->heads[(hash ^ hash >> 29) & (g->n_heads - 1)];
}

static uint32_t find(const struct lp_sockgroups *g, const struct key *key)
{
	uint32_t i = *chain_of(g, key);

	while (i && memcmp(&g->items[i - 1].key, key, sizeof(*key)) != 0)
		i = g->items[i - 1].next;
	return i ? i - 1 : LP_SOCKGROUP_NONE;
}

static void drop(struct lp_sockgroups *g, uint32_t index)
{
	struct lp_sockgroup *group = &g->items[index];
	uint32_t *link = chain_of(g, &group->key);

	while (*link != index + 1)
		link = &g->items[*link - 1].next;
	*link = group->next;
	group->used = false;
	group->next = g->free_slot;
	g->free_slot = index;
	g->n_used--;
}

void lp_sockgroups_begin(struct lp_sockgroups *g, int64_t now_ns,
			 int64_t keep_ns)
{
	g->now_ns = now_ns;
	for (uint32_t i = 0; i < g->count; i++) {
		struct lp_sockgroup *group = &g->items[i];

		group->levels = (struct levels){ 0 };
		if (!group->used || i == LP_SOCKGROUP_OTHER)
			continue;
		if (group->members > 0)
			group->last_ns = now_ns;
		else if (now_ns - group->last_ns >= keep_ns)
			drop(g, i);
	}
}

/* A free slot, or LP_SOCKGROUP_NONE at the bound. */
static uint32_t take_slot(struct lp_sockgroups *g)
{
	uint32_t index = g->free_slot;

	if (g->n_used >= g->max_groups)
		return LP_SOCKGROUP_NONE;
	if (index != LP_SOCKGROUP_NONE) {
		g->free_slot = g->items[index].next;
		return index;
	}
	if (lp_grow(&g->items, &g->capacity, g->count + 1, sizeof(*g->items)) <
	    0) {
		g->failed = true;
		return LP_SOCKGROUP_NONE;
	}
	return (uint32_t)g->count++;
}

static uint32_t add(struct lp_sockgroups *g, const struct key *key,
		    const char *name, int n)
{
	uint32_t index = take_slot(g), *head = chain_of(g, key);
	struct lp_sockgroup *group;

	if (index == LP_SOCKGROUP_NONE)
		return LP_SOCKGROUP_OTHER;
	group = &g->items[index];
	*group = (struct lp_sockgroup){ .key = *key,
					.next = *head,
					.used = true,
					.last_ns = g->now_ns,
					.name_length = (size_t)n };
	memcpy(group->name, name, (size_t)n + 1);
	*head = index + 1;
	g->n_used++;
	return index;
}

static uint32_t join(struct lp_sockgroups *g, const struct key *key,
		     const char *name, int n)
{
	uint32_t index = find(g, key);

	if (index == LP_SOCKGROUP_NONE) {
		if (g->filter &&
		    !lp_filter_wants(g->filter, "tcp", name, (size_t)n))
			return LP_SOCKGROUP_NONE;
		index = add(g, key, name, n);
	}
	g->items[index].members++;
	g->items[index].used = true;
	return index;
}

uint32_t lp_sockgroups_join(struct lp_sockgroups *g,
			    const struct lp_socket *socket, bool outgoing)
{
	struct key key = { .peer = socket->peer,
			   .port = outgoing ? 0 : socket->local_port };
	char name[NAME_TEXT], peer[LP_ADDRESS_TEXT];
	int n;

	lp_address_format(&socket->peer, peer);
	if (outgoing)
		n = snprintf(name, sizeof(name), "->%s", peer);
	else
		n = snprintf(name, sizeof(name), "%u>%s", socket->local_port,
			     peer);
	return join(g, &key, name, n);
}

static int put_end(char *text, size_t size, const struct lp_address *address,
		   unsigned port)
{
	char plain[LP_ADDRESS_TEXT];
	bool v4 = lp_address_is_v4(address);

	lp_address_format(address, plain);
	return snprintf(text, size, v4 ? "%s:%u" : "[%s]:%u", plain, port);
}

uint32_t lp_sockgroups_join_alone(struct lp_sockgroups *g,
				  const struct lp_socket *socket)
{
	struct key key = { .cookie = socket->cookie };
	char name[NAME_TEXT];
	int n;

	n = put_end(name, sizeof(name), &socket->local, socket->local_port);
	name[n++] = '>';
	n += put_end(name + n, sizeof(name) - (size_t)n, &socket->peer,
		     socket->peer_port);
	return join(g, &key, name, n);
}

void lp_sockgroups_leave(struct lp_sockgroups *g, uint32_t group)
{
	if (group == LP_SOCKGROUP_NONE)
		return;
	g->items[group].members--;
	g->items[group].last_ns = g->now_ns;
}

void lp_sockgroups_count(struct lp_sockgroups *g, uint32_t index,
			 const struct lp_socket *socket, const uint64_t *grown)
{
	struct lp_sockgroup *group = &g->items[index];

	group->counters_known |= socket->counters_known;
	for (size_t c = 0; c < LP_TCP_COUNTERS; c++)
		group->counters[c] += grown[c];
}

static void note_congestion(struct levels *levels, const char *name)
{
	if (!*name)
		return;
	if (!*levels->congestion)
		memcpy(levels->congestion, name, sizeof(levels->congestion));
	else if (strcmp(levels->congestion, name) != 0)
		levels->mixed = true;
}

void lp_sockgroups_level(struct lp_sockgroups *g, uint32_t index,
			 const struct lp_socket *socket,
			 enum lp_sock_activity activity)
{
	struct lp_sockgroup *group = &g->items[index];
	struct levels *levels = &group->levels;

	group->used = true;
	levels->sockets++;
	levels->active_known |= activity != LP_SOCK_ACTIVITY_UNKNOWN;
	if (activity == LP_SOCK_ACTIVE) {
		levels->active++;
		levels->cwnd_active += socket->levels[LP_TCP_CWND];
	}
	for (size_t i = 0; i < LP_TCP_LEVELS; i++)
		if (socket->levels_known >> i & 1) {
			levels->sum[i] += socket->levels[i];
			levels->n[i]++;
		}
	note_congestion(levels, socket->congestion);
}

/* A row on its way: the columns of the mask have values. */
struct filled {
	uint64_t bits[COLUMNS], mask;
};

static void fill(struct filled *row, size_t column, uint64_t bits)
{
	row->bits[column] = bits;
	row->mask |= UINT64_C(1) << column;
}

static void fill_mean(struct filled *row, size_t column,
		      const struct levels *levels, enum lp_tcp_level level,
		      double unit)
{
	uint64_t n = levels->n[level];
	double sum = (double)levels->sum[level] / unit;

	if (n > 0)
		fill(row, column,
		     lp_double_bits(n > 1 ? sum / (double)n : sum));
}

static void fill_sum(struct filled *row, size_t column,
		     const struct levels *levels, enum lp_tcp_level level)
{
	if (levels->n[level] > 0)
		fill(row, column, levels->sum[level]);
}

static void fill_levels(struct filled *row, const struct levels *levels)
{
	fill(row, COLUMN_SOCKETS, levels->sockets);
	if (levels->active_known || levels->sockets == 0)
		fill(row, COLUMN_ACTIVE, levels->active);
	if (levels->active > 0)
		fill(row, COLUMN_CWND_ACTIVE,
		     lp_double_bits((double)levels->cwnd_active /
				    (double)levels->active));
	fill_mean(row, COLUMN_CWND, levels, LP_TCP_CWND, 1);
	fill_mean(row, COLUMN_SSTHRESH, levels, LP_TCP_SSTHRESH, 1);
	fill_mean(row, COLUMN_RTT_MS, levels, LP_TCP_RTT_US, 1000);
	fill_mean(row, COLUMN_RTTVAR_MS, levels, LP_TCP_RTTVAR_US, 1000);
	fill_sum(row, COLUMN_UNACKED, levels, LP_TCP_UNACKED);
	fill_sum(row, COLUMN_LOST, levels, LP_TCP_LOST);
	fill_mean(row, COLUMN_DELIVERY_BPS, levels, LP_TCP_DELIVERY, 1);
}

static bool put_group(const struct lp_sockgroup *group,
		      struct lp_builder *builder, size_t panel)
{
	const struct levels *levels = &group->levels;
	struct filled filled;
	struct lp_row row;
	uint64_t text;

	if (!lp_builder_row(builder, panel, group->name, group->name_length,
			    &row))
		return false;
	filled.mask = 0; /* the rest is written as it is needed */
	fill_levels(&filled, levels);
	for (size_t c = 0; c < LP_TCP_COUNTERS; c++)
		if (group->counters_known >> c & 1)
			fill(&filled, COLUMN_COUNTERS + c, group->counters[c]);
	if (*levels->congestion &&
	    lp_builder_text(builder,
			    levels->mixed ? "mixed" : levels->congestion,
			    &text))
		fill(&filled, COLUMN_CONGESTION, text);
	lp_row_bits(&row, filled.bits, filled.mask);
	return true;
}

bool lp_sockgroups_full(const struct lp_sockgroups *g)
{
	return g->items[LP_SOCKGROUP_OTHER].members > 0;
}

int lp_sockgroups_put(struct lp_sockgroups *g, struct lp_builder *builder)
{
	size_t panel = lp_builder_panel(builder, &lp_class_tcp);
	bool failed = g->failed;

	g->failed = false;
	if (panel == LP_BUILDER_NONE)
		return -ENOMEM;
	for (uint32_t i = 0; i < g->count; i++)
		if (g->items[i].used &&
		    !put_group(&g->items[i], builder, panel))
			return -ENOMEM;
	return failed ? -ENOMEM : 0;
}
