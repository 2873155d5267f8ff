/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What witnesses said becomes evidence of the findings that it is about, or of
 * findings of its own.
 */
#include "diagnose/maker.h"
#include "diagnose/witness.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* The name that is shown: "oss3/sdc", "oss3". */
static const char *label_of(struct lp_maker *m, const struct lp_testimony *t)
{
	const struct lp_class *class =
		t->class_name ? lp_class_find(t->class_name) : NULL;
	char label[512];

	if (!t->component)
		return lp_arena_string(&m->d->arena, t->host);
	snprintf(label, sizeof(label), "%s%s%s", t->host,
		 class ? class->separator : "/", t->component);
	return lp_arena_string(&m->d->arena, label);
}

static bool is_about_host(const struct lp_finding *f, const char *host)
{
	for (size_t i = 0; i < f->n_hosts; i++)
		if (strcmp(f->hosts[i], host) == 0)
			return true;
	return false;
}

/* Of a host, whatever of it was found; of a component, just that or all. */
static bool concerns(const struct lp_testimony *t, const char *label,
		     const struct lp_finding *f)
{
	if (t->since_ns > f->until_ns || t->until_ns < f->since_ns ||
	    !is_about_host(f, t->host))
		return false;
	return !t->component || lp_finding_is_of(f, label) ||
	       strcmp(f->component, t->host) == 0;
}

static struct lp_evidence evidence_of(const struct lp_testimony *t,
				      const char *label)
{
	return (struct lp_evidence){
		.kind = t->kind,
		.component = label,
		.since_ns = t->since_ns,
		.until_ns = t->until_ns,
		.strength = t->strength,
		.accuses = t->accuses_alone,
		.sentence = t->sentence,
		.data = t->data,
		.value = NAN,
		.peers_median = NAN,
		.peers_iqr = NAN,
		.own_mean = NAN,
		.peers_mean = NAN,
		.distance = NAN,
		.share_over = NAN,
		.threshold = NAN,
	};
}

static int add_evidence(struct lp_maker *m, struct lp_finding *f,
			const struct lp_testimony *t, const char *label)
{
	if (lp_finding_grow(m, f, 1) < 0)
		return -ENOMEM;
	f->evidence[f->n_evidence++] = evidence_of(t, label);
	return 0;
}

static double score_of(const struct lp_testimony *t)
{
	return t->strength > 1 ? 1 + log2(t->strength) : 1;
}

/* Nobody else says anything of it. */
static int add_finding(struct lp_maker *m, const struct lp_testimony *t,
		       const char *label)
{
	struct lp_diagnosis *d = m->d;
	const struct lp_class *class =
		t->class_name ? lp_class_find(t->class_name) : NULL;
	const char **host = lp_arena_alloc(&d->arena, sizeof(*host));
	struct lp_finding *f;

	if (!host || lp_grow(&d->findings, &d->findings_capacity,
			     d->n_findings + 1, sizeof(*f)) < 0)
		return -ENOMEM;
	*host = t->host;
	f = &d->findings[d->n_findings++];
	*f = (struct lp_finding){
		.component = label,
		.id = label,
		.host = t->host,
		.hosts = host,
		.n_hosts = 1,
		.cause = t->cause,
		.resource = t->resource,
		.since_ns = t->since_ns,
		.until_ns = t->until_ns,
		.lasting = t->until_ns >= d->last_ns,
		.score = score_of(t),
		.persistence = 1,
		.next = lp_cause_next(t->cause, class),
	};
	return add_evidence(m, f, t, label);
}

static int hear(struct lp_maker *m, const struct lp_testimony *t)
{
	const char *label = label_of(m, t);
	bool known = false;
	int status = label ? 0 : -ENOMEM;

	for (size_t i = 0; i < m->d->n_findings && status == 0; i++)
		if (concerns(t, label, &m->d->findings[i])) {
			known = true;
			status = add_evidence(m, &m->d->findings[i], t, label);
		}
	if (status || known || !t->accuses_alone ||
	    lp_is_excluded(m->exclude, label, t->host))
		return status;
	return add_finding(m, t, label);
}

int lp_hear_witnesses(struct lp_maker *m)
{
	int status = 0;

	for (size_t i = 0; i < m->input->n_testimonies && status == 0; i++)
		status = hear(m, &m->input->testimonies[i]);
	return status;
}
