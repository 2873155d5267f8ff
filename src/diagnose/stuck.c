/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/stuck.h"

#include "diagnose/unit.h"

#include <errno.h>
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
	int c = lp_metric_is_quantity(unit->metric)
			? -1
			: lp_class_column(unit->class, unit->metric->above[0]);

	return c >= 0 && unit->class->columns[c].kind == LP_SATURATING;
}

static bool is_stuck(const struct lp_unit *unit,
		     const struct lp_diagnose_input *input, size_t peer,
		     int64_t begin_ns, int64_t end_ns)
{
	const struct lp_peer *who = &unit->group->peers[peer];
	const struct lp_roster_item *item;
	int64_t first, points, from, to;

	if (!who->n_parts)
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

static int look_at(struct lp_unit *u, const struct lp_diagnose_input *input,
		   size_t window, size_t peer)
{
	int64_t begin_ns = lp_unit_begin(u, window, input->step_ns);

	if (!(*lp_unit_at(u, window, peer) &
	      (LP_TRACK_ABSENT | LP_TRACK_GONE)) ||
	    !is_stuck(u, input, peer, begin_ns, u->end_ns[window]))
		return 0;
	if (lp_unit_change(u) < 0)
		return -ENOMEM;
	*lp_unit_at(u, window, peer) &=
		(uint8_t) ~(LP_TRACK_ABSENT | LP_TRACK_GONE);
	if (u->n_stuck++ == 0) {
		u->stuck = peer;
		u->stuck_ns = begin_ns;
	}
	return 0;
}

int lp_unit_look_stuck(struct lp_unit *u, const struct lp_diagnose_input *input)
{
	int status = 0;

	if (!may_stick(u) || !input->recording)
		return 0;
	for (size_t w = 0; w < u->windows; w++)
		for (size_t i = 0; i < u->group->n && status == 0; i++)
			status = look_at(u, input, w, i);
	return status;
}
