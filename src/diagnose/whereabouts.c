/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/diagnose.h"

#include <string.h>

bool lp_evidence_place(const struct lp_evidence *e, const struct lp_plan *plan,
		       size_t *group, size_t *peer)
{
	size_t number = 0, g = 0;

	for (; g < plan->n_groups; g++)
		if (plan->groups[g].kind == LP_PEERS &&
		    ++number == e->group_number)
			break;
	if (!e->metric || g == plan->n_groups)
		return false;
	for (size_t i = 0; i < plan->groups[g].n; i++)
		if (strcmp(plan->groups[g].peers[i].label, e->component) == 0) {
			*group = g;
			*peer = i;
			return true;
		}
	return false;
}
