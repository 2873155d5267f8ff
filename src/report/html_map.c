/* SPDX-License-Identifier: Apache-2.0 */
/* Who differed when: components × time. */
#include "base/memory.h"
#include "base/timestamp.h"
#include "report/html_page.h"
#include "report/svg.h"

#include <errno.h>
#include <stdlib.h>

/* What a cell shows: the worst that was. */
enum {
	CELL_NONE,
	CELL_OK,
	CELL_SPLIT,
	CELL_FLAG,
	CELL_BAD,
	CELL_ABSENT,
	CELLS,
};

static const char *const words[CELLS] = {
	[CELL_NONE] = "not compared",
	[CELL_OK] = "like its peers",
	[CELL_SPLIT] = "at least half of the group differ: nobody can tell",
	[CELL_FLAG] = "differs in a window",
	[CELL_BAD] = "differs persistently",
	[CELL_ABSENT] = "absent",
};

#define ROW_HEIGHT 15
#define ROW_HEIGHT_MANY 13
#define MANY 40

struct row {
	const char *label;
	uint8_t *cells; /* [columns] */
	size_t bad, flagged;
	size_t order;
};

struct map {
	const struct lp_diagnosis *diagnosis;
	int64_t begin_ns, end_ns;
	size_t columns, rows;
	struct row *row;
	uint8_t *cells;
	size_t *offset; /* of a group's first row, by group; 0 first */
};

static uint8_t cell_of(uint8_t track)
{
	if (track & (LP_TRACK_ABSENT | LP_TRACK_GONE))
		return CELL_ABSENT;
	if (track & LP_TRACK_ANOMALOUS)
		return CELL_BAD;
	if (track & LP_TRACK_SPLIT)
		return CELL_SPLIT;
	if (track & LP_TRACK_FLAG)
		return CELL_FLAG;
	return track & LP_TRACK_COMPARED ? CELL_OK : CELL_NONE;
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
	uint8_t cell = cell_of(track);

	row->bad += cell >= CELL_BAD;
	row->flagged += cell == CELL_FLAG;
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

static bool counts(const struct lp_unit *unit)
{
	return unit->metric->indicts && unit->group->kind == LP_PEERS;
}

/* Which groups have rows, and where; how many columns are of use. */
static int lay_out(struct map *map, const struct lp_plan *plan)
{
	const struct lp_diagnosis *d = map->diagnosis;
	size_t windows = 0;

	map->offset = calloc(plan->n_groups + 1, sizeof(*map->offset));
	if (!map->offset)
		return -ENOMEM;
	for (size_t g = 0; g < plan->n_groups; g++)
		map->offset[g] = SIZE_MAX;
	for (size_t u = 0; u < d->n_units; u++) {
		const struct lp_unit *unit = &d->units[u];

		if (!counts(unit))
			continue;
		if (map->offset[unit->group_index] == SIZE_MAX) {
			map->offset[unit->group_index] = map->rows;
			map->rows += unit->group->n;
		}
		windows = unit->windows > windows ? unit->windows : windows;
	}
	map->columns = windows < LP_HTML_COLUMNS ? windows : LP_HTML_COLUMNS;
	return 0;
}

static int make_rows(struct map *map, const struct lp_plan *plan)
{
	/* One more row, for those that are not shown. */
	map->row = calloc(map->rows + 1, sizeof(*map->row));
	map->cells = calloc((map->rows + 1) * map->columns, 1);
	if (!map->row || !map->cells)
		return -ENOMEM;
	for (size_t r = 0; r <= map->rows; r++) {
		map->row[r].cells = map->cells + r * map->columns;
		map->row[r].order = r;
	}
	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0;
		     map->offset[g] != SIZE_MAX && i < plan->groups[g].n; i++)
			map->row[map->offset[g] + i].label =
				plan->groups[g].labels[i];
	return 0;
}

static int worst_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->bad != y->bad)
		return x->bad > y->bad ? -1 : 1;
	if (x->flagged != y->flagged)
		return x->flagged > y->flagged ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Those that were flagged, and some of the others. */
static size_t worth_showing(const struct map *map)
{
	size_t n = 0;

	while (n < map->rows && map->row[n].bad + map->row[n].flagged > 0)
		n++;
	n = n < LP_HTML_ROWS_LEAST ? LP_HTML_ROWS_LEAST : n;
	n = n > LP_HTML_ROWS ? LP_HTML_ROWS : n;
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
		for (size_t c = 0; c < map->columns; c++)
			if (rest->cells[c] < map->row[r].cells[c])
				rest->cells[c] = map->row[r].cells[c];
	snprintf(label, 64, "%zu others, the worst", map->rows - n);
	rest->label = label;
	return n + 1;
}

static void put_legend(FILE *out)
{
	char class_name[8];

	fputs("<div class=\"legend\">", out);
	for (unsigned level = 1; level < CELLS; level++) {
		snprintf(class_name, sizeof(class_name), "l%u", level);
		lp_html_key(out, class_name, true, words[level]);
	}
	fputs("</div>\n", out);
}

static void open_figure(FILE *out)
{
	fputs("<section id=\"map\"><h2>Who differed when</h2>\n"
	      "<figure data-levels='[",
	      out);
	for (unsigned level = 0; level < CELLS; level++)
		fprintf(out, "%s\"%s\"", level ? "," : "", words[level]);
	fputs("]'>", out);
}

static void put_caption(FILE *out, const struct map *map, size_t shown)
{
	char text[LP_TIME_TEXT];

	fprintf(out,
		"<figcaption>Each row is a component, the worst first; each "
		"of %zu columns is %s (UTC) and shows the worst of the "
		"windows in it, over all metrics that accuse. It takes several "
		"windows to be persistent, and as many to stop: that begins "
		"and ends later than the fault.",
		map->columns,
		lp_duration_format((map->end_ns - map->begin_ns) /
					   (int64_t)map->columns,
				   text));
	if (shown < map->rows)
		fprintf(out,
			" %zu of %zu components are shown; the last row is the "
			"worst of all others.",
			shown, map->rows);
	fputs("</figcaption></figure></section>\n", out);
}

/* Copy what is shown into one piece: rows were sorted. */
static int put_picture(struct lp_page *page, const struct map *map, size_t n)
{
	lp_auto_free uint8_t *levels = calloc(n, map->columns);
	lp_auto_free const char **names = calloc(n, sizeof(*names));
	struct lp_svg_map svg = {
		.id = ++page->id,
		.title = "Who differed when",
		.description = "Rows are components, columns are time; the "
			       "darkest cells differ persistently or are "
			       "absent.",
		.rows = names,
		.n_rows = n,
		.n_columns = map->columns,
		.levels = levels,
		.n_levels = CELLS,
		.begin_ns = map->begin_ns,
		.end_ns = map->end_ns,
		.row_height = n > MANY ? ROW_HEIGHT_MANY : ROW_HEIGHT,
	};

	if (!levels || !names)
		return -ENOMEM;
	for (size_t r = 0; r < n; r++) {
		names[r] = map->row[r].label;
		for (size_t c = 0; c < map->columns; c++)
			levels[r * map->columns + c] = map->row[r].cells[c];
	}
	open_figure(page->out);
	put_legend(page->out);
	lp_svg_map(page->out, &svg);
	put_caption(page->out, map, n < map->rows ? n - 1 : n);
	return 0;
}

static int put_map(struct lp_page *page, struct map *map)
{
	const struct lp_plan *plan = page->input->plan;
	char label[64];
	size_t shown;
	int status = lay_out(map, plan);

	if (status < 0 || map->columns == 0 || map->end_ns <= map->begin_ns)
		return status;
	status = make_rows(map, plan);
	if (status < 0 || map->rows == 0)
		return status;
	for (size_t u = 0; u < map->diagnosis->n_units; u++)
		if (counts(&map->diagnosis->units[u]))
			paint_unit(map, &map->diagnosis->units[u]);
	qsort(map->row, map->rows, sizeof(*map->row), worst_first);
	shown = merge_rest(map, worth_showing(map), label);
	return put_picture(page, map, shown);
}

int lp_html_map(struct lp_page *page)
{
	const struct lp_diagnosis *d = page->diagnosis;
	struct map map = { .diagnosis = d,
			   .begin_ns = d->first_ns,
			   .end_ns = d->last_ns };
	int status = put_map(page, &map);

	free(map.offset);
	free(map.row);
	free(map.cells);
	return status;
}
