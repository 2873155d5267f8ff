/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_draw.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN 8 /* places, with the blank before */
#define LEAST_LABEL 10
#define MOST_LABEL 32
#define LEAST_MAP 12
#define DAY_S 86400
/* A list has so many lines, before suspects may take more of them. */
#define LEAST_ROWS 8
#define MOST_SUSPECTS 5

struct layout {
	size_t label, columns, map_x, map; /* map: 0 if there is no room */
};

/* ---- words ---- */

static const char *clock_of(const struct lp_zone *zone, int64_t time_ns,
			    char text[LP_TIME_TEXT])
{
	int64_t s = lp_zone_clocks(zone, time_ns) / LP_NS_PER_S % DAY_S;

	snprintf(text, LP_TIME_TEXT, "%02d:%02d:%02d", (int)(s / 3600),
		 (int)(s / 60 % 60), (int)(s % 60));
	return text;
}

const char *lp_watch_when(const struct lp_board *board,
			  const struct lp_board_suspect *s,
			  char text[LP_BOARD_TEXT])
{
	char from[LP_TIME_TEXT], to[LP_TIME_TEXT], span[LP_TIME_TEXT];

	clock_of(&board->zone, s->since_ns, from);
	if (s->lasting)
		snprintf(text, LP_BOARD_TEXT, "since %s (%s)", from,
			 lp_duration_format((board->now_ns - s->since_ns) /
						    LP_NS_PER_S * LP_NS_PER_S,
					    span));
	else
		snprintf(text, LP_BOARD_TEXT, "%s to %s, over", from,
			 clock_of(&board->zone, s->until_ns, to));
	return text;
}

/* ---- the first lines ---- */

static void draw_bar(const struct lp_board *board,
		     const struct lp_watch_view *view,
		     struct lp_watch_grid *grid)
{
	static const char keys[] = " q quit  h help ";
	char clock[LP_TIME_TEXT], every[LP_TIME_TEXT];
	char zone[LP_ZONE_TEXT] = "UTC";
	size_t x;

	lp_zone_offset(&board->zone, board->now_ns, zone);
	x = lp_watch_grid_putf(grid, 0, 0, LP_STYLE_BAR,
			       " limpid watch  %s  %s %s  every %s%s",
			       board->source ? board->source : "",
			       clock_of(&board->zone, board->now_ns, clock),
			       zone,
			       lp_duration_format(board->interval_ns, every),
			       view->paused ? "  PAUSED" : "");
	lp_watch_grid_paint(grid, 0, LP_STYLE_BAR);
	if (x + sizeof(keys) <= grid->width)
		lp_watch_grid_put(grid, 0, grid->width - strlen(keys),
				  LP_STYLE_BAR, keys);
}

static enum lp_style style_of_verdict(const struct lp_board *board)
{
	if (board->first_in_ns || !board->judged)
		return LP_STYLE_STRONG;
	if (board->outcome == LP_OUTCOME_UNDECIDED)
		return LP_STYLE_DOUBT;
	for (size_t i = 0; i < board->n_suspects; i++)
		if (board->suspects[i].lasting)
			return LP_STYLE_BAD;
	return LP_STYLE_GOOD;
}

/* "SLOW DISK  loop3  since 12:00:10 (3 min)", and the evidence if it fits. */
static size_t draw_suspect(const struct lp_board *board,
			   const struct lp_board_suspect *s,
			   struct lp_watch_grid *grid, size_t y)
{
	enum lp_style style = s->lasting ? LP_STYLE_BAD : LP_STYLE_FAINT;
	char when[LP_BOARD_TEXT], title[32];
	size_t x = 0;

	for (; s->title[x] && x + 1 < sizeof(title); x++)
		title[x] = (char)toupper((unsigned char)s->title[x]);
	title[x] = '\0';
	x = lp_watch_grid_putf(grid, y, 0, style, "  %s  %s", title,
			       s->component);
	x = lp_watch_grid_putf(grid, y, x, LP_STYLE_PLAIN, "  %s",
			       lp_watch_when(board, s, when));
	if (!*s->evidence)
		return y + 1;
	if (x + 3 + strlen(s->evidence) <= grid->width) {
		lp_watch_grid_putf(grid, y, x, LP_STYLE_PLAIN, "   %s",
				   s->evidence);
		return y + 1;
	}
	lp_watch_grid_put(grid, y + 1, 4, LP_STYLE_PLAIN, s->evidence);
	return y + 2;
}

static size_t draw_suspects(const struct lp_board *board,
			    struct lp_watch_grid *grid, size_t y)
{
	size_t most =
		grid->height > y + LEAST_ROWS ? grid->height - LEAST_ROWS : y;
	size_t i = 0;

	for (; i < board->n_suspects && i < MOST_SUSPECTS && y + 2 <= most; i++)
		y = draw_suspect(board, &board->suspects[i], grid, y);
	if (i < board->n_suspects && i)
		lp_watch_grid_putf(grid, y++, 2, LP_STYLE_FAINT, "and %zu more",
				   board->n_suspects - i);
	return y;
}

static size_t draw_verdict(const struct lp_board *board,
			   struct lp_watch_grid *grid)
{
	char text[LP_BOARD_TEXT];
	const char *rest;
	size_t y = 1;

	lp_board_verdict(board, text);
	lp_watch_grid_put(grid, y, 0, style_of_verdict(board), text);
	/* A long reason goes on in the next line. */
	rest = strlen(text) > grid->width && grid->height > 10
		       ? text + grid->width
		       : NULL;
	while (rest && rest > text && rest[-1] != ' ')
		rest--;
	if (rest && rest > text) {
		for (size_t x = (size_t)(rest - text); x < grid->width; x++)
			lp_watch_grid_put(grid, y, x, LP_STYLE_PLAIN, " ");
		lp_watch_grid_put(grid, ++y, 0, style_of_verdict(board), rest);
	}
	return draw_suspects(board, grid, y + 1);
}

/* ---- the list ---- */

static struct layout lay_out(const struct lp_board_table *table,
			     const size_t *order, size_t n,
			     const struct lp_watch_grid *grid)
{
	struct layout l = { .label = LEAST_LABEL };
	size_t room;

	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(table->rows[order[i]].label);

		if (length > l.label)
			l.label = length;
	}
	if (l.label > MOST_LABEL)
		l.label = MOST_LABEL;
	if (l.label > grid->width / 3)
		l.label = grid->width / 3;
	room = grid->width > l.label + LEAST_MAP + 2
		       ? grid->width - l.label - LEAST_MAP - 2
		       : 0;
	l.columns = room / COLUMN < table->n_columns ? room / COLUMN
						     : table->n_columns;
	l.map_x = l.label + l.columns * COLUMN + 2;
	l.map = grid->width > l.map_x ? grid->width - l.map_x : 0;
	if (l.map > LP_BOARD_TRAIL)
		l.map = LP_BOARD_TRAIL;
	return l;
}

/* "5 min .... now" over the map. */
static void draw_map_head(const struct lp_board *board, const struct layout *l,
			  struct lp_watch_grid *grid, size_t y)
{
	char span[LP_TIME_TEXT];

	if (l->map < LEAST_MAP || !board->block_ns)
		return;
	lp_duration_format((int64_t)l->map * board->block_ns / LP_NS_PER_S /
				   10 * 10 * LP_NS_PER_S,
			   span);
	lp_watch_grid_putf(grid, y, l->map_x, LP_STYLE_STRONG, "%s", span);
	lp_watch_grid_put_right(grid, y, l->map_x + l->map - 4, 4,
				LP_STYLE_STRONG, "now");
}

static void draw_head(const struct lp_board *board,
		      const struct lp_board_table *table,
		      const struct lp_watch_view *view, const struct layout *l,
		      struct lp_watch_grid *grid, size_t y)
{
	lp_watch_grid_putf(grid, y, 0, LP_STYLE_STRONG, "%s%s", table->name,
			   view->sort == LP_SORT_NAME ? "*" : "");
	for (size_t c = 0; c < l->columns; c++) {
		char name[COLUMN + 8];

		snprintf(name, sizeof(name), "%s%s", table->columns[c].name,
			 view->sort == LP_SORT_COLUMNS + c ? "*" : "");
		lp_watch_grid_put_right(grid, y, l->label + c * COLUMN + 1,
					COLUMN - 1, LP_STYLE_STRONG, name);
	}
	draw_map_head(board, l, grid, y);
}

void lp_watch_draw_trail(const struct lp_board_row *row,
			 struct lp_watch_grid *grid, size_t y, size_t x,
			 size_t width, bool chosen)
{
	static const char marks[LP_MARKS][2] = { " ", ".", "+", "#" };
	static const enum lp_style styles[LP_MARKS] = {
		LP_STYLE_PLAIN, LP_STYLE_FAINT, LP_STYLE_DOUBT, LP_STYLE_BAD
	};

	for (size_t i = 0; i < width; i++) {
		size_t at = LP_BOARD_TRAIL - width + i;
		uint8_t mark = row->trail[at] < LP_MARKS ? row->trail[at] : 0;

		lp_watch_grid_put(grid, y, x + i,
				  chosen && mark != LP_MARK_ACCUSED
					  ? LP_STYLE_CHOSEN
					  : styles[mark],
				  marks[mark]);
	}
}

static void draw_values(const double *values, const struct layout *l,
			enum lp_style style, struct lp_watch_grid *grid,
			size_t y)
{
	for (size_t c = 0; c < l->columns; c++) {
		char text[LP_BOARD_NUMBER];

		lp_watch_grid_put_right(grid, y, l->label + c * COLUMN + 1,
					COLUMN - 1, style,
					lp_board_number(values[c], text));
	}
}

static void draw_row(const struct lp_board_row *row, const struct layout *l,
		     bool chosen, struct lp_watch_grid *grid, size_t y)
{
	enum lp_style style = chosen         ? LP_STYLE_CHOSEN
			      : row->suspect ? LP_STYLE_BAD
			      : !row->group  ? LP_STYLE_FAINT
					     : LP_STYLE_PLAIN;
	char label[MOST_LABEL + 1];

	if (chosen)
		lp_watch_grid_paint(grid, y, LP_STYLE_CHOSEN);
	snprintf(label, sizeof(label), "%.*s", (int)l->label, row->label);
	lp_watch_grid_put(grid, y, 0, style, label);
	draw_values(row->values, l, style, grid, y);
	lp_watch_draw_trail(row, grid, y, l->map_x, l->map, chosen);
}

/* The row of the group that the chosen one is in. */
static void draw_peers(const struct lp_board_row *row, const struct layout *l,
		       struct lp_watch_grid *grid, size_t y)
{
	lp_watch_grid_put(grid, y, 0, LP_STYLE_FAINT, "median");
	draw_values(row->medians, l, LP_STYLE_FAINT, grid, y);
	if (row->group && l->map)
		lp_watch_grid_putf(grid, y, l->map_x, LP_STYLE_FAINT,
				   "of %zu peers", row->n_peers);
}

/* Keep the chosen row on the screen. */
static void scroll(struct lp_watch_view *view, size_t chosen, size_t n,
		   size_t lines)
{
	view->lines = lines;
	if (view->top + lines > n)
		view->top = n > lines ? n - lines : 0;
	if (chosen < view->top)
		view->top = chosen;
	if (lines && chosen >= view->top + lines)
		view->top = chosen - lines + 1;
}

static void draw_foot(const struct lp_board *board,
		      const struct lp_board_table *table,
		      const struct lp_watch_view *view, size_t n,
		      struct lp_watch_grid *grid)
{
	size_t y = grid->height - 1, x;
	const char *by =
		view->sort == LP_SORT_SUSPICION ? "suspicion"
		: view->sort == LP_SORT_NAME
			? "name"
			: table->columns[view->sort - LP_SORT_COLUMNS].name;

	if (board->note && *board->note) {
		lp_watch_grid_put(grid, y, 0, LP_STYLE_DOUBT, board->note);
		return;
	}
	x = lp_watch_grid_putf(grid, y, 0, LP_STYLE_FAINT,
			       "%zu of %zu %s, by %s", n, table->n_rows,
			       table->plural, by);
	if (board->n_tables > 1)
		x = lp_watch_grid_putf(
			grid, y, x, LP_STYLE_FAINT, "   Tab %s",
			board->tables[(view->table + 1) % board->n_tables]
				.plural);
	lp_watch_grid_put(grid, y, x, LP_STYLE_FAINT, "   Enter why   s sort");
}

static void draw_rows(const struct lp_board *board,
		      const struct lp_board_table *table,
		      struct lp_watch_view *view, const size_t *order, size_t n,
		      struct lp_watch_grid *grid, size_t y)
{
	struct layout l = lay_out(table, order, n, grid);
	size_t chosen = lp_board_chosen(table, view, order, n);
	bool peers = n > 0 && grid->height >= y + 6;
	size_t lines = grid->height - 1 - y - 1 - peers;

	draw_head(board, table, view, &l, grid, y++);
	if (peers)
		draw_peers(&table->rows[order[chosen]], &l, grid, y++);
	scroll(view, chosen, n, lines);
	for (size_t i = 0; i < lines && view->top + i < n; i++)
		draw_row(&table->rows[order[view->top + i]], &l,
			 view->top + i == chosen, grid, y + i);
	draw_foot(board, table, view, n, grid);
}

static int draw_list(const struct lp_board *board, struct lp_watch_view *view,
		     struct lp_watch_grid *grid, size_t y)
{
	const struct lp_board_table *table = lp_board_table(board, view);
	size_t *order, n;

	view->lines = 0;
	if (!table || y + 3 > grid->height)
		return 0;
	order = calloc(table->n_rows + 1, sizeof(*order));
	if (!order)
		return -ENOMEM;
	n = lp_board_order(table, view, order);
	draw_rows(board, table, view, order, n, grid, y);
	free(order);
	return 0;
}

int lp_watch_draw(const struct lp_board *board, struct lp_watch_view *view,
		  struct lp_watch_grid *grid)
{
	size_t y;

	draw_bar(board, view, grid);
	if (view->page == LP_WATCH_HELP) {
		lp_watch_draw_help(grid, 2);
		return 0;
	}
	if (view->page == LP_WATCH_ONE) {
		lp_watch_draw_one(board, view, grid, 1);
		return 0;
	}
	y = draw_verdict(board, grid);
	return draw_list(board, view, grid, y + (grid->height >= 16));
}
