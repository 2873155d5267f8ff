/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of joint detectors: the distance from which on a component is accused
 * follows from the false alarms that the operator accepts, and from how often
 * healthy components of this group come so far. That is known of a calibration
 * of the site, or of the recording itself if it is long enough, or else of the
 * lab.
 */
#include "diagnose/unit.h"

#include "base/names.h"
#include "diagnose/calibration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- who counts ---- */

int lp_units_count(struct lp_units *units, const struct lp_plan *plan)
{
	struct lp_names hosts = { 0 };
	bool failed = false;

	units->components = 0;
	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		if (group->kind != LP_PEERS)
			continue;
		units->components += group->n;
		for (size_t i = 0; i < group->n; i++)
			failed |= lp_names_add(&hosts, group->peers[i].host) ==
				  LP_NAME_NONE;
	}
	units->servers = hosts.count;
	lp_names_done(&hosts);
	return failed ? -ENOMEM : 0;
}

/* ---- limits ---- */

/* What a server may do in vain is shared by all of its components. */
static double limit_by(const struct lp_tail *tail, const struct lp_units *units,
		       const struct lp_diagnose_options *options)
{
	double rate = lp_budget_rate(&options->budget, units->servers);
	double components = (double)units->components / (double)units->servers;

	return fmax(LP_LIMIT_LEAST, lp_tail_limit(tail, rate / components));
}

void lp_unit_set_limit(struct lp_unit *u, const struct lp_units *units,
		       const struct lp_diagnose_options *options)
{
	const struct lp_tail *site = NULL;

	u->tail = lp_tail_lab;
	if (options->params.threshold != 0) {
		u->limit_by = LP_LIMIT_GIVEN;
		return;
	}
	if (options->calibration)
		site = lp_calibration_tail(options->calibration, u->class->name,
					   u->group->name);
	if (site) {
		u->limit_by = LP_LIMIT_SITE;
		u->tail = *site;
		u->params.threshold = limit_by(site, units, options);
		return;
	}
	u->limit_by = LP_LIMIT_LAB;
	u->params.threshold = lp_tail_limit(
		&u->tail, lp_budget_rate(&options->budget, units->servers));
}

static void use_own_tail(struct lp_unit *u, const struct lp_tail *tail,
			 double limit)
{
	for (size_t q = 0; q < u->together; q++) {
		u[q].limit_by = LP_LIMIT_HERE;
		u[q].tail = *tail;
		u[q].params.threshold = limit;
		for (size_t i = 0; i < u[q].group->n; i++)
			u[q].thresholds[i] = limit;
	}
}

static int calibrate(struct lp_unit *u, const struct lp_units *units,
		     const struct lp_diagnose_options *options)
{
	const struct lp_maxima *maxima = u->maxima;
	struct lp_tail tail;
	int status = lp_maxima_tail(&maxima, 1, &tail);

	if (status < 0)
		return status;
	if (lp_tail_is_measured(&tail))
		use_own_tail(u, &tail, limit_by(&tail, units, options));
	else if (!options->blocks)
		return 0;
	lp_unit_restart(u);
	return 0;
}

int lp_units_calibrate(struct lp_units *units,
		       const struct lp_diagnose_options *options)
{
	int status = 0;

	for (size_t i = 0; i < units->n && status == 0; i++)
		if (units->items[i].together && units->items[i].maxima &&
		    units->items[i].limit_by == LP_LIMIT_LAB)
			status = calibrate(&units->items[i], units, options);
	return status;
}

/* ---- measuring a site ---- */

/* The tail of the groups of a class, or of one of them (LP_NO_GROUP: all). */
static int measure(const struct lp_units *units, const struct lp_class *class,
		   size_t group, struct lp_tail *tail)
{
	lp_auto_free const struct lp_maxima **list =
		calloc(units->n + 1, sizeof(*list));
	size_t n = 0;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < units->n; i++) {
		const struct lp_unit *u = &units->items[i];

		if (u->maxima && u->class == class &&
		    (group == LP_NO_GROUP || u->group_index == group))
			list[n++] = u->maxima;
	}
	return lp_maxima_tail(list, n, tail);
}

static int add_tail(const struct lp_units *units, const struct lp_class *class,
		    size_t group, const char *name,
		    struct lp_calibration *calibration)
{
	struct lp_tail tail;
	int status = measure(units, class, group, &tail);

	if (status == 0 && lp_tail_is_measured(&tail))
		status = lp_calibration_set(calibration, class->name, name,
					    &tail);
	return status;
}

/* Groups of equal names, as the disks of each server, go by their class. */
static bool is_only(const struct lp_units *units, const struct lp_unit *u)
{
	for (size_t i = 0; i < units->n; i++) {
		const struct lp_unit *other = &units->items[i];

		if (other->maxima && other->group_index != u->group_index &&
		    other->class == u->class &&
		    strcmp(other->group->name, u->group->name) == 0)
			return false;
	}
	return true;
}

int lp_units_measure(const struct lp_units *units, int64_t step_ns,
		     struct lp_calibration *calibration)
{
	int status = 0;

	for (size_t i = 0; i < units->n && status == 0; i++) {
		const struct lp_unit *u = &units->items[i];

		if (!u->maxima)
			continue;
		lp_calibration_set_block(calibration,
					 (int64_t)u->params.window * step_ns);
		if (is_only(units, u))
			status = add_tail(units, u->class, u->group_index,
					  u->group->name, calibration);
		if (status == 0)
			status = add_tail(units, u->class, LP_NO_GROUP, "",
					  calibration);
	}
	return status;
}
