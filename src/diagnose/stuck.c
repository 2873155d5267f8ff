/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/stuck.h"

#include <math.h>

/* Whether any metric of the component has a value at a point of [from, to). */
static bool has_value(const struct lp_diagnose_input *input,
		      const struct lp_class *class, size_t component,
		      int64_t from, int64_t to)
{
	for (size_t m = 0; input->metrics[m].class; m++)
		for (int64_t k = from < 0 ? 0 : from;
		     input->metrics[m].class == class && k < to; k++)
			if (!isnan(lp_matrix_value(input->matrix, m, component,
						   (size_t)k)))
				return true;
	return false;
}

/* Counters that stay at their largest value until somebody resets them. */
static bool may_stick(const struct lp_unit *unit)
{
	int c = lp_class_column(unit->class, unit->metric->above[0]);

	return c >= 0 && unit->class->columns[c].kind == LP_SATURATING;
}

bool lp_counter_stuck(const struct lp_unit *unit,
		      const struct lp_diagnose_input *input, size_t peer,
		      int64_t begin_ns, int64_t end_ns)
{
	const struct lp_peer *who = &unit->group->peers[peer];
	const struct lp_roster_item *item;
	int64_t first, points, from, to;

	if (!may_stick(unit) || !input->recording || !who->n_parts)
		return false;
	item = &input->recording->roster.items[who->item];
	points = (int64_t)lp_matrix_points(input->matrix, &first);
	from = (begin_ns - first) / input->step_ns + 1;
	to = (end_ns - first) / input->step_ns + 1;
	if (has_value(input, unit->class, who->parts[0], from, to))
		return true;
	/* All of them: it was there later, and nothing ever counted again. */
	return item->last_ns >= end_ns &&
	       !has_value(input, unit->class, who->parts[0], to, points);
}
