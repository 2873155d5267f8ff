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

#include <errno.h>

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

void lp_unit_set_limit(struct lp_unit *u, const struct lp_units *units,
		       const struct lp_diagnose_options *options)
{
	u->tail = lp_tail_lab;
	if (options->params.threshold != 0) {
		u->limit_by = LP_LIMIT_GIVEN;
		return;
	}
	u->limit_by = LP_LIMIT_LAB;
	u->params.threshold = lp_tail_limit(
		&u->tail, lp_budget_rate(&options->budget, units->servers));
}

/* What a server may do in vain is shared by all of its components. */
static double limit_by(const struct lp_tail *tail, const struct lp_units *units,
		       const struct lp_diagnose_options *options)
{
	double rate = lp_budget_rate(&options->budget, units->servers);
	double components = (double)units->components / (double)units->servers;

	return fmax(LP_LIMIT_LEAST, lp_tail_limit(tail, rate / components));
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
		     const struct lp_diagnose_input *input,
		     const struct lp_diagnose_options *options)
{
	struct lp_tail tail;
	int status = lp_maxima_tail(u->maxima, &tail);

	if (status < 0 || !lp_tail_is_measured(&tail))
		return status;
	use_own_tail(u, &tail, limit_by(&tail, units, options));
	lp_unit_restart(u);
	status = lp_unit_push(u, input, options);
	for (size_t q = 0; q < u->together; q++) {
		lp_unit_close(&u[q]);
		u[q].over = true;
	}
	return status;
}

int lp_units_calibrate(struct lp_units *units,
		       const struct lp_diagnose_input *input,
		       const struct lp_diagnose_options *options)
{
	int status = 0;

	for (size_t i = 0; i < units->n && status == 0; i++)
		if (units->items[i].together && units->items[i].maxima &&
		    units->items[i].limit_by == LP_LIMIT_LAB)
			status = calibrate(&units->items[i], units, input,
					   options);
	return status;
}
