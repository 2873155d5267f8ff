/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/maker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What a suspect can share: what it was lost with, host, controller, array. */
enum kind { FALLEN, HOST, CONTROLLER, ARRAY, KINDS };

struct shared {
	enum kind kind;
	const char *key;
	const struct lp_suspect *worst;
};

static const char *key_of(const struct lp_peer *who, enum kind kind)
{
	static const char *const labels[KINDS] = {
		[CONTROLLER] = "controller", [ARRAY] = "array"
	};

	return kind == HOST ? who->host
			    : lp_labels_get(&who->labels, labels[kind]);
}

static bool shares(const struct shared *with, const struct lp_peer *who,
		   const struct lp_class *class)
{
	const char *key = key_of(who, with->kind);

	/* What is gone may be everything of a host; else disks only. */
	return key && strcmp(key, with->key) == 0 &&
	       (class == with->worst->class ||
		with->worst->cause == LP_CAUSE_ABSENT);
}

static bool fell(const struct shared *with, const struct lp_suspect *s)
{
	return s->fallen && strcmp(s->fallen, with->key) == 0 &&
	       s->fallen_kind == with->worst->fallen_kind;
}

static bool joins(const struct shared *with, const struct lp_suspect *s)
{
	return !s->taken && !s->into && s->cause == with->worst->cause &&
	       lp_overlap(s, with->worst) &&
	       (with->kind == FALLEN ? fell(with, s)
				     : shares(with, s->who, s->class));
}

static bool same_peer(const struct lp_suspect *a, const struct lp_suspect *b)
{
	return a->group == b->group && a->peer == b->peer;
}

static size_t count_joined(const struct lp_maker *m, const struct shared *with)
{
	size_t n = 0;

	for (size_t i = 0; i < m->all->n; i++) {
		const struct lp_suspect *s = &m->all->items[i];
		bool seen = false;

		/* There may be thousands: most of them share nothing. */
		if (!joins(with, s))
			continue;
		for (size_t j = 0; j < i && !seen; j++)
			seen = same_peer(&m->all->items[j], s) &&
			       joins(with, &m->all->items[j]);
		n += !seen;
	}
	return n;
}

static size_t count_members(const struct lp_maker *m, const struct shared *with)
{
	const struct lp_plan *plan = m->input->plan;
	size_t n = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0; group->kind == LP_PEERS && i < group->n; i++)
			n += !group->class->pooled &&
			     shares(with, &group->peers[i], group->class);
	}
	return n;
}

/* ---- the finding ---- */

static const char *name_of(struct lp_maker *m, const struct shared *with)
{
	static const char *const words[KINDS] = {
		[CONTROLLER] = "controller", [ARRAY] = "array"
	};
	const char *word = with->kind == FALLEN ? with->worst->fallen_kind
						: words[with->kind];
	char name[256];

	snprintf(name, sizeof(name), "%s%s%s", word ? word : "",
		 word ? " " : "", with->key);
	return lp_arena_string(&m->d->arena, name);
}

static void add_host(struct lp_finding *f, const char **hosts, const char *host)
{
	for (size_t i = 0; i < f->n_hosts; i++)
		if (strcmp(hosts[i], host) == 0)
			return;
	hosts[f->n_hosts++] = host;
}

/* All suspects that share it become parts of the finding. */
static void take_parts(struct lp_maker *m, const struct shared *with,
		       struct lp_finding *f, const char **parts, size_t n,
		       const char **hosts)
{
	f->parts = parts;
	f->hosts = hosts;
	f->n_hosts = 0;
	f->score = 0;
	for (size_t i = 0; i < m->all->n; i++) {
		struct lp_suspect *s = &m->all->items[i];

		if (!joins(with, s))
			continue;
		s->taken = true;
		f->score += s->score;
		add_host(f, hosts, s->who->host);
		if (f->n_parts < n)
			parts[f->n_parts++] = s->who->label;
		lp_finding_span(f, s);
	}
}

static bool is_part(const struct lp_finding *f, const char *label)
{
	for (size_t i = 0; i < f->n_parts; i++)
		if (strcmp(f->parts[i], label) == 0)
			return true;
	return false;
}

/* What is part of the finding is not one of its peers. */
static int part_from_peers(struct lp_maker *m, struct lp_finding *f)
{
	const char **peers =
		lp_arena_alloc(&m->d->arena, (f->n_peers + 1) * sizeof(*peers));
	size_t n = 0;

	if (!peers)
		return -ENOMEM;
	for (size_t i = 0; i < f->n_peers; i++)
		if (!is_part(f, f->peers[i]))
			peers[n++] = f->peers[i];
	f->peers = peers;
	f->n_peers = n;
	return 0;
}

static int make_shared(struct lp_maker *m, const struct shared *with, size_t n)
{
	struct lp_arena *arena = &m->d->arena;
	struct lp_finding *f = lp_finding_new(m, with->worst);
	const char **parts = lp_arena_alloc(arena, (n + 1) * sizeof(*parts));
	const char **hosts =
		lp_arena_alloc(arena, (m->all->n + 1) * sizeof(*hosts));

	if (!f || !parts || !hosts)
		return -ENOMEM;
	f->component = f->id = name_of(m, with);
	f->part = NULL;
	if (with->kind == FALLEN)
		f->next = "Ask the array for the state and the log of this "
			  "part. Its servers are up, but no longer reach their "
			  "LUNs through it.";
	take_parts(m, with, f, parts, n, hosts);
	if (part_from_peers(m, f) < 0)
		return -ENOMEM;
	return f->component ? lp_finding_complete(m, f, with->worst) : -ENOMEM;
}

/* ---- whether to ---- */

static bool is_open(const struct lp_suspect *s)
{
	return !s->taken && !s->into && !s->class->pooled;
}

int lp_coalesce_fallen(struct lp_maker *m, const struct lp_suspect *s)
{
	struct shared with = { FALLEN, s->fallen, s };

	if (!is_open(s) || !s->fallen)
		return 0;
	return make_shared(m, &with, count_joined(m, &with));
}

int lp_coalesce(struct lp_maker *m, const struct lp_suspect *s)
{
	int status = 0;

	for (enum kind kind = HOST; kind < KINDS && status == 0; kind++) {
		struct shared with = { kind, key_of(s->who, kind), s };
		size_t joined, members;

		if (!is_open(s) || !with.key)
			continue;
		members = count_members(m, &with);
		if (members < 2)
			continue;
		joined = count_joined(m, &with);
		if (joined >= 2 &&
		    (double)joined >= LP_SHARED_PART * (double)members)
			status = make_shared(m, &with, joined);
	}
	return status;
}
