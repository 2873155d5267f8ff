/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From candidates to a group: who was recorded at the same time, and whether
 * enough are left.
 */
#include "cluster/planner.h"

#include "base/number.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void lp_draft_done(struct lp_draft *draft)
{
	for (size_t i = 0; i < draft->n; i++)
		free(draft->peers[i].items);
	free(draft->peers);
	*draft = (struct lp_draft){ 0 };
}

struct lp_draft_peer *lp_draft_peer(struct lp_draft *draft, const char *label,
				    uint32_t host)
{
	if (lp_grow(&draft->peers, &draft->capacity, draft->n + 1,
		    sizeof(*draft->peers)) < 0)
		return NULL;
	draft->peers[draft->n] =
		(struct lp_draft_peer){ .label = label, .host = host };
	return &draft->peers[draft->n++];
}

int lp_draft_part(struct lp_draft_peer *peer, size_t item)
{
	if (lp_grow(&peer->items, &peer->capacity, peer->n_items + 1,
		    sizeof(*peer->items)) < 0)
		return -ENOMEM;
	peer->items[peer->n_items++] = item;
	return 0;
}

int lp_draft_add(struct lp_draft *draft, const struct lp_planner *planner,
		 size_t item)
{
	const struct lp_choice *choice = &planner->choices[item];
	struct lp_draft_peer *peer = lp_draft_peer(
		draft, choice->label, planner->roster->items[item].host);

	if (!peer)
		return -ENOMEM;
	peer->labels = &choice->labels;
	return lp_draft_part(peer, item);
}

/* ---- time ---- */

/* How many of the sorted times are before t, or not after it. */
static size_t count_before(const int64_t *times, size_t n, int64_t t,
			   bool or_equal)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (times[middle] < t || (or_equal && times[middle] == t))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * stay[i]: whether the host of peer i was recorded together with half of the
 * others. Those it did not meet began after its end or ended before its
 * beginning, and none did both. 0 or -ENOMEM.
 */
static int find_in_time(const struct lp_roster *r, const struct lp_draft *draft,
			bool *stay)
{
	size_t n = draft->n;
	lp_auto_free int64_t *first = calloc(n + 1, sizeof(*first));
	lp_auto_free int64_t *last = calloc(n + 1, sizeof(*last));

	if (!first || !last)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		first[i] = r->hosts[draft->peers[i].host].first_ns;
		last[i] = r->hosts[draft->peers[i].host].last_ns;
		assert(first[i] <= last[i]);
	}
	qsort(first, n, sizeof(*first), lp_compare_i64);
	qsort(last, n, sizeof(*last), lp_compare_i64);
	for (size_t i = 0; i < n; i++) {
		const struct lp_roster_host *own =
			&r->hosts[draft->peers[i].host];
		size_t met = count_before(first, n, own->last_ns, true) -
			     count_before(last, n, own->first_ns, false) - 1;

		stay[i] = 2 * met >= n - 1;
	}
	return 0;
}

static int leave_out(struct lp_planner *p, const struct lp_draft_peer *peer,
		     const char *reason)
{
	struct lp_plan *plan = p->plan;

	if (!reason ||
	    lp_grow(&plan->left_out, &plan->left_out_capacity,
		    plan->n_left_out + 1, sizeof(*plan->left_out)) < 0)
		return -ENOMEM;
	plan->left_out[plan->n_left_out++] = (struct lp_plan_left_out){
		.label = peer->label,
		.reason = reason,
		.item = peer->items[0],
		.labels = p->choices[peer->items[0]].labels,
	};
	return 0;
}

int lp_planner_refuse(struct lp_planner *p, enum lp_refusal refusal,
		      const char *text)
{
	/* The first is of disks, which matter most. */
	if (p->plan->refusal != LP_REFUSAL_NONE)
		return 0;
	p->plan->refusal = refusal;
	p->plan->refusal_text = text;
	return text ? 0 : -ENOMEM;
}

static const char *span_text(struct lp_planner *p, uint32_t host)
{
	const struct lp_roster_host *h = &p->roster->hosts[host];
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT];

	return lp_planner_text(
		p, "recorded from %s to %s, when most of its peers were not",
		lp_time_format(h->first_ns - h->first_ns % LP_NS_PER_S, a),
		lp_time_format(h->last_ns - h->last_ns % LP_NS_PER_S, b));
}

/* Leave out who was recorded at other times; *strays is how many. */
static int drop_strays(struct lp_planner *p, struct lp_draft *draft,
		       size_t *strays)
{
	lp_auto_free bool *stay = calloc(draft->n + 1, sizeof(*stay));
	size_t kept = 0;
	int status = stay ? 0 : -ENOMEM;

	if (status == 0)
		status = find_in_time(p->roster, draft, stay);
	for (size_t i = 0; i < draft->n && status == 0; i++) {
		struct lp_draft_peer peer = draft->peers[i];

		if (!stay[i])
			status = leave_out(p, &peer, span_text(p, peer.host));
		/* Swapped, so that each is freed once. */
		draft->peers[i] = draft->peers[kept];
		draft->peers[kept] = peer;
		kept += stay[i];
	}
	*strays = draft->n - kept;
	for (size_t i = kept; i < draft->n && status == 0; i++)
		free(draft->peers[i].items);
	if (status == 0)
		draft->n = kept;
	return status;
}

/* ---- the group ---- */

static size_t count_hosts(const struct lp_planner *p,
			  const struct lp_draft *draft)
{
	lp_auto_free bool *seen = calloc(p->roster->n_hosts + 1, sizeof(*seen));
	size_t n = 0;

	for (size_t i = 0; seen && i < draft->n; i++) {
		n += !seen[draft->peers[i].host];
		seen[draft->peers[i].host] = true;
	}
	return n;
}

/* "3 disks (12 TB)", "1 data interface", "sockets to clients" */
static const char *count_text(struct lp_planner *p, const struct lp_draft *d)
{
	bool detail = d->detail && *d->detail;

	if (d->name || d->sockets != LP_SOCKETS_NONE)
		return d->name ? d->name : d->noun;
	return lp_planner_text(p, "%zu %s%s%s%s%s", d->n, d->noun,
			       lp_plural(d->n, "", "s"), detail ? " (" : "",
			       detail ? d->detail : "", detail ? ")" : "");
}

static const char *name_of(struct lp_planner *p, const struct lp_draft *d)
{
	size_t hosts = count_hosts(p, d);
	const char *what = count_text(p, d);
	const char *who = d->role == LP_ROLE_METADATA ? "metadata server"
			  : d->role == LP_ROLE_SERVER ? "server"
						      : "host";

	if (d->name || !what)
		return d->name;
	return lp_planner_text(
		p, "%s of %zu %s%s%s%s%s%s", what, hosts, who,
		lp_plural(hosts, "", "s"), d->priority ? ", priority " : "",
		d->priority ? d->priority : "", d->cohort ? ", cohort " : "",
		d->cohort ? d->cohort : "");
}

/* The matrix's components of a peer; none where there is no matrix. */
static int fill_parts(struct lp_planner *p, const struct lp_draft_peer *from,
		      struct lp_peer *to)
{
	size_t n = from->n_items;
	size_t *parts = lp_arena_alloc(&p->plan->arena, n * sizeof(*parts));
	size_t *items = lp_arena_alloc(&p->plan->arena, n * sizeof(*items));

	if (!parts || !items)
		return -ENOMEM;
	memcpy(items, from->items, n * sizeof(*items));
	to->parts = parts;
	to->items = items;
	to->n_items = n;
	lp_peer_bind(to, p->components);
	return 0;
}

/* sdb may be another disk after the next boot; a name of the topology, or a
 * multipath alias, stays. */
static const char *lasting_label(struct lp_planner *p,
				 const struct lp_draft_peer *from)
{
	const struct lp_roster_item *item = &p->roster->items[from->items[0]];
	const char *host = p->roster->hosts[from->host].name;
	const char *device = strrchr(from->label, '/');

	if (!lp_class_is_storage(item->class) || !item->id || !device ||
	    strcmp(device + 1, item->name) != 0)
		return from->label;
	return lp_planner_text(p, "%s/%s", host, item->id);
}

static int fill_peer(struct lp_planner *p, const struct lp_draft_peer *from,
		     struct lp_peer *to)
{
	*to = (struct lp_peer){
		.label = from->label,
		.lasting = lasting_label(p, from),
		.host = p->roster->hosts[from->host].name,
		.item = from->items[0],
		.own = LP_NO_GROUP,
	};
	if (!to->lasting)
		return -ENOMEM;
	if (from->labels)
		to->labels = *from->labels;
	return fill_parts(p, from, to);
}

static int fill_group(struct lp_planner *p, const struct lp_draft *d,
		      struct lp_peer_group *g)
{
	struct lp_arena *arena = &p->plan->arena;

	g->peers = lp_arena_alloc(arena, d->n * sizeof(*g->peers));
	g->components = lp_arena_alloc(arena, d->n * sizeof(*g->components));
	g->labels = lp_arena_alloc(arena, d->n * sizeof(*g->labels));
	g->name = name_of(p, d);
	if (!g->peers || !g->components || !g->labels || !g->name)
		return -ENOMEM;
	for (size_t i = 0; i < d->n; i++) {
		if (fill_peer(p, &d->peers[i], &g->peers[i]) < 0)
			return -ENOMEM;
		g->components[i] = g->peers[i].n_parts ? g->peers[i].parts[0]
						       : LP_NO_COMPONENT;
		g->labels[i] = g->peers[i].label;
	}
	g->n = d->n;
	return 0;
}

int lp_planner_add(struct lp_planner *p, const struct lp_draft *d,
		   enum lp_peers kind)
{
	struct lp_plan *plan = p->plan;
	struct lp_peer_group g = {
		.class = d->class,
		.kind = kind,
		.sockets = d->sockets,
		.role = d->role,
		.priority = d->priority ? d->priority : "",
		.cohort = d->cohort ? d->cohort : "",
		.by = d->by,
		.ground = d->ground ? d->ground : "",
	};

	if (fill_group(p, d, &g) < 0 ||
	    lp_grow(&plan->groups, &plan->groups_capacity, plan->n_groups + 1,
		    sizeof(g)) < 0)
		return -ENOMEM;
	plan->groups[plan->n_groups++] = g;
	return 0;
}

static int too_few(struct lp_planner *p, const struct lp_draft *d,
		   size_t strays)
{
	const char *what = count_text(p, d), *reason = NULL;
	int status;

	if (what)
		reason = lp_planner_text(
			p, "fewer than three similar components: %s of %zu %s",
			what, count_hosts(p, d),
			lp_plural(count_hosts(p, d), "host", "hosts"));
	status = reason ? 0 : -ENOMEM;
	for (size_t i = 0; i < d->n && status == 0; i++)
		status = leave_out(p, &d->peers[i], reason);
	if (status < 0)
		return status;
	if (strays > 0)
		return lp_planner_refuse(
			p, LP_REFUSAL_NO_OVERLAP,
			"the hosts were not recorded at the same time: "
			"no three of them overlap");
	return lp_planner_refuse(
		p, LP_REFUSAL_TOO_FEW,
		lp_planner_text(p,
				"fewer than three peers (%s); at least three "
				"similar components are needed",
				what));
}

int lp_planner_close(struct lp_planner *p, struct lp_draft *draft, bool *added)
{
	size_t strays = 0;
	bool enough = false;
	int status = 0;

	if (draft->n > 0)
		status = drop_strays(p, draft, &strays);
	if (status == 0 && draft->n + strays > 0) {
		enough = draft->n >= LP_GROUP_LEAST;
		status = enough ? lp_planner_add(p, draft, LP_PEERS)
				: too_few(p, draft, strays);
	}
	if (added)
		*added = enough;
	return status;
}
