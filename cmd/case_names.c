/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of components and hosts that a user gave: whether they exist, and what
 * may have been meant if not. A typo must not pass for an answer.
 */
#include "case_files.h"

#include "base/nearest.h"

#include <errno.h>
#include <string.h>

static bool offer(struct lp_nearest *nearest, const char *name)
{
	lp_nearest_offer(nearest, name);
	return strcmp(name, nearest->wrong) == 0;
}

static bool is_peer(const struct lp_plan *plan, struct lp_nearest *nearest)
{
	bool found = false;

	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0; i < plan->groups[g].n; i++)
			found |= offer(nearest, plan->groups[g].peers[i].label);
	return found;
}

static bool is_known(const struct lp_plan *plan, struct lp_nearest *nearest,
		     bool compared_only)
{
	bool found = is_peer(plan, nearest);

	for (size_t i = 0; !compared_only && i < plan->n_hosts; i++)
		found |= offer(nearest, plan->hosts[i].name);
	for (size_t i = 0; !compared_only && i < plan->n_left_out; i++)
		found |= offer(nearest, plan->left_out[i].label);
	for (size_t i = 0; !compared_only && i < plan->n_unseen; i++)
		found |= offer(nearest, plan->unseen[i].label);
	return found;
}

/* Thousands may be given: what is right needs no search for what was meant. */
static bool is_label(const struct lp_plan *plan, const char *name)
{
	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0; i < plan->groups[g].n; i++)
			if (strcmp(plan->groups[g].peers[i].label, name) == 0)
				return true;
	return false;
}

int lp_case_check_name(const struct lp_case_files *c, const char *option,
		       const char *name, bool compared_only,
		       struct lp_error *err)
{
	struct lp_nearest nearest = lp_nearest_begin(name);

	if (is_label(c->input.plan, name) ||
	    is_known(c->input.plan, &nearest, compared_only))
		return 0;
	return lp_fail(
		err, ENOENT, "%s%sno component%s '%s' is %s%s%s%s", option,
		*option ? ": " : "", compared_only ? "" : " or host", name,
		compared_only ? "compared" : "in these recordings",
		nearest.best ? "; did you mean '" : "",
		nearest.best ? nearest.best : "; 'limpid inventory' lists them",
		nearest.best ? "'?" : "");
}

int lp_case_check_exclude(const struct lp_case_files *c, struct lp_error *err)
{
	int status = 0;

	/* Where nothing is compared, nobody is accused either. */
	if (c->input.plan->refusal != LP_REFUSAL_NONE)
		return 0;
	for (size_t i = 0; c->exclude && c->exclude[i] && status == 0; i++)
		status = lp_case_check_name(c, "--exclude", c->exclude[i],
					    false, err);
	return status;
}
