/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/planner.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const role_names[LP_ROLES] = {
	[LP_ROLE_UNKNOWN] = "unknown",
	[LP_ROLE_SERVER] = "server",
	[LP_ROLE_CLIENT] = "client",
	[LP_ROLE_METADATA] = "metadata",
};

const char *lp_role_name(enum lp_role role)
{
	return role_names[role];
}

enum lp_role lp_plan_role(const struct lp_plan *plan, const char *host)
{
	for (size_t i = 0; i < plan->n_hosts; i++)
		if (strcmp(plan->hosts[i].name, host) == 0)
			return plan->hosts[i].role;
	return LP_ROLE_UNKNOWN;
}

enum lp_role lp_planner_role(const struct lp_planner *p, uint32_t host)
{
	return p->plan->hosts[host].role;
}

/*
 * Where nothing tells servers from clients, all hosts are compared; those that
 * a file with roles does not name are not.
 */
bool lp_planner_is(const struct lp_planner *p, uint32_t host, enum lp_role role)
{
	enum lp_role own = lp_planner_role(p, host);

	if (own != LP_ROLE_UNKNOWN || role != LP_ROLE_SERVER)
		return own == role;
	return !p->cluster || !lp_cluster_has_roles(p->cluster);
}

bool lp_planner_serves(const struct lp_planner *p, uint32_t host)
{
	return lp_planner_is(p, host, LP_ROLE_SERVER) ||
	       lp_planner_is(p, host, LP_ROLE_METADATA);
}

static const char *format_text(struct lp_arena *arena, const char *format,
			       va_list args)
{
	lp_auto_free char *text = NULL;

	if (vasprintf(&text, format, args) < 0) {
		text = NULL;
		return NULL;
	}
	return lp_arena_string(arena, text);
}

const char *lp_planner_text(struct lp_planner *p, const char *format, ...)
{
	const char *text;
	va_list args;

	va_start(args, format);
	text = format_text(&p->plan->arena, format, args);
	va_end(args);
	return text;
}

/* The text is the plan's already. */
static int add_note(struct lp_plan *plan, const char *text)
{
	if (!text || lp_grow(&plan->notes, &plan->notes_capacity,
			     plan->n_notes + 1, sizeof(*plan->notes)) < 0)
		return -ENOMEM;
	plan->notes[plan->n_notes++] = text;
	return 0;
}

int lp_plan_note(struct lp_plan *plan, const char *text)
{
	return add_note(plan, lp_arena_string(&plan->arena, text));
}

int lp_planner_note(struct lp_planner *p, const char *format, ...)
{
	const char *text;
	va_list args;

	va_start(args, format);
	text = format_text(&p->plan->arena, format, args);
	va_end(args);
	return add_note(p->plan, text);
}

/* ---- the beginning ---- */

static int begin_hosts(struct lp_planner *p)
{
	struct lp_plan *plan = p->plan;

	plan->n_hosts = p->roster->n_hosts;
	plan->hosts = calloc(plan->n_hosts + 1, sizeof(*plan->hosts));
	p->layout = calloc(plan->n_hosts + 1, sizeof(*p->layout));
	if (!plan->hosts || !p->layout)
		return -ENOMEM;
	for (size_t i = 0; i < plan->n_hosts; i++) {
		plan->hosts[i].name = p->roster->hosts[i].name;
		p->layout[i] = LP_GROUP_NONE;
	}
	return 0;
}

/* "oss1/sdb", by the name that an operator gave it where there is one. */
static const char *plain_label(struct lp_planner *p,
			       const struct lp_roster_item *item)
{
	const char *host = p->roster->hosts[item->host].name;
	const char *alias = lp_labels_get(&item->labels, "alias");
	const char *separator = item->class ? item->class->separator : "/";

	if (!*separator)
		return host;
	return lp_planner_text(p, "%s%s%s", host, separator,
			       alias ? alias : item->name);
}

static int begin_choices(struct lp_planner *p)
{
	size_t n = p->roster->n_items;

	p->choices = calloc(n + 1, sizeof(*p->choices));
	p->components = calloc(n + 1, sizeof(*p->components));
	if (!p->choices || !p->components ||
	    lp_grouping_make(p->roster, &p->grouping) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct lp_choice *c = &p->choices[i];

		c->label = plain_label(p, &p->roster->items[i]);
		if (!c->label)
			return -ENOMEM;
		if (p->grouping.left_out[i] != LP_LEFT_NOT)
			c->reason = lp_left_out_text(p->grouping.left_out[i]);
	}
	return lp_find_components(p->roster, p->matrix, p->components);
}

/* ---- the end ---- */

static int end_left_out(struct lp_planner *p)
{
	struct lp_plan *plan = p->plan;

	for (size_t i = 0; i < p->roster->n_items; i++) {
		const struct lp_choice *c = &p->choices[i];

		if (c->counts || !c->reason)
			continue;
		if (lp_grow(&plan->left_out, &plan->left_out_capacity,
			    plan->n_left_out + 1, sizeof(*plan->left_out)) < 0)
			return -ENOMEM;
		plan->left_out[plan->n_left_out++] =
			(struct lp_plan_left_out){ c->label, c->reason, i,
						   c->labels };
	}
	return 0;
}

static bool any_sample(const struct lp_roster *roster)
{
	for (size_t i = 0; i < roster->n_items; i++)
		if (roster->items[i].n_samples > 0)
			return true;
	return false;
}

static bool any_movement(const struct lp_roster *roster)
{
	for (size_t i = 0; i < roster->n_items; i++)
		if (roster->items[i].moved &&
		    !lp_class_is_host(roster->items[i].class))
			return true;
	return false;
}

/* The words for a plan without groups; for one without disks, a note. */
static int end_refusal(struct lp_planner *p)
{
	struct lp_plan *plan = p->plan;

	if (plan->n_groups > 0 && plan->refusal == LP_REFUSAL_UNLIKE &&
	    lp_planner_note(p, "%s", plan->refusal_text) < 0)
		return -ENOMEM;
	if (plan->n_groups > 0) {
		plan->refusal = LP_REFUSAL_NONE;
		plan->refusal_text = "";
	} else if (!any_sample(p->roster)) {
		plan->refusal = LP_REFUSAL_NO_SAMPLES;
		plan->refusal_text = "the recordings hold no samples of "
				     "devices, interfaces or sockets";
	} else if (!any_movement(p->roster)) {
		plan->refusal = LP_REFUSAL_IDLE;
		plan->refusal_text = "nothing was read, written or sent in the "
				     "whole recording: idle components cannot "
				     "be compared";
	} else if (plan->refusal == LP_REFUSAL_NONE) {
		plan->refusal = LP_REFUSAL_TOO_FEW;
		plan->refusal_text = "fewer than three peers: no three "
				     "components are similar";
	}
	return 0;
}

/* How the peers of a kin are found: a class says which it is of. */
static int (*const peers_of[LP_KINS])(struct lp_planner *) = {
	[LP_KIN_DISKS] = lp_plan_disks,
	[LP_KIN_LINKS] = lp_plan_interfaces,
	[LP_KIN_SOCKETS] = lp_plan_sockets,
};

static int make(struct lp_planner *p, struct lp_error *err)
{
	int status = begin_hosts(p);

	if (status == 0)
		status = begin_choices(p);
	if (status == 0)
		status = lp_plan_choose_disks(p);
	if (status == 0)
		status = lp_plan_topology(p);
	if (status == 0 && p->cluster)
		status = lp_cluster_apply(p, err);
	if (status == 0)
		status = lp_plan_names(p);
	if (status == 0)
		status = lp_plan_roles(p);
	if (status == 0)
		status = lp_plan_unseen(p, err);
	if (status == 0 && p->cluster)
		status = lp_cluster_groups(p, err);
	for (enum lp_kin kin = 0; kin < LP_KINS && status == 0; kin++)
		if (peers_of[kin])
			status = peers_of[kin](p);
	if (status == 0)
		status = lp_plan_own(p);
	if (status == 0)
		status = end_left_out(p);
	if (status == 0)
		status = end_refusal(p);
	return status == -ENOMEM ? lp_fail_memory(err) : status;
}

int lp_cluster_plan(const struct lp_cluster *cluster,
		    const struct lp_survey *recording,
		    const struct lp_matrix *matrix, struct lp_plan *plan,
		    struct lp_error *err)
{
	struct lp_plan made = { .refusal_text = "" };
	struct lp_planner p = {
		.cluster = cluster,
		.recording = recording,
		.roster = &recording->roster,
		.matrix = matrix,
		.plan = &made,
	};
	int status = make(&p, err);

	free(p.choices);
	free(p.components);
	free(p.layout);
	lp_grouping_done(&p.grouping);
	if (status < 0) {
		lp_plan_done(&made);
		return status;
	}
	*plan = made;
	return 0;
}

void lp_plan_done(struct lp_plan *plan)
{
	free(plan->hosts);
	free(plan->groups);
	free(plan->left_out);
	free(plan->unseen);
	free(plan->notes);
	lp_arena_done(&plan->arena);
	*plan = (struct lp_plan){ 0 };
}

size_t lp_plan_group_number(const struct lp_plan *plan, size_t group)
{
	bool compared = plan->groups[group].kind == LP_PEERS;
	size_t n = 0;

	for (size_t i = 0; i <= group; i++)
		n += (plan->groups[i].kind == LP_PEERS) == compared;
	for (size_t i = 0; !compared && i < plan->n_groups; i++)
		n += plan->groups[i].kind == LP_PEERS;
	return n;
}
