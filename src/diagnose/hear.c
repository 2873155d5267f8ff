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

/* What was found and what is said besides, together. */
static const struct {
	enum lp_cause found, said, is;
} joined[] = {
	{ LP_CAUSE_ABSENT, LP_CAUSE_CUT_OFF, LP_CAUSE_CUT_OFF },
	{ LP_CAUSE_PACKET_LOSS, LP_CAUSE_CUT_OFF, LP_CAUSE_CUT_OFF },
	{ LP_CAUSE_UNKNOWN, LP_CAUSE_CUT_OFF, LP_CAUSE_CUT_OFF },
	{ LP_CAUSE_ABSENT, LP_CAUSE_DEVICE_FAILING, LP_CAUSE_DEVICE_FAILING },
	{ LP_CAUSE_DISK_BUSY, LP_CAUSE_DEVICE_FAILING,
	  LP_CAUSE_DEVICE_FAILING },
	{ LP_CAUSE_UNKNOWN, LP_CAUSE_DEVICE_FAILING, LP_CAUSE_DEVICE_FAILING },
};

/* False: it speaks for another cause than what was found. */
static bool join_cause(struct lp_finding *f, const struct lp_testimony *t)
{
	const struct lp_class *class =
		f->n_evidence ? f->evidence[0].class : NULL;

	if (t->cause == LP_CAUSE_UNKNOWN || f->cause == t->cause)
		return true;
	for (size_t i = 0; i < lp_array_size(joined); i++)
		if (joined[i].found == f->cause && joined[i].said == t->cause) {
			f->cause = joined[i].is;
			f->next = lp_cause_next(f->cause, class);
			return true;
		}
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
	struct lp_evidence e = evidence_of(t, label);
	char text[1500];

	if (lp_finding_grow(m, f, 1) < 0)
		return -ENOMEM;
	if (!join_cause(f, t)) {
		snprintf(text, sizeof(text),
			 "This speaks for another cause, %s. %s",
			 lp_cause_name(t->cause), t->sentence);
		e.sentence = lp_arena_string(&m->d->arena, text);
	}
	f->evidence[f->n_evidence++] = e;
	return e.sentence ? 0 : -ENOMEM;
}

static double score_of(const struct lp_testimony *t)
{
	return t->strength > 1 ? 1 + log2(t->strength) : 1;
}

/* Nothing else speaks for it, and its threshold is nobody's. */
#define ALONE                                                                  \
	"%s. The samples do not show it. It is known by the logs alone and "   \
	"not covered by the budget of false alarms"

static bool by_logs(const struct lp_testimony *t)
{
	return strcmp(t->kind, LP_EVIDENCE_LOGS_VERDICT) == 0;
}

static int mark_alone(struct lp_maker *m, struct lp_evidence *e)
{
	char text[2000];

	snprintf(text, sizeof(text), ALONE, e->sentence);
	e->sentence = lp_arena_string(&m->d->arena, text);
	return e->sentence ? 0 : -ENOMEM;
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
	if (add_evidence(m, f, t, label) < 0)
		return -ENOMEM;
	return by_logs(t) ? mark_alone(m, &f->evidence[0]) : 0;
}

static int hear(struct lp_maker *m, const struct lp_testimony *t)
{
	const char *label = label_of(m, t);
	bool known = false;
	int status = label ? 0 : -ENOMEM;

	if (strcmp(t->kind, LP_EVIDENCE_LOGS_READ) == 0) {
		m->logs_were_read = true;
		return status;
	}
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

static bool has_logs(const struct lp_finding *f)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		if (strncmp(f->evidence[i].kind, LP_EVIDENCE_LOGS,
			    strlen(LP_EVIDENCE_LOGS)) == 0)
			return true;
	return false;
}

/* That they are silent is to be known, too. */
static int say_silence(struct lp_maker *m, struct lp_finding *f)
{
	const struct lp_testimony silence = {
		.kind = LP_EVIDENCE_LOGS,
		.since_ns = f->since_ns,
		.until_ns = f->until_ns,
		.strength = NAN,
		.sentence = "The logs say nothing of it",
	};

	return has_logs(f) ? 0 : add_evidence(m, f, &silence, f->component);
}

int lp_hear_witnesses(struct lp_maker *m)
{
	int status = 0;

	for (size_t i = 0; i < m->input->n_testimonies && status == 0; i++)
		status = hear(m, &m->input->testimonies[i]);
	for (size_t i = 0;
	     i < m->d->n_findings && status == 0 && m->logs_were_read; i++)
		status = say_silence(m, &m->d->findings[i]);
	return status;
}
