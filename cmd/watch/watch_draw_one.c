/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One component: what it did beside its peers, what speaks against it, and what
 * is missing to an accusation. And the page of help.
 */
#include "watch_draw.h"

#include <math.h>
#include <string.h>

static const struct lp_board_row *find_row(const struct lp_board *board,
					   const char *label)
{
	for (size_t t = 0; t < board->n_tables; t++)
		for (size_t i = 0; i < board->tables[t].n_rows; i++)
			if (strcmp(board->tables[t].rows[i].label, label) == 0)
				return &board->tables[t].rows[i];
	return NULL;
}

static const struct lp_board_table *table_of(const struct lp_board *board,
					     const struct lp_board_row *row)
{
	const struct lp_board_table *table = board->tables;

	while (row < table->rows || row >= table->rows + table->n_rows)
		table++;
	return table;
}

/* Lines of at most the grid's width, broken at blanks. */
static size_t put_folded(struct lp_watch_grid *grid, size_t y, size_t x,
			 enum lp_style style, const char *text)
{
	size_t room = grid->width > x ? grid->width - x : 1;

	while (*text && y < grid->height) {
		size_t n = strlen(text), cut = n;
		char line[512];

		if (n > room)
			for (cut = room; cut > 0 && text[cut] != ' '; cut--)
				;
		if (cut == 0 || cut >= sizeof(line))
			cut = room < sizeof(line) ? room : sizeof(line) - 1;
		snprintf(line, sizeof(line), "%.*s", (int)cut, text);
		lp_watch_grid_put(grid, y++, x, style, line);
		text += cut < n ? cut : n;
		text += *text == ' ';
	}
	return y;
}

/* ---- findings ---- */

static size_t draw_findings(const struct lp_board *board,
			    const struct lp_board_row *row,
			    struct lp_watch_grid *grid, size_t y)
{
	for (size_t i = 0; i < board->n_suspects; i++) {
		const struct lp_board_suspect *s = &board->suspects[i];
		char when[LP_BOARD_TEXT];

		if (strcmp(s->component, row->label) != 0)
			continue;
		lp_watch_grid_putf(grid, y++, 0,
				   s->lasting ? LP_STYLE_BAD : LP_STYLE_STRONG,
				   "%s  %s", s->title,
				   lp_watch_when(board, s, when));
		y = put_folded(grid, y, 2, LP_STYLE_PLAIN, s->text);
		y = put_folded(grid, y, 2, LP_STYLE_PLAIN, s->evidence);
		y = put_folded(grid, y, 2, LP_STYLE_PLAIN, s->next);
	}
	return y;
}

/* ---- quantities ---- */

/* What is missing to an accusation; of nothing "differs". */
static const char *answer_of(const struct lp_board_score *s)
{
	bool large = fabs(s->effect) >= fabs(s->gate);
	bool sure = s->distance > s->limit;

	if (s->accused)
		return "differs";
	if (!s->compared || isnan(s->distance))
		return "not known yet";
	if (!large && !sure)
		return "like its peers";
	if (!large)
		return "too little to matter";
	return sure ? "explained by its load" : "may be chance";
}

static void draw_score(const struct lp_board_score *s,
		       struct lp_watch_grid *grid, size_t y)
{
	char value[LP_BOARD_NUMBER], low[LP_BOARD_NUMBER];
	char median[LP_BOARD_NUMBER], high[LP_BOARD_NUMBER];
	char effect[LP_BOARD_NUMBER] = "-", sure[LP_BOARD_NUMBER] = "-";

	if (!isnan(s->effect))
		snprintf(effect, sizeof(effect), "%+.0f%%", s->effect);
	if (!isnan(s->distance))
		snprintf(sure, sizeof(sure), "%.1f", s->distance);
	lp_watch_grid_putf(
		grid, y, 0, s->accused ? LP_STYLE_BAD : LP_STYLE_PLAIN,
		"%-8s %-9s %7s %7s %7s %7s  %6s %5s  %s", s->name, s->unit,
		lp_board_number(s->value, value), lp_board_number(s->low, low),
		lp_board_number(s->median, median),
		lp_board_number(s->high, high), effect, sure, answer_of(s));
}

static size_t draw_scores(const struct lp_board_row *row,
			  struct lp_watch_grid *grid, size_t y)
{
	if (!row->n_scores)
		return y;
	lp_watch_grid_putf(grid, y++, 0, LP_STYLE_STRONG,
			   "%-8s %-9s %7s %7s %7s %7s  %6s %5s", "", "",
			   "its own", "lowest", "median", "highest", "by",
			   "sure");
	for (size_t i = 0; i < row->n_scores; i++)
		draw_score(&row->scores[i], grid, y++);
	lp_watch_grid_putf(
		grid, y++, 0, LP_STYLE_FAINT,
		"It is accused if it differs by enough to matter, and "
		"'sure' is above %.1f.",
		row->scores[0].limit);
	return y + 1;
}

/* ---- the latest values ---- */

static void draw_values(const struct lp_board_table *table,
			const struct lp_board_row *row,
			struct lp_watch_grid *grid, size_t y)
{
	lp_watch_grid_putf(grid, y++, 0, LP_STYLE_STRONG, "%-18s %12s %12s",
			   "the last seconds", "its own", "peers' median");
	for (size_t c = 0; c < table->n_columns; c++) {
		char own[LP_BOARD_NUMBER], peers[LP_BOARD_NUMBER];

		lp_watch_grid_putf(grid, y++, 0, LP_STYLE_PLAIN,
				   "%-18s %12s %12s %s", table->columns[c].name,
				   lp_board_number(row->values[c], own),
				   lp_board_number(row->medians[c], peers),
				   table->columns[c].unit);
	}
}

static size_t draw_map(const struct lp_board *board,
		       const struct lp_board_row *row,
		       struct lp_watch_grid *grid, size_t y)
{
	size_t width = grid->width - 1 < LP_BOARD_TRAIL ? grid->width - 1
							: LP_BOARD_TRAIL;
	char span[LP_TIME_TEXT];

	if (!board->block_ns || !row->group)
		return y;
	lp_duration_format((int64_t)width * board->block_ns, span);
	lp_watch_grid_putf(
		grid, y, 0, LP_STYLE_STRONG,
		"the last %s   . like its peers  + nearly  # differs", span);
	lp_watch_draw_trail(row, grid, y + 1, 0, width, false);
	return y + 3;
}

void lp_watch_draw_one(const struct lp_board *board,
		       const struct lp_watch_view *view,
		       struct lp_watch_grid *grid, size_t y)
{
	const struct lp_board_row *row = find_row(board, view->chosen);

	if (!row) {
		lp_watch_grid_putf(grid, y, 0, LP_STYLE_DOUBT,
				   "%s is gone. Esc goes back.", view->chosen);
		return;
	}
	if (row->group)
		lp_watch_grid_putf(grid, y++, 0, LP_STYLE_STRONG,
				   "%s   one of %s (group %zu)", row->label,
				   row->group, row->group_number);
	else
		y = put_folded(grid, y, 0, LP_STYLE_STRONG, row->label);
	if (!row->group)
		y = put_folded(grid, y, 2, LP_STYLE_PLAIN,
			       row->left_out && *row->left_out
				       ? row->left_out
				       : "not compared so far");
	y = draw_findings(board, row, grid, y) + 1;
	y = draw_scores(row, grid, y);
	y = draw_map(board, row, grid, y);
	draw_values(table_of(board, row), row, grid, y);
}

void lp_watch_draw_help(struct lp_watch_grid *grid, size_t y)
{
	static const char *const lines[] = {
		"Who differs from its peers now, on this machine or in the "
		"recordings it follows.",
		"",
		"  up, down, j, k   choose a component",
		"  Enter, w         why it is suspected, or why not",
		"  Esc, b           back to the list",
		"  Tab              the next kind: disks, interfaces",
		"  s                sort by the next column     r   reverse",
		"  a                also show what is idle or not compared",
		"  p, space         pause, while samples are still taken",
		"  q                quit",
		"",
		"The map has a place for each 10 s, the newest at its right "
		"end:",
		"  .  like its peers   +  nearly differs   #  differs   blank: "
		"not compared",
		"",
		"The line 'median' is that of the chosen component's peers.",
		"Values are means of the last 10 seconds.",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		lp_watch_grid_put(grid, y + i, 0, LP_STYLE_PLAIN, lines[i]);
}
