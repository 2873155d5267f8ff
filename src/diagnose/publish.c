/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/publish.h"

#include <errno.h>
#include <string.h>

struct copier {
	const struct lp_publication *from;
	struct lp_findings *to;
	bool failed; /* out of memory */
};

/* NULL stays NULL. */
static const char *text(struct copier *c, const char *of)
{
	const char *copy = of ? lp_findings_text(c->to, of) : NULL;

	c->failed |= of && !copy;
	return copy;
}

static void *room(struct copier *c, size_t n, size_t size)
{
	void *p = lp_arena_alloc(&c->to->arena, n * size);

	c->failed |= !p;
	return p;
}

static const char *const *texts(struct copier *c, const char *const *of,
				size_t n)
{
	const char **copy = room(c, n, sizeof(*copy));

	for (size_t i = 0; copy && i < n; i++)
		copy[i] = text(c, of[i]);
	return copy;
}

/* ---- findings ---- */

static void copy_evidence(struct copier *c, struct lp_evidence *e)
{
	e->kind = text(c, e->kind);
	e->component = text(c, e->component);
	e->sentence = text(c, e->sentence);
	e->data = text(c, e->data);
	e->group = text(c, e->group);
	e->method = text(c, e->method);
}

static void copy_finding(struct copier *c, struct lp_finding *f)
{
	struct lp_evidence *evidence =
		room(c, f->n_evidence, sizeof(*evidence));

	/* While the evidence is at hand. */
	f->words = (struct lp_cause_words){
		.name = text(c, lp_cause_name(f->cause)),
		.title = text(c, lp_cause_title(f->cause)),
		.text = text(c, lp_finding_text(f)),
	};
	f->component = text(c, f->component);
	f->id = text(c, f->id);
	f->host = text(c, f->host);
	f->hosts = texts(c, f->hosts, f->n_hosts);
	f->part = text(c, f->part);
	f->group = text(c, f->group);
	f->peers = texts(c, f->peers, f->n_peers);
	f->parts = texts(c, f->parts, f->n_parts);
	f->next = text(c, f->next);
	f->known_by = text(c, f->known_by);
	for (size_t i = 0; evidence && i < f->n_evidence; i++) {
		evidence[i] = f->evidence[i];
		copy_evidence(c, &evidence[i]);
	}
	f->evidence = evidence;
}

static void copy_findings(struct copier *c)
{
	const struct lp_diagnosis *d = c->from->diagnosis;

	c->to->items = room(c, d->n_findings, sizeof(*c->to->items));
	for (size_t i = 0; c->to->items && i < d->n_findings; i++) {
		c->to->items[i] = d->findings[i];
		copy_finding(c, &c->to->items[i]);
	}
	c->to->n = d->n_findings;
}

/* ---- what was compared, and how ---- */

/* What the limit of a quantity rests on; NULL: it is none. */
static const char *limit_by(const struct lp_unit *u)
{
	static const char *const words[] = {
		[LP_LIMIT_GIVEN] = "given",
		[LP_LIMIT_LAB] = "lab",
		[LP_LIMIT_SITE] = "site",
		[LP_LIMIT_HERE] = "recording",
	};

	return u->detector->joint ? words[u->limit_by] : NULL;
}

static struct lp_comparison comparison(struct copier *c,
				       const struct lp_unit *u)
{
	const char *ground = u->group->ground;

	return (struct lp_comparison){
		.group = text(c, u->group->name),
		.metric = text(c, u->metric->name),
		.class = text(c, u->class->name),
		.method = text(c, u->detector->name),
		.group_number = lp_plan_group_number(c->from->input->plan,
						     u->group_index),
		.ground = ground && *ground ? text(c, ground) : NULL,
		.by = u->group->by,
		.n = u->group->n,
		.n_trained = u->n_trained,
		.threshold = u->params.threshold,
		.windows = u->windows,
		.n_compared = u->n_compared,
		.n_split = u->n_split,
		.values = lp_unit_has_values(u),
		.limit_by = limit_by(u),
		.tail_hours =
			limit_by(u) && u->tail.hours > 0 ? u->tail.hours : NAN,
		.least_level = limit_by(u) ? u->least_level : NAN,
		.least_change = limit_by(u) ? u->least_change : NAN,
	};
}

static bool is_first_of_method(const struct lp_diagnosis *d, size_t unit)
{
	for (size_t i = 0; i < unit; i++)
		if (d->units[i].detector == d->units[unit].detector)
			return false;
	return true;
}

static void copy_units(struct copier *c)
{
	const struct lp_diagnosis *d = c->from->diagnosis;
	struct lp_findings *to = c->to;

	to->comparisons = room(c, d->n_units, sizeof(*to->comparisons));
	to->methods = room(c, d->n_units, sizeof(*to->methods));
	for (size_t i = 0; !c->failed && i < d->n_units; i++) {
		const struct lp_unit *u = &d->units[i];

		/* It compares nothing. */
		if (u->detector == &lp_presence)
			continue;
		to->comparisons[to->n_comparisons++] = comparison(c, u);
		if (is_first_of_method(d, i))
			to->methods[to->n_methods++] = (struct lp_method){
				.name = text(c, u->detector->name),
				.help = text(c, u->detector->help),
				.smooth = u->params.smooth,
				.window = u->params.window,
				.shift = u->params.shift,
				.k = u->params.k,
				.block_ns =
					u->detector->joint
						? (int64_t)u->params.window *
							  d->step_ns
						: 0,
			};
	}
}

/* A group's name is its own text; others may have the same words. */
static size_t number_of(const struct lp_plan *plan, const char *name)
{
	size_t g = 0;

	while (g < plan->n_groups && plan->groups[g].name != name)
		g++;
	return g < plan->n_groups ? lp_plan_group_number(plan, g) : 0;
}

static void copy_hourly(struct copier *c)
{
	const struct lp_diagnosis *d = c->from->diagnosis;

	c->to->hourly = room(c, d->n_hourly, sizeof(*c->to->hourly));
	for (size_t i = 0; c->to->hourly && i < d->n_hourly; i++) {
		struct lp_persistent *p = &c->to->hourly[i];

		*p = d->hourly[i];
		p->group_number = number_of(c->from->input->plan, p->group);
		p->component = text(c, p->component);
		p->group = text(c, p->group);
	}
	c->to->n_hourly = d->n_hourly;
}

static void copy_plan(struct copier *c)
{
	const struct lp_plan *plan = c->from->input->plan;
	struct lp_findings *to = c->to;

	to->n_hosts = plan->n_hosts;
	for (size_t i = 0; i < plan->n_groups; i++)
		if (plan->groups[i].kind == LP_PEERS) {
			to->n_groups++;
			to->n_components += plan->groups[i].n;
		}
	to->left_out = room(c, plan->n_left_out, sizeof(*to->left_out));
	for (size_t i = 0; to->left_out && i < plan->n_left_out; i++)
		to->left_out[to->n_left_out++] = (struct lp_not_compared){
			text(c, plan->left_out[i].label),
			text(c, plan->left_out[i].reason),
		};
}

static void copy_notes(struct copier *c)
{
	const char *const *given = c->from->notes;
	const struct lp_diagnosis *d = c->from->diagnosis;
	const struct lp_plan *plan = c->from->input->plan;
	struct lp_findings *to = c->to;
	size_t n = d->n_notes + plan->n_notes;

	for (size_t i = 0; given && given[i]; i++)
		n++;
	to->notes = room(c, n, sizeof(*to->notes));
	if (!to->notes)
		return;
	for (size_t i = 0; given && given[i]; i++)
		if (given[i][0])
			to->notes[to->n_notes++] = text(c, given[i]);
	for (size_t i = 0; i < d->n_notes; i++)
		to->notes[to->n_notes++] = text(c, d->notes[i]);
	for (size_t i = 0; i < plan->n_notes; i++)
		to->notes[to->n_notes++] = text(c, plan->notes[i]);
}

/* What was accepted, where limits follow from it. */
static const char *budget(struct copier *c)
{
	const struct lp_diagnosis *d = c->from->diagnosis;
	char words[LP_BUDGET_TEXT];

	for (size_t i = 0; i < d->n_units; i++)
		if (d->units[i].detector->joint &&
		    d->units[i].limit_by != LP_LIMIT_GIVEN)
			return text(c, lp_budget_text(&d->budget, words));
	return NULL;
}

static void copy_facts(struct copier *c)
{
	const struct lp_publication *from = c->from;
	const struct lp_diagnosis *d = from->diagnosis;
	struct lp_findings *to = c->to;

	to->outcome = d->outcome;
	to->reason = text(c, d->reason);
	to->step_ns = d->step_ns;
	to->first_ns = d->first_ns;
	to->last_ns = d->last_ns;
	to->window = d->reach.window;
	to->shift = d->reach.shift;
	to->k = d->reach.k;
	to->of = d->reach.of;
	to->least_ns = d->reach.least_ns;
	to->sure_ns = d->reach.sure_ns;
	to->needed_ns = d->reach.needed_ns;
	to->trained = d->trained;
	to->budget = budget(c);
	to->trained_on = text(c, from->trained_on ? from->trained_on : "");
	to->inputs_left_out = from->inputs_left_out;
	to->inputs_read_in_part = from->inputs_read_in_part;
}

int lp_findings_publish(const struct lp_publication *publication,
			struct lp_findings *findings, struct lp_error *err)
{
	struct copier c = { .from = publication, .to = findings };
	int status;

	*findings = (struct lp_findings){ 0 };
	copy_facts(&c);
	copy_findings(&c);
	copy_units(&c);
	copy_hourly(&c);
	copy_plan(&c);
	copy_notes(&c);
	status = c.failed ? -ENOMEM : 0;
	if (status == 0 && publication->pictures)
		status = lp_pictures_make(findings, publication->input);
	if (status == 0 && publication->pictures)
		status = lp_map_make(findings, publication->diagnosis,
				     publication->input);
	if (status < 0) {
		lp_findings_done(findings);
		return lp_fail_memory(err);
	}
	return 0;
}

static bool judged_before(const struct lp_diagnosis *d, size_t unit)
{
	const struct lp_unit *u = &d->units[unit];

	for (size_t i = 0; i < unit; i++)
		if (d->units[i].group_index == u->group_index &&
		    d->units[i].metric_index == u->metric_index)
			return true;
	return false;
}

bool lp_diagnosis_several(const struct lp_diagnosis *d)
{
	for (size_t i = 0; i < d->n_units; i++)
		if (judged_before(d, i))
			return true;
	return false;
}
