/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root causes: the checklist of FAST'10 10.2, with what its section 12 and
 * observations 4 to 6 say of directions:
 *
 *   storage throughput above the peers'   disk-hog   (another load is there)
 *   storage latency above the peers'      disk-busy
 *   network throughput above the peers'   network-hog: both directions, or
 *                                         one without cwnd
 *   cwnd below the peers'                 packet-loss
 *   else                                  unknown
 *
 * The document stops at the first that diverges. Its weak spot (14; thesis
 * 4.7) are secondary manifestations: a server that loses packets also reads
 * less from its disks. So throughput below the peers' names no hog, and gives
 * way to what the network says.
 */
#include "diagnose/suspect.h"

#include <math.h>
#include <string.h>

enum kind { NONE, THROUGHPUT, LATENCY, RECEIVED, SENT, CONGESTION };

static enum kind kind_of(const struct lp_evidence *e)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = {
		{ "rd_sec", THROUGHPUT },     { "wr_sec", THROUGHPUT },
		{ "throughput", THROUGHPUT }, { "await", LATENCY },
		{ "rxbyt", RECEIVED },        { "txbyt", SENT },
		{ "cwnd", CONGESTION },
	};

	for (size_t i = 0; i < lp_array_size(kinds); i++)
		if (strcmp(e->metric->name, kinds[i].name) == 0)
			return kinds[i].kind;
	return NONE;
}

/* What diverges, and whether upwards. */
struct signs {
	bool gone;
	bool up[CONGESTION + 1], down[CONGESTION + 1];
};

static struct signs read_signs(const struct lp_suspect *s)
{
	struct signs signs = { 0 };

	for (size_t i = 0; i < s->n_signs; i++) {
		const struct lp_sign *sign = &s->signs[i];
		enum kind kind = kind_of(&sign->evidence);

		if (sign->gone)
			signs.gone = true;
		else if (sign->evidence.value > sign->evidence.peers_median)
			signs.up[kind] = true;
		else
			signs.down[kind] = true;
	}
	return signs;
}

/* A suspect of the same host at the same time, of this class. */
static struct lp_suspect *beside(const struct lp_suspects *all,
				 const struct lp_suspect *of,
				 const struct lp_class *class)
{
	struct lp_suspect *best = NULL;

	for (size_t i = 0; i < all->n; i++) {
		struct lp_suspect *s = &all->items[i];

		if (s == of || s->class != class || s->into ||
		    strcmp(s->who->host, of->who->host) != 0 ||
		    !lp_overlap(s, of))
			continue;
		if (!best || s->score > best->score)
			best = s;
	}
	return best;
}

static enum lp_cause storage_cause(struct lp_suspect *s,
				   const struct signs *signs)
{
	if (signs->gone)
		return LP_CAUSE_ABSENT;
	if (s->idle && !signs->up[THROUGHPUT] && !signs->up[LATENCY])
		return LP_CAUSE_ABSENT;
	s->workload = signs->up[THROUGHPUT] && signs->up[LATENCY];
	if (signs->up[THROUGHPUT])
		return LP_CAUSE_DISK_HOG;
	if (signs->up[LATENCY])
		return LP_CAUSE_DISK_BUSY;
	return LP_CAUSE_UNKNOWN;
}

static enum lp_cause network_cause(const struct signs *signs, bool cwnd)
{
	bool received = signs->up[RECEIVED] || signs->down[RECEIVED];
	bool sent = signs->up[SENT] || signs->down[SENT];
	bool up = signs->up[RECEIVED] || signs->up[SENT];

	if (signs->gone)
		return LP_CAUSE_ABSENT;
	if (up && ((received && sent) || !cwnd))
		return LP_CAUSE_NETWORK_HOG;
	return cwnd ? LP_CAUSE_PACKET_LOSS : LP_CAUSE_UNKNOWN;
}

static void name_cause(const struct lp_suspects *all, struct lp_suspect *s)
{
	struct signs signs = read_signs(s);

	if (s->class == &lp_class_disk)
		s->cause = storage_cause(s, &signs);
	else if (s->class == &lp_class_tcp)
		s->cause = LP_CAUSE_PACKET_LOSS;
	else
		s->cause = network_cause(&signs,
					 beside(all, s, &lp_class_tcp) != NULL);
}

static bool is_disk_fault(const struct lp_suspect *s)
{
	return s->cause == LP_CAUSE_DISK_HOG || s->cause == LP_CAUSE_DISK_BUSY;
}

static bool is_network_fault(const struct lp_suspect *s)
{
	return s->cause == LP_CAUSE_NETWORK_HOG ||
	       s->cause == LP_CAUSE_PACKET_LOSS;
}

/* What an interface over InfiniBand moves, its port moves, too. */
static void join_port(struct lp_suspects *all, struct lp_suspect *s)
{
	struct lp_suspect *port = beside(all, s, &lp_class_ib);

	if (s->class == &lp_class_net && port && port->cause == s->cause)
		s->into = port;
}

/* Sockets and interfaces of one host: one finding. */
static void join_network(struct lp_suspects *all, struct lp_suspect *s)
{
	struct lp_suspect *tcp = beside(all, s, &lp_class_tcp);

	if (s->class == &lp_class_disk || s->class == &lp_class_tcp ||
	    s->into || !tcp)
		return;
	if (s->cause == LP_CAUSE_NETWORK_HOG)
		tcp->into = s;
	else if (s->cause != LP_CAUSE_ABSENT)
		s->into = tcp;
}

/* Storage weighs more than the network (FAST'10 12), if it says anything. */
static void join_storage(struct lp_suspects *all, struct lp_suspect *s)
{
	struct lp_suspect *disk;

	if (s->class == &lp_class_disk || s->into ||
	    s->cause == LP_CAUSE_ABSENT)
		return;
	disk = beside(all, s, &lp_class_disk);
	if (disk && is_disk_fault(disk))
		s->into = disk;
}

/* A disk that only does less, while its host's network is ill. */
static void yield_to_network(struct lp_suspects *all, struct lp_suspect *s)
{
	static const struct lp_class *const classes[] = { &lp_class_tcp,
							  &lp_class_net,
							  &lp_class_ib };

	if (s->class != &lp_class_disk || s->into || is_disk_fault(s) ||
	    (s->cause == LP_CAUSE_ABSENT && !s->idle))
		return;
	for (size_t i = 0; i < lp_array_size(classes) && !s->into; i++) {
		struct lp_suspect *net = beside(all, s, classes[i]);

		if (net && is_network_fault(net))
			s->into = net;
	}
}

void lp_suspects_explain(struct lp_suspects *all)
{
	for (size_t i = 0; i < all->n; i++)
		name_cause(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		join_port(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		join_network(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		join_storage(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		yield_to_network(all, &all->items[i]);
}
