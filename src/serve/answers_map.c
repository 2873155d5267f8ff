/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Components × time: when each differed.
 */
#include "serve/answers.h"

#include "cluster/cluster.h"
#include "diagnose/publish.h"
#include "diagnose/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 2000

struct live_map {
	const struct lp_diagnosis *d;
	int64_t begin_ns, shift_ns;
	size_t columns;
	uint8_t *cells; /* [components][columns] */
	size_t *offset; /* of a group's first component */
	size_t n;
};

/* A column is what the shortest window adds. */
static void find_columns(struct live_map *m)
{
	int64_t end = LP_TIME_MIN;

	m->shift_ns = 0;
	for (size_t u = 0; u < m->d->n_units; u++) {
		const struct lp_unit *unit = &m->d->units[u];
		int64_t shift = (int64_t)unit->params.shift * m->d->step_ns;

		if (!lp_map_counts(unit) || unit->windows == 0)
			continue;
		if (!m->shift_ns || shift < m->shift_ns)
			m->shift_ns = shift;
		if (unit->end_ns[unit->windows - 1] > end)
			end = unit->end_ns[unit->windows - 1];
	}
	if (!m->shift_ns)
		return;
	m->columns = (size_t)((end - m->d->first_ns) / m->shift_ns) + 1;
	if (m->columns > MOST_COLUMNS)
		m->columns = MOST_COLUMNS;
	m->begin_ns = end - (int64_t)m->columns * m->shift_ns;
}

static int lay_rows(struct live_map *m, const struct lp_plan *plan)
{
	m->offset = calloc(plan->n_groups + 1, sizeof(*m->offset));
	if (!m->offset)
		return -ENOMEM;
	for (size_t g = 0; g < plan->n_groups; g++) {
		m->offset[g] = m->n;
		m->n += plan->groups[g].n;
	}
	m->cells = calloc(m->n * m->columns + 1, 1);
	return m->cells ? 0 : -ENOMEM;
}

static void paint_window(struct live_map *m, const struct lp_unit *unit,
			 size_t w)
{
	int64_t into = unit->end_ns[w] - 1 - m->begin_ns;
	size_t column;

	if (into < 0)
		return;
	column = (size_t)(into / m->shift_ns);
	for (size_t i = 0; i < unit->group->n && column < m->columns; i++) {
		uint8_t cell =
			(uint8_t)lp_map_state_of(*lp_unit_at(unit, w, i));
		uint8_t *at = &m->cells[(m->offset[unit->group_index] + i) *
						m->columns +
					column];

		if (cell > *at)
			*at = cell;
	}
}

/* All OK, or nothing known: such a row needs no cells. */
static bool is_calm(const uint8_t *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cells[i] > LP_STATE_OK)
			return false;
	return true;
}

static void put_row(struct lp_asked *a, const struct live_map *m,
		    const char *name, const uint8_t *cells)
{
	char text[MOST_COLUMNS + 1];

	lp_json_object(&a->json);
	lp_put_text(&a->json, "name", name);
	if (!is_calm(cells, m->columns)) {
		for (size_t c = 0; c < m->columns; c++)
			text[c] = (char)('0' + cells[c]);
		text[m->columns] = '\0';
		lp_put_text(&a->json, "cells", text);
	}
	lp_json_end(&a->json);
}

static void put_map(struct lp_asked *a, const struct live_map *m,
		    const struct lp_plan *plan)
{
	lp_json_object(&a->json);
	lp_put_time(&a->json, "begin", m->columns ? m->begin_ns : LP_TIME_MIN);
	lp_put_number(&a->json, "column_ns", m->shift_ns);
	lp_put_number(&a->json, "columns", (int64_t)m->columns);
	lp_json_key(&a->json, "rows");
	lp_json_array(&a->json);
	for (size_t g = 0; g < plan->n_groups && m->columns; g++)
		for (size_t i = 0;
		     plan->groups[g].kind == LP_PEERS && i < plan->groups[g].n;
		     i++)
			put_row(a, m, plan->groups[g].labels[i],
				&m->cells[(m->offset[g] + i) * m->columns]);
	lp_json_end(&a->json);
	lp_json_end(&a->json);
}

static int draw(struct lp_asked *a, const struct lp_diagnosis *d,
		const struct lp_plan *plan)
{
	struct live_map m = { .d = d };
	int status;

	find_columns(&m);
	status = lay_rows(&m, plan);
	for (size_t u = 0; u < d->n_units && status == 0; u++)
		for (size_t w = 0;
		     lp_map_counts(&d->units[u]) && w < d->units[u].windows;
		     w++)
			paint_window(&m, &d->units[u], w);
	if (status == 0)
		put_map(a, &m, plan);
	free(m.cells);
	free(m.offset);
	return status < 0 ? lp_fail_memory(&a->err) : 0;
}

int lp_route_map(struct lp_asked *a)
{
	static const struct lp_plan none;
	static const struct lp_diagnosis nothing;
	struct lp_case *c = lp_live_case(a->service->live);
	struct lp_diagnosis d;
	int status;

	if (!c || lp_live_horizon(a->service->live) == LP_TIME_MIN)
		return draw(a, &nothing, &none);
	status = lp_case_findings(c, &d, &a->err);
	if (status < 0)
		return status;
	status = draw(a, &d, lp_case_input(c)->plan);
	lp_diagnosis_done(&d);
	return status;
}
