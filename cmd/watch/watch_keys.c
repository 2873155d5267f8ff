/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_draw.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void choose(const struct lp_board_table *table,
		   struct lp_watch_view *view, const size_t *order, size_t at)
{
	snprintf(view->chosen, sizeof(view->chosen), "%s",
		 table->rows[order[at]].label);
}

static size_t moved(int key, size_t at, size_t n, size_t lines)
{
	size_t page = lines > 1 ? lines - 1 : 1;

	switch (key) {
	case LP_KEY_UP:
		return at ? at - 1 : 0;
	case LP_KEY_DOWN:
		return at + 1;
	case LP_KEY_PAGE_UP:
		return at > page ? at - page : 0;
	case LP_KEY_PAGE_DOWN:
		return at + page;
	case LP_KEY_HOME:
		return 0;
	case LP_KEY_END:
		return n - 1;
	default:
		return at;
	}
}

/* Also what has never been chosen gets a name now, so that it stays chosen. */
static int move(const struct lp_board *board, struct lp_watch_view *view,
		int key)
{
	const struct lp_board_table *table = lp_board_table(board, view);
	size_t *order, n, at;

	if (!table || table->n_rows == 0)
		return 0;
	order = calloc(table->n_rows, sizeof(*order));
	if (!order)
		return -ENOMEM;
	n = lp_board_order(table, view, order);
	if (n) {
		at = moved(key, lp_board_chosen(table, view, order, n), n,
			   view->lines);
		choose(table, view, order, at < n ? at : n - 1);
	}
	free(order);
	return 0;
}

static void next_table(const struct lp_board *board, struct lp_watch_view *view)
{
	if (board->n_tables)
		view->table = (view->table + 1) % board->n_tables;
	view->chosen[0] = '\0';
	view->sort = LP_SORT_SUSPICION;
	view->top = 0;
	view->page = LP_WATCH_LIST;
}

static void next_sort(const struct lp_board *board, struct lp_watch_view *view)
{
	const struct lp_board_table *table = lp_board_table(board, view);
	size_t n = LP_SORT_COLUMNS + (table ? table->n_columns : 0);

	view->sort = (view->sort + 1) % n;
	view->top = 0;
}

static void go_back(struct lp_watch_view *view)
{
	view->page = LP_WATCH_LIST;
}

static void press_character(const struct lp_board *board,
			    struct lp_watch_view *view, int c)
{
	switch (tolower(c)) {
	case 'q':
		view->over = true;
		break;
	case 'h':
	case '?':
		view->page = view->page == LP_WATCH_HELP ? LP_WATCH_LIST
							 : LP_WATCH_HELP;
		break;
	case 'p':
	case ' ':
		view->paused = !view->paused;
		break;
	case 's':
		next_sort(board, view);
		break;
	case 'r':
		view->reversed = !view->reversed;
		break;
	case 'a':
		view->all = !view->all;
		break;
	case 'b':
		go_back(view);
		break;
	default:
		break;
	}
}

int lp_watch_press(const struct lp_board *board, struct lp_watch_view *view,
		   int key)
{
	int status = 0;

	if (key >= LP_KEY_CHARACTERS) {
		int c = key - LP_KEY_CHARACTERS;

		if (c == 'j' || c == 'k')
			return move(board, view,
				    c == 'j' ? LP_KEY_DOWN : LP_KEY_UP);
		if (c != 'w') {
			press_character(board, view, c);
			return 0;
		}
		key = LP_KEY_ENTER;
	}
	if (key == LP_KEY_NEXT)
		next_table(board, view);
	else if (key == LP_KEY_BACK)
		go_back(view);
	else if (key != LP_KEY_NONE && key != LP_KEY_RESIZED)
		status = move(board, view, key);
	if (key == LP_KEY_ENTER && view->chosen[0])
		view->page = LP_WATCH_ONE;
	return status;
}
