/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hourly list, in 80 columns: groups have long names, so that each line
 * has its number, and the names come at the end.
 */
#include "base/visible.h"
#include "report/verdict.h"
#include "report/wrap.h"

#include <string.h>

/*
 * As limpid inventory counts them: from 1, those that are compared; then the
 * others.
 */
static size_t number_of(const struct lp_plan *plan, size_t group)
{
	bool compared = plan->groups[group].kind == LP_PEERS;
	size_t n = 0;

	for (size_t i = 0; i <= group; i++)
		n += (plan->groups[i].kind == LP_PEERS) == compared;
	for (size_t i = 0; !compared && i < plan->n_groups; i++)
		n += plan->groups[i].kind == LP_PEERS;
	return n;
}

static size_t group_named(const struct lp_plan *plan, const char *name)
{
	size_t i = 0;

	while (i + 1 < plan->n_groups &&
	       strcmp(plan->groups[i].name, name) != 0)
		i++;
	return i;
}

static void print_groups(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;

	for (size_t i = 0; i < r->plan->n_groups; i++) {
		bool used = false;
		char head[32];

		for (size_t k = 0; k < d->n_hourly; k++)
			used |= group_named(r->plan, d->hourly[k].group) == i;
		if (!used)
			continue;
		snprintf(head, sizeof(head),
			 "Group %zu:  ", number_of(r->plan, i));
		lp_wrap(out, head, r->plan->groups[i].name);
	}
}

void lp_verdict_hourly(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_diagnosis *d = r->diagnosis;
	char time[LP_TIME_TEXT] = "";
	int64_t last = INT64_MIN;
	size_t shown = 0;

	for (size_t i = 0; i < d->n_hourly; i++) {
		const struct lp_persistent *p = &d->hourly[i];

		if (p->time_ns != last)
			shown = 0;
		last = p->time_ns;
		if (shown++ >= r->top)
			continue;
		lp_zone_format(r->zone, p->time_ns, time);
		fprintf(out, "%-*s %6zu  %-30s  %zu\n", (int)strlen(time),
			shown == 1 ? time : "", p->value,
			lp_shown(p->component),
			number_of(r->plan, group_named(r->plan, p->group)));
	}
	if (d->n_hourly)
		print_groups(r, out);
}
