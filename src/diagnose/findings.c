/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From suspects to findings: one each, or one for the part that several share,
 * with all their evidence, the worst first.
 */
#include "diagnose/suspect.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So much of a host's or controller's components is taken for all of it. */
#define SHARED_PART 0.75
/* Findings for which metrics that do not accuse are looked up, too. */
#define CONTEXT_FINDINGS 25

struct maker {
	struct lp_diagnosis *d;
	struct lp_suspects *all;
	const struct lp_diagnose_input *input;
};

static const char *next_check(enum lp_cause cause)
{
	static const char *const checks[LP_CAUSES] = {
		[LP_CAUSE_UNKNOWN] =
			"compare its configuration, firmware and load with "
			"those of its peers",
		[LP_CAUSE_DISK_HOG] =
			"find what else uses this disk: iotop or pidstat -d on "
			"the host, backups, scrubs, local jobs",
		[LP_CAUSE_DISK_BUSY] =
			"look at the disk's own log: smartctl -a, the "
			"enclosure, a rebuild or a failing neighbour",
		[LP_CAUSE_NETWORK_HOG] =
			"find what else uses this interface: iftop or ss -tip "
			"on the host",
		[LP_CAUSE_PACKET_LOSS] =
			"look for errors and drops on the path: ethtool -S, "
			"cable, switch port; nstat TcpRetransSegs",
		[LP_CAUSE_ABSENT] =
			"see whether it is down, unplugged or taken over by "
			"another server, or its recording was not copied",
	};

	return checks[cause];
}

/* ---- evidence ---- */

static int grow_evidence(struct maker *m, struct lp_finding *f, size_t more)
{
	size_t need = f->n_evidence + more;
	struct lp_evidence *e = lp_arena_alloc(&m->d->arena, need * sizeof(*e));

	if (!e)
		return -ENOMEM;
	if (f->n_evidence)
		memcpy(e, f->evidence, f->n_evidence * sizeof(*e));
	f->evidence = e;
	return 0;
}

static int add_signs(struct maker *m, struct lp_finding *f,
		     const struct lp_suspect *s)
{
	if (grow_evidence(m, f, s->n_signs) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_signs; i++)
		f->evidence[f->n_evidence++] = s->signs[i].evidence;
	return 0;
}

static bool has_metric(const struct lp_finding *f, size_t metric, size_t group)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		if (f->evidence[i].metric_index == metric &&
		    f->evidence[i].group_index == group)
			return true;
	return false;
}

/* What else the recording says of it: shown, not accusing. */
static int add_context(struct maker *m, struct lp_finding *f)
{
	const struct lp_matrix_metric *metrics = m->input->metrics;
	size_t group = f->evidence[0].group_index, n = 0;
	size_t peer = f->evidence[0].peer_index;

	while (metrics[n].class)
		n++;
	if (grow_evidence(m, f, n) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct lp_evidence *e = &f->evidence[f->n_evidence];

		if (metrics[i].class != f->evidence[0].class ||
		    has_metric(f, i, group))
			continue;
		if (lp_evidence_values(e, m->input, group, peer, i, f->since_ns,
				       f->until_ns) < 0)
			return -ENOMEM;
		f->n_evidence += isnan(e->value) ? 0u : 1u;
	}
	return 0;
}

/* ---- one suspect, and those that it explains ---- */

static const char *part_of(const struct maker *m, const struct lp_suspect *s)
{
	if (!s->who->n_parts || s->class == &lp_class_tcp)
		return NULL;
	return lp_matrix_component(m->input->matrix, s->who->parts[0])->id;
}

static enum lp_resource resource_of(const struct lp_suspect *s)
{
	return s->class == &lp_class_disk ? LP_STORAGE : LP_NETWORK;
}

static int name_peers(struct maker *m, struct lp_finding *f,
		      const struct lp_suspect *s)
{
	const struct lp_peer_group *g = &m->input->plan->groups[s->group];
	const char **names =
		lp_arena_alloc(&m->d->arena, g->n * sizeof(*names));

	if (!names)
		return -ENOMEM;
	for (size_t i = 0; i < g->n; i++)
		if (i != s->peer)
			names[f->n_peers++] = g->peers[i].label;
	f->peers = names;
	f->group = g->name;
	return 0;
}

static struct lp_finding *new_finding(struct maker *m,
				      const struct lp_suspect *s)
{
	struct lp_diagnosis *d = m->d;
	struct lp_finding *f;

	if (lp_grow(&d->findings, &d->findings_capacity, d->n_findings + 1,
		    sizeof(*f)) < 0)
		return NULL;
	f = &d->findings[d->n_findings++];
	*f = (struct lp_finding){
		.component = s->who->label,
		.host = s->who->host,
		.part = part_of(m, s),
		.cause = s->cause,
		.resource = resource_of(s),
		.since_ns = s->since_ns,
		.until_ns = s->until_ns,
		.score = s->score,
		.persistence = s->persistence,
		.workload = s->workload,
		.next = next_check(s->cause),
	};
	return name_peers(m, f, s) < 0 ? NULL : f;
}

static int64_t window_ns(const struct lp_diagnosis *d)
{
	return (int64_t)d->reach.window * d->step_ns;
}

static int complete(struct maker *m, struct lp_finding *f,
		    const struct lp_suspect *s)
{
	int status = add_signs(m, f, s);

	for (size_t i = 0; i < m->all->n && status == 0; i++)
		if (m->all->items[i].into == s)
			status = add_signs(m, f, &m->all->items[i]);
	f->lasting = f->until_ns + window_ns(m->d) >= m->d->last_ns;
	return status;
}

/* ---- load that moved ---- */

static bool same_label(const struct lp_peer *a, const struct lp_peer *b,
		       const char *key)
{
	const char *x = lp_labels_get(&a->labels, key);
	const char *y = lp_labels_get(&b->labels, key);

	return x && y ? strcmp(x, y) == 0 : x == y;
}

static bool same_lun(const struct lp_peer *a, const struct lp_peer *b)
{
	return lp_labels_get(&a->labels, "lun") && same_label(a, b, "lun") &&
	       same_label(a, b, "controller") && same_label(a, b, "array");
}

/* The attachment of a LUN that has priority over this one, or NULL. */
static const struct lp_peer *primary_of(const struct lp_plan *plan,
					const struct lp_suspect *s)
{
	const char *priority = plan->groups[s->group].priority;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		if (group->kind != LP_PEERS || !*group->priority ||
		    strcmp(group->priority, priority) >= 0)
			continue;
		for (size_t i = 0; i < group->n; i++)
			if (same_lun(&group->peers[i], s->who))
				return &group->peers[i];
	}
	return NULL;
}

static struct lp_suspect *suspect_of(const struct maker *m,
				     const struct lp_peer *who,
				     const struct lp_suspect *during)
{
	for (size_t i = 0; i < m->all->n; i++)
		if (m->all->items[i].who == who &&
		    lp_overlap(&m->all->items[i], during))
			return &m->all->items[i];
	return NULL;
}

/*
 * Load on a secondary attachment accuses the primary that lost it (thesis 5.1,
 * table 5.3): the primary is what is found, the secondary its evidence.
 */
static void accuse_primary(struct maker *m, struct lp_suspect *s)
{
	const struct lp_peer *primary =
		s->cause == LP_CAUSE_DISK_HOG && !s->into
			? primary_of(m->input->plan, s)
			: NULL;
	struct lp_suspect *lost;

	if (!primary)
		return;
	lost = suspect_of(m, primary, s);
	if (lost && !lost->into) {
		lost->cause = LP_CAUSE_ABSENT;
		s->into = lost;
	} else if (!lost) {
		s->who = primary;
		s->cause = LP_CAUSE_ABSENT;
		s->workload = false;
	}
}

/* ---- what several share ---- */

/* By what a suspect can be shared: its host, its controller, its array. */
static const char *key_of(const struct lp_peer *who, size_t kind)
{
	static const char *const labels[] = { NULL, "controller", "array" };

	return kind ? lp_labels_get(&who->labels, labels[kind]) : who->host;
}
#define KINDS 3

struct shared {
	size_t kind;
	const char *key;
	const struct lp_suspect *worst;
};

static bool shares(const struct shared *with, const struct lp_peer *who,
		   const struct lp_class *class)
{
	const char *key = key_of(who, with->kind);

	/* What is gone may be everything of a host; else disks only. */
	return key && strcmp(key, with->key) == 0 &&
	       (class == with->worst->class ||
		with->worst->cause == LP_CAUSE_ABSENT);
}

static bool joins(const struct shared *with, const struct lp_suspect *s)
{
	return !s->taken && !s->into && s->cause == with->worst->cause &&
	       lp_overlap(s, with->worst) && shares(with, s->who, s->class);
}

static bool same_peer(const struct lp_suspect *a, const struct lp_suspect *b)
{
	return a->group == b->group && a->peer == b->peer;
}

static size_t count_joined(const struct maker *m, const struct shared *with)
{
	size_t n = 0;

	for (size_t i = 0; i < m->all->n; i++) {
		const struct lp_suspect *s = &m->all->items[i];
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = joins(with, &m->all->items[j]) &&
			       same_peer(&m->all->items[j], s);
		n += joins(with, s) && !seen;
	}
	return n;
}

static size_t count_members(const struct maker *m, const struct shared *with)
{
	const struct lp_plan *plan = m->input->plan;
	size_t n = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0; group->kind == LP_PEERS && i < group->n; i++)
			n += group->class != &lp_class_tcp &&
			     shares(with, &group->peers[i], group->class);
	}
	return n;
}

/* All suspects that share it become one finding. */
static int make_shared(struct maker *m, const struct shared *with, size_t n)
{
	static const char *const words[KINDS] = { "", "controller ", "array " };
	struct lp_finding *f = new_finding(m, with->worst);
	const char **parts =
		lp_arena_alloc(&m->d->arena, (n + 1) * sizeof(*parts));
	char name[256];
	int status;

	if (!f || !parts)
		return -ENOMEM;
	snprintf(name, sizeof(name), "%s%s", words[with->kind], with->key);
	f->component = lp_arena_string(&m->d->arena, name);
	f->part = NULL;
	f->parts = parts;
	f->score = 0;
	status = f->component ? complete(m, f, with->worst) : -ENOMEM;
	for (size_t i = 0; i < m->all->n && status == 0; i++) {
		struct lp_suspect *s = &m->all->items[i];

		if (!joins(with, s))
			continue;
		s->taken = true;
		f->score += s->score;
		if (f->n_parts < n)
			parts[f->n_parts++] = s->who->label;
		if (s->since_ns < f->since_ns)
			f->since_ns = s->since_ns;
		if (s->until_ns > f->until_ns)
			f->until_ns = s->until_ns;
	}
	return status;
}

static int coalesce(struct maker *m, const struct lp_suspect *s)
{
	int status = 0;

	for (size_t kind = 0; kind < KINDS && status == 0; kind++) {
		struct shared with = { kind, key_of(s->who, kind), s };
		size_t joined, members;

		if (s->taken || s->into || !with.key ||
		    s->class == &lp_class_tcp)
			continue;
		members = count_members(m, &with);
		if (members < 2)
			continue;
		joined = count_joined(m, &with);
		if (joined >= 2 &&
		    (double)joined >= SHARED_PART * (double)members)
			status = make_shared(m, &with, joined);
	}
	return status;
}

static int make_single(struct maker *m, struct lp_suspect *s)
{
	struct lp_finding *f;

	if (s->taken || s->into)
		return 0;
	s->taken = true;
	f = new_finding(m, s);
	return f && complete(m, f, s) == 0 ? 0 : -ENOMEM;
}

static int by_score(const void *a, const void *b)
{
	const struct lp_finding *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->component, y->component);
}

int lp_findings_make(struct lp_diagnosis *d, struct lp_suspects *suspects,
		     const struct lp_diagnose_input *input)
{
	struct maker m = { d, suspects, input };
	int status = 0;

	for (size_t i = 0; i < suspects->n; i++)
		accuse_primary(&m, &suspects->items[i]);
	for (size_t i = 0; i < suspects->n && status == 0; i++)
		status = coalesce(&m, &suspects->items[i]);
	for (size_t i = 0; i < suspects->n && status == 0; i++)
		status = make_single(&m, &suspects->items[i]);
	if (d->n_findings)
		qsort(d->findings, d->n_findings, sizeof(*d->findings),
		      by_score);
	for (size_t i = 0; i < d->n_findings && i < CONTEXT_FINDINGS; i++)
		if (status == 0 && !d->findings[i].n_parts)
			status = add_context(&m, &d->findings[i]);
	return status;
}
