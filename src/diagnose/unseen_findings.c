/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known and was never seen is absent for the whole time: servers that
 * the cluster file or an inventory names (thesis 5.7.1), and the unnamed ones
 * whose LUNs are served by others. Load that moved from them is their evidence.
 */
#include "diagnose/maker.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is gone weighs as much as something eight times its threshold off. */
#define ABSENT_MAGNITUDE 8

static size_t most_windows(const struct lp_diagnosis *d)
{
	size_t most = 1;

	for (size_t i = 0; i < d->n_units; i++)
		if (!d->units[i].detector->lower_is_worse &&
		    d->units[i].windows > most)
			most = d->units[i].windows;
	return most;
}

/* A finding of the whole time; known_by is the arena's or the plan's. */
static struct lp_finding *add(struct lp_maker *m, const char *component,
			      const char *known_by)
{
	struct lp_diagnosis *d = m->d;
	struct lp_finding *f;

	if (!component || !known_by ||
	    lp_grow(&d->findings, &d->findings_capacity, d->n_findings + 1,
		    sizeof(*f)) < 0)
		return NULL;
	f = &d->findings[d->n_findings++];
	*f = (struct lp_finding){
		.component = component,
		.id = component,
		.cause = LP_CAUSE_ABSENT,
		.resource = LP_STORAGE,
		.since_ns = d->first_ns,
		.until_ns = d->last_ns,
		.lasting = true,
		.persistence = most_windows(d),
		.next = lp_cause_next(LP_CAUSE_ABSENT, NULL),
		.known_by = known_by,
	};
	f->score = (double)f->persistence * (1 + log2(ABSENT_MAGNITUDE));
	return f;
}

static bool is_open(const struct lp_suspect *s)
{
	return !s->taken && !s->into && s->cause == LP_CAUSE_ABSENT;
}

static bool has_part(const struct lp_finding *f, const char *label)
{
	for (size_t i = 0; i < f->n_parts; i++)
		if (strcmp(f->parts[i], label) == 0)
			return true;
	return false;
}

/* The attachments of this host whose load moved, with their evidence. */
static int take_moved(struct lp_maker *m, struct lp_finding *f,
		      const char *host)
{
	const char **parts =
		lp_arena_alloc(&m->d->arena, (m->all->n + 1) * sizeof(*parts));
	int status = parts ? 0 : -ENOMEM;

	f->parts = parts;
	for (size_t i = 0; i < m->all->n && status == 0; i++) {
		struct lp_suspect *s = &m->all->items[i];

		if (!is_open(s) || strcmp(s->who->host, host) != 0)
			continue;
		s->taken = true;
		if (!has_part(f, s->who->label))
			parts[f->n_parts++] = s->who->label;
		status = lp_finding_complete(m, f, s);
	}
	return status;
}

static int add_host(struct lp_maker *m, const struct lp_unseen *unseen)
{
	struct lp_finding *f = add(m, unseen->label, unseen->known_by);

	if (!f)
		return -ENOMEM;
	f->host = unseen->host;
	f->hosts = &unseen->host;
	f->n_hosts = 1;
	return take_moved(m, f, unseen->host);
}

/* A disk of a server that was seen. */
static int add_device(struct lp_maker *m, const struct lp_unseen *unseen)
{
	struct lp_finding *f = add(m, unseen->label, unseen->known_by);
	int status = f ? 0 : -ENOMEM;

	if (f) {
		f->host = unseen->host;
		f->hosts = &unseen->host;
		f->n_hosts = 1;
	}
	for (size_t i = 0; i < m->all->n && status == 0; i++) {
		struct lp_suspect *s = &m->all->items[i];

		if (!is_open(s) || strcmp(s->who->label, unseen->label) != 0)
			continue;
		s->taken = true;
		status = lp_finding_complete(m, f, s);
	}
	return status;
}

/* "oss3": the host that has the load now. */
static const char *taker_of(const struct lp_maker *m,
			    const struct lp_suspect *s)
{
	return m->input->plan->groups[s->group].peers[s->peer].host;
}

static bool is_unnamed(const struct lp_suspect *s)
{
	return is_open(s) && strcmp(s->who->host, LP_NO_NAME) == 0;
}

static bool is_on(const struct lp_peer *who, const char *controller)
{
	const char *of = lp_labels_get(&who->labels, "controller");

	return of && strcmp(of, controller) == 0;
}

/* LUNs of a controller that have an attachment of this priority. */
static size_t count_luns(const struct lp_maker *m, const char *controller,
			 const char *priority)
{
	const struct lp_plan *plan = m->input->plan;
	size_t n = 0;

	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0;
		     plan->groups[g].kind == LP_PEERS && i < plan->groups[g].n;
		     i++)
			n += strcmp(plan->groups[g].priority, priority) == 0 &&
			     is_on(&plan->groups[g].peers[i], controller);
	return n;
}

/*
 * Nearly all LUNs of one controller: it may as well be the controller. The
 * name of what is absent; NULL: out of memory.
 */
static const char *name_unnamed(struct lp_maker *m,
				const struct lp_suspect *first)
{
	const char *controller =
		lp_labels_get(&first->who->labels, "controller");
	const char *priority = lp_labels_get(&first->who->labels, "priority");
	size_t on = 0, others = 0;
	char text[256];

	for (size_t i = 0; i < m->all->n; i++)
		if (is_unnamed(&m->all->items[i])) {
			if (controller &&
			    is_on(m->all->items[i].who, controller))
				on++;
			else
				others++;
		}
	if (others || on < 2 ||
	    (double)on < LP_SHARED_PART *
				 (double)count_luns(m, controller, priority))
		return "unrecorded server";
	snprintf(text, sizeof(text), "controller %s or its servers",
		 controller);
	return lp_arena_string(&m->d->arena, text);
}

static int add_unnamed(struct lp_maker *m)
{
	const struct lp_suspect *first = NULL;
	struct lp_finding *f;
	char text[400];

	for (size_t i = 0; i < m->all->n && !first; i++)
		if (is_unnamed(&m->all->items[i]))
			first = &m->all->items[i];
	if (!first)
		return 0;
	snprintf(text, sizeof(text),
		 "the inventory of %s has a later attachment of the same LUN; "
		 "no recording has the first",
		 taker_of(m, first));
	f = add(m, name_unnamed(m, first), lp_arena_string(&m->d->arena, text));
	return f ? take_moved(m, f, LP_NO_NAME) : -ENOMEM;
}

/* Load that moved from somebody who is excluded accuses nobody. */
static void drop_excluded(struct lp_maker *m)
{
	for (size_t i = 0; i < m->all->n; i++) {
		struct lp_suspect *s = &m->all->items[i];

		if (lp_is_excluded(m->exclude, s->who->label, s->who->host))
			s->taken = true;
	}
}

int lp_find_unseen(struct lp_maker *m)
{
	const struct lp_plan *plan = m->input->plan;
	int status = 0;

	drop_excluded(m);

	for (size_t i = 0; i < plan->n_unseen && status == 0; i++) {
		const struct lp_unseen *unseen = &plan->unseen[i];

		if (lp_is_excluded(m->exclude, unseen->label, unseen->host))
			continue;
		if (unseen->whole)
			status = add_host(m, unseen);
		else if (!lp_plan_unseen_host(plan, unseen->host))
			status = add_device(m, unseen);
	}
	return status < 0 ? status : add_unnamed(m);
}
