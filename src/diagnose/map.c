/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When each component differed: components × time. First a row for each
 * finding, then the other components, those that differed most first.
 */
#include "base/memory.h"
#include "base/number.h"
#include "diagnose/publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *label;
	uint8_t *cells; /* [columns] */
	size_t bad, flagged;
	size_t group;     /* of the plan */
	unsigned finding; /* whose row it is, from 1; 0: a component's own */
	bool told;        /* a finding's row stands for it */
};

struct map {
	const struct lp_diagnosis *diagnosis;
	const struct lp_plan *plan;
	int64_t begin_ns, end_ns;
	size_t columns;
	size_t components, rows; /* rows: of findings, then of components */
	struct row *row;
	uint8_t *cells;
	size_t *offset; /* of a group's first row, by group */
};

enum lp_map_state lp_map_state_of(uint8_t track)
{
	if (track & (LP_TRACK_ABSENT | LP_TRACK_GONE))
		return LP_STATE_ABSENT;
	if (track & LP_TRACK_ANOMALOUS)
		return LP_STATE_BAD;
	if (track & LP_TRACK_SPLIT)
		return LP_STATE_SPLIT;
	if (track & LP_TRACK_FLAG)
		return LP_STATE_FLAG;
	return track & LP_TRACK_COMPARED ? LP_STATE_OK : LP_STATE_NONE;
}

static size_t column_of(const struct map *map, int64_t time_ns)
{
	double share = (double)(time_ns - map->begin_ns) /
		       (double)(map->end_ns - map->begin_ns);
	double column = share * (double)map->columns;

	return column <= 0                      ? 0
	       : column >= (double)map->columns ? map->columns - 1
						: (size_t)column;
}

/* A window stands for what it added: its last `shift` points. */
static void paint(const struct map *map, struct row *row,
		  const struct lp_unit *unit, size_t w, uint8_t track)
{
	int64_t shift_ns =
		(int64_t)unit->params.shift * map->diagnosis->step_ns;
	size_t from = column_of(map, unit->end_ns[w] - shift_ns + 1);
	size_t to = column_of(map, unit->end_ns[w] - 1);
	uint8_t cell = (uint8_t)lp_map_state_of(track);

	row->bad += cell >= LP_STATE_BAD;
	row->flagged += cell == LP_STATE_FLAG;
	for (size_t c = from; c <= to; c++)
		if (row->cells[c] < cell)
			row->cells[c] = cell;
}

static void paint_unit(struct map *map, const struct lp_unit *unit)
{
	struct row *rows = map->row + map->offset[unit->group_index];
	size_t n = unit->group->n;

	for (size_t w = 0; w < unit->windows; w++)
		for (size_t i = 0; i < n; i++)
			paint(map, &rows[i], unit, w, unit->track[w * n + i]);
}

bool lp_map_counts(const struct lp_unit *unit)
{
	return unit->metric->indicts && unit->group->kind == LP_PEERS;
}

/* Which groups have rows, and where; how many columns are of use. */
static int lay_out(struct map *map)
{
	const struct lp_plan *plan = map->plan;
	const struct lp_diagnosis *d = map->diagnosis;
	size_t windows = 0;

	map->offset = calloc(plan->n_groups + 1, sizeof(*map->offset));
	if (!map->offset)
		return -ENOMEM;
	for (size_t g = 0; g < plan->n_groups; g++)
		map->offset[g] = SIZE_MAX;
	for (size_t u = 0; u < d->n_units; u++) {
		const struct lp_unit *unit = &d->units[u];

		if (!lp_map_counts(unit))
			continue;
		if (map->offset[unit->group_index] == SIZE_MAX) {
			map->offset[unit->group_index] = map->components;
			map->components += unit->group->n;
		}
		windows = unit->windows > windows ? unit->windows : windows;
	}
	map->columns = windows < LP_MAP_COLUMNS ? windows : LP_MAP_COLUMNS;
	return 0;
}

static int make_rows(struct map *map)
{
	const struct lp_plan *plan = map->plan;
	/* More: one for each finding, and one for those that are not shown. */
	size_t room = map->components + LP_MAP_FINDINGS + 1;

	map->row = calloc(room, sizeof(*map->row));
	map->cells = calloc(room * map->columns, 1);
	if (!map->row || !map->cells)
		return -ENOMEM;
	for (size_t r = 0; r < room; r++)
		map->row[r].cells = map->cells + r * map->columns;
	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0;
		     map->offset[g] != SIZE_MAX && i < plan->groups[g].n; i++) {
			struct row *row = &map->row[map->offset[g] + i];

			row->label = plan->groups[g].labels[i];
			row->group = g;
		}
	map->rows = map->components;
	return 0;
}

/* ---- rows of findings ---- */

static void join(const struct map *map, struct row *row,
		 const struct row *other)
{
	for (size_t c = 0; c < map->columns; c++)
		if (row->cells[c] < other->cells[c])
			row->cells[c] = other->cells[c];
}

/* Windows that accuse are late; where samples say when, these count. */
static void clear(const struct map *map, struct row *row)
{
	for (size_t c = 0; c < map->columns; c++)
		if (row->cells[c] == LP_STATE_BAD)
			row->cells[c] = LP_STATE_OK;
}

static void paint_span(const struct map *map, struct row *row,
		       const struct lp_finding *f)
{
	size_t to = column_of(map, f->until_ns - 1);

	for (size_t c = column_of(map, f->since_ns + 1); c <= to; c++)
		row->cells[c] = LP_STATE_BAD;
}

static void paint_spans(struct map *map, bool paints)
{
	const struct lp_diagnosis *d = map->diagnosis;

	for (size_t i = 0; i < d->n_findings; i++) {
		const struct lp_finding *f = &d->findings[i];

		for (size_t r = 0; f->dated && r < map->components; r++)
			if (!lp_finding_is_of(f, map->row[r].label))
				continue;
			else if (paints)
				paint_span(map, &map->row[r], f);
			else
				clear(map, &map->row[r]);
	}
}

/* A row of all that the finding is about, unless another one shows it. */
static void add_finding(struct map *map, unsigned number)
{
	const struct lp_finding *f = &map->diagnosis->findings[number - 1];
	struct row *own = &map->row[map->rows];
	bool is_new = false;

	for (size_t r = 0; r < map->components; r++) {
		struct row *row = &map->row[r];

		if (row->told || !lp_finding_is_of(f, row->label))
			continue;
		join(map, own, row);
		is_new = row->told = true;
	}
	if (!is_new)
		return;
	own->label = f->component;
	own->finding = number;
	map->rows++;
}

static void add_findings(struct map *map)
{
	size_t n = map->diagnosis->n_findings;

	n = n < LP_MAP_FINDINGS ? n : LP_MAP_FINDINGS;
	paint_spans(map, false);
	paint_spans(map, true);
	for (size_t i = 0; i < n; i++)
		add_finding(map, (unsigned)(i + 1));
}

/* ---- which rows are shown ---- */

/* Findings in their order, then components; what is told already is last. */
static int rank(const struct row *row)
{
	return row->finding ? 0 : row->told ? 2 : 1;
}

static int in_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	if (x->finding != y->finding)
		return x->finding < y->finding ? -1 : 1;
	if (x->bad != y->bad)
		return x->bad > y->bad ? -1 : 1;
	if (x->flagged != y->flagged)
		return x->flagged > y->flagged ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return strverscmp(x->label, y->label);
}

static void sort_rows(struct map *map)
{
	size_t told = 0;

	for (size_t r = 0; r < map->rows; r++)
		told += map->row[r].told;
	qsort(map->row, map->rows, sizeof(*map->row), in_order);
	map->rows -= told;
}

static bool is_of_note(const struct row *row)
{
	return row->finding || row->bad + row->flagged > 0;
}

/* Findings, those that differed, and some of the others. */
static size_t worth_showing(const struct map *map)
{
	size_t n = 0;

	while (n < map->rows && is_of_note(&map->row[n]))
		n++;
	n = n < LP_MAP_ROWS_LEAST ? LP_MAP_ROWS_LEAST : n;
	n = n > LP_MAP_ROWS ? LP_MAP_ROWS : n;
	/* One row less would be as long. */
	return n + 1 >= map->rows ? map->rows : n;
}

/* Rows from n on become one. Returns how many rows there are then. */
static size_t merge_rest(struct map *map, size_t n, char label[64])
{
	struct row *rest = &map->row[n];

	if (map->rows <= n)
		return map->rows;
	for (size_t r = n + 1; r < map->rows; r++)
		join(map, rest, &map->row[r]);
	snprintf(label, 64, "worst of %zu %s", map->rows - n,
		 lp_plural(map->rows - n, "other", "others"));
	rest->label = label;
	rest->finding = 0;
	return n + 1;
}

/* ---- the result ---- */

/* Copy what is shown: rows were sorted, and their names are the plan's. */
static int keep(const struct map *map, size_t n, struct lp_findings *to)
{
	struct lp_map *kept = lp_arena_alloc(&to->arena, sizeof(*kept));
	struct lp_map_row *rows = lp_arena_alloc(&to->arena, n * sizeof(*rows));
	uint8_t *states = lp_arena_alloc(&to->arena, n * map->columns);

	if (!kept || !rows || !states)
		return -ENOMEM;
	for (size_t r = 0; r < n; r++) {
		memcpy(states + r * map->columns, map->row[r].cells,
		       map->columns);
		rows[r] = (struct lp_map_row){
			.name = lp_findings_text(to, map->row[r].label),
			.finding = map->row[r].finding,
			.states = states + r * map->columns,
		};
		if (!rows[r].name)
			return -ENOMEM;
	}
	*kept = (struct lp_map){ map->begin_ns, map->end_ns, map->columns,
				 rows,          n,           map->rows };
	to->map = kept;
	return 0;
}

static int make(struct map *map, struct lp_findings *to)
{
	char label[64];
	int status = lay_out(map);

	if (status == 0)
		status = make_rows(map);
	if (status < 0)
		return status;
	for (size_t u = 0; u < map->diagnosis->n_units; u++)
		if (lp_map_counts(&map->diagnosis->units[u]))
			paint_unit(map, &map->diagnosis->units[u]);
	add_findings(map);
	sort_rows(map);
	return keep(map, merge_rest(map, worth_showing(map), label), to);
}

static bool is_anything_to_show(const struct lp_diagnosis *d)
{
	for (size_t u = 0; u < d->n_units; u++)
		if (lp_map_counts(&d->units[u]) && d->units[u].windows > 0 &&
		    d->units[u].group->n > 0)
			return d->last_ns > d->first_ns;
	return false;
}

int lp_map_make(struct lp_findings *findings, const struct lp_diagnosis *d,
		const struct lp_diagnose_input *input)
{
	struct map map = { .diagnosis = d,
			   .plan = input->plan,
			   .begin_ns = d->first_ns,
			   .end_ns = d->last_ns };
	int status = is_anything_to_show(d) ? make(&map, findings) : 0;

	free(map.offset);
	free(map.row);
	free(map.cells);
	return status;
}
