/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/maker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

/* ---- attachments without a sample ---- */

static bool is_missing(const struct lp_maker *m,
		       const struct lp_plan_left_out *left)
{
	const struct lp_roster_item *item =
		&m->input->recording->roster.items[left->item];

	return lp_class_is_storage(item->class) && item->n_samples == 0 &&
	       lp_labels_get(&left->labels, "lun") &&
	       lp_labels_get(&left->labels, "priority");
}

static void add_missing(struct lp_maker *m, const char *label, const char *host,
			size_t item, const struct lp_labels *labels)
{
	m->missing[m->n_missing++] = (struct lp_peer){
		.label = label,
		.lasting = label,
		.host = host,
		.item = item,
		.own = LP_NO_GROUP,
		.labels = *labels,
	};
}

int lp_find_missing(struct lp_maker *m)
{
	const struct lp_plan *plan = m->input->plan;
	const struct lp_roster *roster;

	m->missing = lp_arena_alloc(&m->d->arena,
				    (plan->n_left_out + plan->n_unseen + 1) *
					    sizeof(*m->missing));
	if (!m->missing)
		return -ENOMEM;
	if (!m->input->recording)
		return 0;
	roster = &m->input->recording->roster;
	for (size_t i = 0; i < plan->n_left_out; i++) {
		const struct lp_plan_left_out *left = &plan->left_out[i];
		uint32_t host = roster->items[left->item].host;

		if (is_missing(m, left))
			add_missing(m, left->label, roster->hosts[host].name,
				    left->item, &left->labels);
	}
	for (size_t i = 0; i < plan->n_unseen; i++)
		if (lp_labels_get(&plan->unseen[i].labels, "lun"))
			add_missing(m, plan->unseen[i].label,
				    plan->unseen[i].host, 0,
				    &plan->unseen[i].labels);
	return 0;
}

/* ---- the primary ---- */

/* Among these, the attachment of the LUN before all others; NULL: none. */
static const struct lp_peer *before(const struct lp_peer *peers, size_t n,
				    const struct lp_peer *who,
				    const struct lp_peer *best)
{
	for (size_t i = 0; i < n; i++) {
		const char *priority =
			lp_labels_get(&peers[i].labels, "priority");
		const char *than = lp_labels_get(
			best ? &best->labels : &who->labels, "priority");

		if (priority && than && strverscmp(priority, than) < 0 &&
		    same_lun(&peers[i], who))
			best = &peers[i];
	}
	return best;
}

/* The attachment of a LUN that has priority over this one, or NULL. */
static const struct lp_peer *primary_of(const struct lp_maker *m,
					const struct lp_suspect *s)
{
	const struct lp_plan *plan = m->input->plan;
	const struct lp_peer *best =
		before(m->missing, m->n_missing, s->who, NULL);

	for (size_t g = 0; g < plan->n_groups; g++)
		if (plan->groups[g].kind == LP_PEERS)
			best = before(plan->groups[g].peers, plan->groups[g].n,
				      s->who, best);
	return best;
}

struct lp_suspect *lp_suspect_of(const struct lp_maker *m,
				 const struct lp_peer *who,
				 const struct lp_suspect *during)
{
	for (size_t i = 0; i < m->all->n; i++)
		if (m->all->items[i].who == who &&
		    lp_overlap(&m->all->items[i], during))
			return &m->all->items[i];
	return NULL;
}

/* ---- a primary that nobody names ---- */

/* How many attachments have this priority; NULL: the first of all. */
static size_t count_priority(const struct lp_maker *m, const char **priority)
{
	const struct lp_plan *plan = m->input->plan;
	bool first = !*priority;
	size_t n = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const char *of = plan->groups[g].priority;
		int order = *priority ? strverscmp(of, *priority) : -1;

		if (plan->groups[g].kind != LP_PEERS || !*of)
			continue;
		if (first && order < 0) {
			*priority = of;
			n = 0;
		}
		if (strcmp(of, *priority) == 0)
			n += plan->groups[g].n;
	}
	return n;
}

/* The only server that was not seen, if there is one. */
static const char *only_unseen(const struct lp_plan *plan)
{
	const char *host = NULL;

	for (size_t i = 0; i < plan->n_unseen; i++) {
		if (!plan->unseen[i].whole)
			continue;
		if (host)
			return LP_NO_NAME;
		host = plan->unseen[i].host;
	}
	return host ? host : LP_NO_NAME;
}

static const char *name_attachment(struct lp_maker *m,
				   const struct lp_peer *who, const char *host)
{
	const char *controller = lp_labels_get(&who->labels, "controller");
	char label[512];

	snprintf(label, sizeof(label), "%s%s%s.%s",
		 controller ? controller : "", controller ? "." : "",
		 lp_labels_get(&who->labels, "lun"), host);
	return lp_arena_string(&m->d->arena, label);
}

/*
 * Other LUNs have a first attachment, and this one has not: whoever has it was
 * not recorded. *primary is NULL if that is not so. 0 or -ENOMEM.
 */
static int unnamed_primary(struct lp_maker *m, const struct lp_suspect *s,
			   const struct lp_peer **primary)
{
	const char *own = lp_labels_get(&s->who->labels, "priority");
	const char *first = NULL;
	size_t with_first = count_priority(m, &first);
	struct lp_peer *made;

	*primary = NULL;
	/* Whoever was left out on purpose is not absent. */
	if (!m->input->recording || m->input->recording->partial || !own ||
	    !first || !lp_labels_get(&s->who->labels, "lun") ||
	    strverscmp(first, own) >= 0 ||
	    2 * with_first < count_priority(m, &own))
		return 0;
	made = lp_arena_alloc(&m->d->arena, sizeof(*made));
	if (!made)
		return -ENOMEM;
	made->host = only_unseen(m->input->plan);
	made->label = made->lasting = name_attachment(m, s->who, made->host);
	made->item = s->who->item;
	made->own = LP_NO_GROUP;
	made->labels = s->who->labels;
	*primary = made;
	return made->label ? 0 : -ENOMEM;
}

/*
 * Load on a secondary attachment accuses the primary that lost it (thesis 5.1,
 * table 5.3): the primary is what is found, the secondary its evidence.
 */
int lp_accuse_primary(struct lp_maker *m, struct lp_suspect *s)
{
	const struct lp_peer *primary = NULL;
	struct lp_suspect *lost;

	if (s->cause != LP_CAUSE_DISK_HOG || s->into)
		return 0;
	primary = primary_of(m, s);
	if (!primary && unnamed_primary(m, s, &primary) < 0)
		return -ENOMEM;
	if (!primary)
		return 0;
	lost = lp_suspect_of(m, primary, s);
	if (lost && !lost->into) {
		lost->cause = LP_CAUSE_ABSENT;
		s->into = lost;
	} else if (!lost) {
		s->who = primary;
		s->cause = LP_CAUSE_ABSENT;
		s->workload = false;
	}
	return 0;
}
