/* SPDX-License-Identifier: Apache-2.0 */
#include "model/findings.h"

#include <string.h>

void lp_findings_done(struct lp_findings *findings)
{
	lp_names_done(&findings->names);
	lp_arena_done(&findings->arena);
	*findings = (struct lp_findings){ .reason = "", .trained_on = "" };
}

const char *lp_findings_text(struct lp_findings *findings, const char *text)
{
	uint32_t number = lp_names_add(&findings->names, text);

	return number == LP_NAME_NONE ? NULL : findings->names.text[number];
}

static bool named_before(const struct lp_findings *f, size_t finding)
{
	for (size_t i = 0; i < finding; i++)
		if (strcmp(f->items[i].component,
			   f->items[finding].component) == 0)
			return true;
	return false;
}

size_t lp_findings_components(const struct lp_findings *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += named_before(f, i) ? 0 : 1;
	return n;
}

static bool accuses_in(const struct lp_findings *f, size_t group)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].n_evidence && f->items[i].evidence[0].metric &&
		    f->items[i].evidence[0].group_number == group)
			return true;
	return f->n == 0;
}

enum lp_peers_by lp_findings_ground(const struct lp_findings *f)
{
	for (size_t i = 0; i < f->n_comparisons; i++)
		if (f->comparisons[i].by != LP_PEERS_STATED &&
		    accuses_in(f, f->comparisons[i].group_number))
			return f->comparisons[i].by;
	return LP_PEERS_STATED;
}

bool lp_findings_judged_before(const struct lp_findings *f, size_t comparison)
{
	const struct lp_comparison *c = &f->comparisons[comparison];

	for (size_t i = 0; i < comparison; i++)
		if (f->comparisons[i].group_number == c->group_number &&
		    strcmp(f->comparisons[i].metric, c->metric) == 0)
			return true;
	return false;
}

bool lp_findings_several(const struct lp_findings *f)
{
	for (size_t i = 0; i < f->n_comparisons; i++)
		if (lp_findings_judged_before(f, i))
			return true;
	return false;
}
