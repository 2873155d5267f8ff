/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Causes: the checklist of FAST'10 10.2, with what its section 12 and
 * observations 4 to 6 say of directions, as rules over the roles of metrics:
 *
 *   storage: load above the peers'     disk-hog   (another load is there)
 *   storage: latency above the peers'  disk-busy
 *   network: load above the peers'     network-hog: both directions, or one
 *                                      while no connection of it is ill
 *   network: congestion, loss, errors  packet-loss
 *   else                               unknown
 *
 * The document stops at the first that diverges. Its weak spot (14; thesis
 * 4.7) are secondary manifestations: a server that loses packets also reads
 * less from its disks. So throughput below the peers' names no hog, and gives
 * way to what the network says.
 */
#include "base/memory.h"
#include "diagnose/suspect.h"

#include <string.h>

/* What diverges of a suspect, and which way. */
struct view {
	const struct lp_suspect *suspect;
	bool gone;
	bool worse[LP_METRIC_ROLES];
	bool flows[LP_FLOWS]; /* of a load, whichever way it diverges */
	bool connections_ill; /* those of its host, at the same time */
	bool weighed;         /* by a joint detector: by how much it matters */
};

static void read_sign(struct view *view, const struct lp_evidence *e)
{
	const struct lp_metric *m = e->metric;
	bool above = e->value > e->peers_median;

	if (above != m->lower_is_worse)
		view->worse[m->role] = true;
	if (m->role == LP_LOAD)
		view->flows[m->flow] = true;
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

/* The same of any class of a resource; of pools, or of what is none. */
static struct lp_suspect *beside_any(const struct lp_suspects *all,
				     const struct lp_suspect *of,
				     enum lp_resource resource, bool pooled)
{
	struct lp_suspect *found = NULL;

	for (size_t i = 0; lp_classes[i] && !found; i++)
		if (lp_class_is_compared(lp_classes[i]) &&
		    lp_classes[i]->resource == resource &&
		    lp_classes[i]->pooled == pooled)
			found = beside(all, of, lp_classes[i]);
	return found;
}

static struct lp_suspect *connections_of(const struct lp_suspects *all,
					 const struct lp_suspect *s)
{
	return beside_any(all, s, LP_NETWORK, true);
}

static struct view look(const struct lp_suspects *all,
			const struct lp_suspect *s)
{
	struct view view = {
		.suspect = s,
		.connections_ill = connections_of(all, s) != NULL,
	};

	for (size_t i = 0; i < s->n_signs; i++) {
		if (s->signs[i].gone)
			view.gone = true;
		else
			read_sign(&view, &s->signs[i].evidence);
		/* More work explains that each piece takes longer. */
		if (s->signs[i].peak && s->signs[i].peak->worst.loaded)
			view.worse[LP_LOAD] = true;
		view.weighed = view.weighed || s->signs[i].peak;
	}
	return view;
}

/* ---- rules ---- */

static bool is_gone(const struct view *v)
{
	return v->gone;
}

static bool is_idle(const struct view *v)
{
	return v->suspect->idle && !v->worse[LP_LOAD] && !v->worse[LP_LATENCY];
}

static bool has_more_load(const struct view *v)
{
	return v->worse[LP_LOAD];
}

static bool is_slower(const struct view *v)
{
	return v->worse[LP_LATENCY] || v->worse[LP_SERVICE];
}

/* Where connections are ill, too, one direction may be their doing. */
static bool has_more_traffic(const struct view *v)
{
	return v->worse[LP_LOAD] &&
	       (v->weighed || (v->flows[LP_FLOW_IN] && v->flows[LP_FLOW_OUT]) ||
		!v->connections_ill);
}

static bool loses_packets(const struct view *v)
{
	return v->connections_ill || v->worse[LP_LOSS] || v->worse[LP_ERROR];
}

static bool always(const struct view *v)
{
	(void)v;
	return true;
}

/* The first that holds names the cause. */
static const struct rule {
	enum lp_resource resource;
	bool pooled;
	bool (*holds)(const struct view *view);
	enum lp_cause cause;
} rules[] = {
	{ LP_STORAGE, false, is_gone, LP_CAUSE_ABSENT },
	{ LP_STORAGE, false, is_idle, LP_CAUSE_ABSENT },
	{ LP_STORAGE, false, has_more_load, LP_CAUSE_DISK_HOG },
	{ LP_STORAGE, false, is_slower, LP_CAUSE_DISK_BUSY },
	{ LP_NETWORK, true, always, LP_CAUSE_PACKET_LOSS },
	{ LP_NETWORK, false, is_gone, LP_CAUSE_ABSENT },
	{ LP_NETWORK, false, has_more_traffic, LP_CAUSE_NETWORK_HOG },
	{ LP_NETWORK, false, loses_packets, LP_CAUSE_PACKET_LOSS },
};

static void name_cause(const struct lp_suspects *all, struct lp_suspect *s)
{
	struct view view = look(all, s);

	s->cause = LP_CAUSE_UNKNOWN;
	for (size_t i = 0; i < lp_array_size(rules); i++)
		if (rules[i].resource == s->class->resource &&
		    rules[i].pooled == s->class->pooled &&
		    rules[i].holds(&view)) {
			s->cause = rules[i].cause;
			break;
		}
	/* Both together are a load rather than a bad disk (thesis 3.2.1). */
	s->workload = lp_class_is_storage(s->class) &&
		      s->cause != LP_CAUSE_ABSENT && view.worse[LP_LOAD] &&
		      view.worse[LP_LATENCY];
}

/* ---- who explains whom ---- */

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
static void join_carrier(struct lp_suspects *all, struct lp_suspect *s)
{
	struct lp_suspect *carrier =
		s->class->carrier ? beside(all, s, s->class->carrier) : NULL;

	if (carrier && carrier->cause == s->cause)
		s->into = carrier;
}

/* Connections and interfaces of one host: one finding. */
static void join_network(struct lp_suspects *all, struct lp_suspect *s)
{
	struct lp_suspect *connections = connections_of(all, s);

	if (s->class->resource != LP_NETWORK || s->class->pooled || s->into ||
	    !connections)
		return;
	if (s->cause == LP_CAUSE_NETWORK_HOG)
		connections->into = s;
	else if (s->cause != LP_CAUSE_ABSENT)
		s->into = connections;
}

/* What was explained by one is now explained by the other. */
static void hand_over(struct lp_suspects *all, struct lp_suspect *from,
		      struct lp_suspect *to)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].into == from)
			all->items[i].into = to;
	from->into = to;
}

/*
 * Both directions of a host's connections, or its connections to others: what
 * is lost in one delays the other. The one that loses more is the finding.
 */
static void join_directions(struct lp_suspects *all, struct lp_suspect *s)
{
	for (size_t i = 0; i < all->n && !s->into; i++) {
		struct lp_suspect *other = &all->items[i];

		if (other == s || !s->class->pooled ||
		    other->class != s->class ||
		    strcmp(s->who->host, other->who->host) != 0 ||
		    !lp_overlap(s, other) || !(s->weight > 0))
			continue;
		if (other->into && other->into != s)
			hand_over(all, s, other->into);
		else if (!other->into && other->weight >= s->weight)
			hand_over(all, s, other);
	}
}

/* Of disk and network the one that matters more is the cause. */
static bool weighs_less(const struct lp_suspect *disk,
			const struct lp_suspect *network)
{
	return disk->weight > 0 && network->weight > disk->weight;
}

/* Storage weighs more than the network (FAST'10 12), if it says anything. */
static void join_storage(struct lp_suspects *all, struct lp_suspect *s)
{
	struct lp_suspect *disk;

	if (lp_class_is_storage(s->class) || s->into ||
	    s->cause == LP_CAUSE_ABSENT)
		return;
	disk = beside_any(all, s, LP_STORAGE, false);
	if (!disk || !is_disk_fault(disk))
		return;
	if (weighs_less(disk, s))
		disk->into = s;
	else
		s->into = disk;
}

/* A disk that only does less, while its host's network is ill. */
static void yield_to_network(struct lp_suspects *all, struct lp_suspect *s)
{
	if (!lp_class_is_storage(s->class) || s->into || is_disk_fault(s) ||
	    (s->cause == LP_CAUSE_ABSENT && !s->idle))
		return;
	for (int pooled = 1; pooled >= 0 && !s->into; pooled--)
		for (size_t i = 0; lp_classes[i] && !s->into; i++) {
			struct lp_suspect *net =
				lp_classes[i]->resource == LP_NETWORK &&
						lp_classes[i]->pooled == pooled
					? beside(all, s, lp_classes[i])
					: NULL;

			if (net && is_network_fault(net))
				s->into = net;
		}
}

void lp_suspects_explain(struct lp_suspects *all)
{
	for (size_t i = 0; i < all->n; i++)
		name_cause(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		join_carrier(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		join_network(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		join_storage(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		yield_to_network(all, &all->items[i]);
	for (size_t i = 0; i < all->n; i++)
		join_directions(all, &all->items[i]);
}
