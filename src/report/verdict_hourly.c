/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hourly list, in 80 columns: groups have long names, so that each line
 * has its number, and the names come at the end.
 */
#include "base/visible.h"
#include "report/verdict.h"
#include "report/wrap.h"

#include <string.h>

/* The first entry of the group with the next larger number; NULL: none. */
static const struct lp_persistent *next_group(const struct lp_findings *d,
					      size_t number)
{
	const struct lp_persistent *next = NULL;

	for (size_t i = 0; i < d->n_hourly; i++)
		if (d->hourly[i].group_number > number &&
		    (!next || d->hourly[i].group_number < next->group_number))
			next = &d->hourly[i];
	return next;
}

static void print_groups(const struct lp_findings *d, FILE *out)
{
	const struct lp_persistent *p = next_group(d, 0);
	char head[32];

	for (; p; p = next_group(d, p->group_number)) {
		snprintf(head, sizeof(head), "Group %zu:  ", p->group_number);
		lp_wrap(out, head, p->group);
	}
}

void lp_verdict_hourly(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_findings *d = r->findings;
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
			lp_shown(p->component), p->group_number);
	}
	print_groups(d, out);
}
