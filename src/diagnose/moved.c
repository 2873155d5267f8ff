/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/maker.h"

#include <errno.h>
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

	return item->class == &lp_class_disk && item->n_samples == 0 &&
	       lp_labels_get(&left->labels, "lun") &&
	       lp_labels_get(&left->labels, "priority");
}

int lp_find_missing(struct lp_maker *m)
{
	const struct lp_plan *plan = m->input->plan;
	const struct lp_roster *roster;

	m->missing = lp_arena_alloc(&m->d->arena, (plan->n_left_out + 1) *
							  sizeof(*m->missing));
	if (!m->missing)
		return -ENOMEM;
	if (!m->input->recording)
		return 0;
	roster = &m->input->recording->roster;
	for (size_t i = 0; i < plan->n_left_out; i++) {
		const struct lp_plan_left_out *left = &plan->left_out[i];

		if (is_missing(m, left))
			m->missing[m->n_missing++] = (struct lp_peer){
				.label = left->label,
				.lasting = left->label,
				.host = roster->hosts[roster->items[left->item]
							      .host]
						.name,
				.item = left->item,
				.own = LP_NO_GROUP,
				.labels = left->labels,
			};
	}
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

/*
 * Load on a secondary attachment accuses the primary that lost it (thesis 5.1,
 * table 5.3): the primary is what is found, the secondary its evidence.
 */
void lp_accuse_primary(struct lp_maker *m, struct lp_suspect *s)
{
	const struct lp_peer *primary =
		s->cause == LP_CAUSE_DISK_HOG && !s->into ? primary_of(m, s)
							  : NULL;
	struct lp_suspect *lost;

	if (!primary)
		return;
	lost = lp_suspect_of(m, primary, s);
	if (lost && !lost->into) {
		lost->cause = LP_CAUSE_ABSENT;
		s->into = lost;
	} else if (!lost) {
		s->who = primary;
		s->cause = LP_CAUSE_ABSENT;
		s->workload = false;
	}
}
