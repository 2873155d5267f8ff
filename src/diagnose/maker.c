/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From suspects to findings: one each, or one for the part that several share,
 * with all their evidence, the worst first.
 */
#include "diagnose/maker.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Findings for which metrics that do not accuse are looked up, too. */
#define CONTEXT_FINDINGS 25

/* ---- evidence ---- */

int lp_finding_grow(struct lp_maker *m, struct lp_finding *f, size_t more)
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

/* What a sign says of who is absent, or is explained by who is. */
static const char *kind_of(const struct lp_finding *f,
			   const struct lp_suspect *s,
			   const struct lp_evidence *e)
{
	if (f->cause != LP_CAUSE_ABSENT && s->cause != LP_CAUSE_ABSENT)
		return LP_EVIDENCE_METRIC;
	if (isnan(e->value))
		return LP_EVIDENCE_ABSENCE;
	return f->cause == LP_CAUSE_ABSENT && lp_class_is_storage(e->class) &&
			       !lp_finding_is_of(f, e->component)
		       ? LP_EVIDENCE_MOVED
		       : LP_EVIDENCE_IDLENESS;
}

static int add_signs(struct lp_maker *m, struct lp_finding *f,
		     const struct lp_suspect *s)
{
	if (lp_finding_grow(m, f, s->n_signs) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_signs; i++) {
		struct lp_evidence *e = &f->evidence[f->n_evidence++];

		*e = s->signs[i].evidence;
		e->kind = kind_of(f, s, e);
		if (f->dated) {
			e->since_ns = f->since_ns;
			e->until_ns = f->until_ns;
		}
	}
	return 0;
}

static bool has_metric(const struct lp_finding *f,
		       const struct lp_matrix_metric *metric)
{
	size_t group = f->evidence[0].group_number;

	for (size_t i = 0; i < f->n_evidence; i++)
		if (f->evidence[i].metric == metric->metric &&
		    f->evidence[i].class == metric->class &&
		    f->evidence[i].group_number == group)
			return true;
	return false;
}

/* What else the recording says of it: shown, not accusing. */
static int add_context(struct lp_maker *m, struct lp_finding *f)
{
	const struct lp_matrix_metric *metrics = m->input->metrics;
	size_t group, peer, n = 0;

	if (!lp_evidence_place(&f->evidence[0], m->input->plan, &group, &peer))
		return 0;
	while (metrics[n].class)
		n++;
	if (lp_finding_grow(m, f, n) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct lp_evidence *e = &f->evidence[f->n_evidence];

		if (metrics[i].class != f->evidence[0].class ||
		    metrics[i].metric->total || has_metric(f, &metrics[i]))
			continue;
		if (lp_evidence_values(e, m->input, group, peer, i, f->since_ns,
				       f->until_ns) < 0)
			return -ENOMEM;
		f->n_evidence += isnan(e->value) ? 0u : 1u;
	}
	return 0;
}

/* ---- one suspect, and those that it explains ---- */

static const char *part_of(const struct lp_maker *m, const struct lp_suspect *s)
{
	if (!s->who->n_parts || s->class->pooled)
		return NULL;
	return lp_matrix_component(m->input->matrix, s->who->parts[0])->id;
}

static int name_peers(struct lp_maker *m, struct lp_finding *f,
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

/* What was not seen has no bounds but itself. */
static void begin_at(struct lp_finding *f, const struct lp_edge *e)
{
	f->since_ns = e->at_ns;
	f->since_low_ns = e->seen ? e->low_ns : e->at_ns;
	f->since_high_ns = e->seen ? e->high_ns : e->at_ns;
}

static void end_at(struct lp_finding *f, const struct lp_edge *e)
{
	f->until_ns = e->at_ns;
	f->until_low_ns = e->seen ? e->low_ns : e->at_ns;
	f->until_high_ns = e->seen ? e->high_ns : e->at_ns;
	f->lasting = !e->seen;
}

void lp_finding_span(struct lp_finding *f, const struct lp_suspect *s)
{
	const struct lp_dates *dates = &s->dates;

	f->dated = f->dated && dates->known;
	if (f->dated && dates->since.at_ns < f->since_ns)
		begin_at(f, &dates->since);
	if (f->dated && dates->until.at_ns > f->until_ns)
		end_at(f, &dates->until);
	if (f->dated)
		return;
	f->since_ns = lp_earlier(f->since_ns, s->since_ns);
	f->until_ns = lp_later(f->until_ns, s->until_ns);
}

struct lp_finding *lp_finding_new(struct lp_maker *m,
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
		.id = s->who->lasting,
		.host = s->who->host,
		.hosts = &s->who->host,
		.n_hosts = 1,
		.part = part_of(m, s),
		.cause = s->cause,
		.resource = s->class->resource,
		.since_ns = s->since_ns,
		.until_ns = s->until_ns,
		.score = s->score,
		.persistence = s->persistence,
		.workload = s->workload,
		.next = lp_cause_next(s->cause, s->class),
	};
	if (s->dates.known) {
		f->dated = true;
		begin_at(f, &s->dates.since);
		end_at(f, &s->dates.until);
	}
	return name_peers(m, f, s) < 0 ? NULL : f;
}

static int64_t window_ns(const struct lp_diagnosis *d)
{
	return (int64_t)d->reach.window * d->step_ns;
}

int lp_finding_complete(struct lp_maker *m, struct lp_finding *f,
			const struct lp_suspect *s)
{
	int status = add_signs(m, f, s);

	for (size_t i = 0; i < m->all->n && status == 0; i++)
		if (m->all->items[i].into == s)
			status = add_signs(m, f, &m->all->items[i]);
	if (!f->dated)
		f->lasting = f->until_ns + window_ns(m->d) >= m->d->last_ns;
	return status;
}

static int make_single(struct lp_maker *m, struct lp_suspect *s)
{
	struct lp_finding *f;

	if (s->taken || s->into)
		return 0;
	s->taken = true;
	f = lp_finding_new(m, s);
	return f && lp_finding_complete(m, f, s) == 0 ? 0 : -ENOMEM;
}

static int by_score(const void *a, const void *b)
{
	const struct lp_finding *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->component, y->component);
}

int lp_findings_make(struct lp_diagnosis *d, struct lp_suspects *suspects,
		     const struct lp_diagnose_input *input,
		     const char *const *exclude)
{
	struct lp_maker m = {
		.d = d, .all = suspects, .input = input, .exclude = exclude
	};
	int status = lp_find_missing(&m);

	for (size_t i = 0; i < suspects->n && status == 0; i++)
		status = lp_accuse_primary(&m, &suspects->items[i]);
	if (status == 0)
		status = lp_find_unseen(&m);
	if (status < 0)
		return status;
	status = lp_find_fallen(&m);
	for (size_t i = 0; i < suspects->n && status == 0; i++)
		status = lp_coalesce_fallen(&m, &suspects->items[i]);
	for (size_t i = 0; i < suspects->n && status == 0; i++)
		status = lp_coalesce(&m, &suspects->items[i]);
	for (size_t i = 0; i < suspects->n && status == 0; i++)
		status = make_single(&m, &suspects->items[i]);
	if (status == 0)
		status = lp_hear_witnesses(&m);
	if (d->n_findings)
		qsort(d->findings, d->n_findings, sizeof(*d->findings),
		      by_score);
	for (size_t i = 0; i < d->n_findings && i < CONTEXT_FINDINGS; i++)
		if (status == 0 && !d->findings[i].n_parts &&
		    d->findings[i].n_evidence)
			status = add_context(&m, &d->findings[i]);
	return status;
}
