/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct lp_board_table *lp_board_table(const struct lp_board *board,
					    const struct lp_watch_view *view)
{
	if (board->n_tables == 0)
		return NULL;
	return &board->tables[view->table % board->n_tables];
}

/* ---- the order of rows ---- */

/* Of components that are less near, all are alike. */
#define WORTH_SORTING 0.5

struct sorting {
	const struct lp_board_row *rows;
	size_t sort, busy;
	int sign;
};

/* What is missing comes last, either way. */
static int by_number(double a, double b, int sign)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a > b ? -sign : a < b ? sign : 0;
}

/* sda, sdb, sdaa; loop2 before loop10. */
static int by_label(const char *a, const char *b)
{
	return strverscmp(a, b);
}

/* As long as nobody is near to an accusation, the busiest come first. */
static int by_suspicion(const struct lp_board_row *a,
			const struct lp_board_row *b, const struct sorting *s)
{
	double x = a->nearness < WORTH_SORTING ? 0 : a->nearness;
	double y = b->nearness < WORTH_SORTING ? 0 : b->nearness;
	int order = by_number(x, y, s->sign);

	if (order == 0 && s->busy < LP_BOARD_COLUMNS)
		order = by_number(a->values[s->busy], b->values[s->busy],
				  s->sign);
	return order;
}

static int compare_rows(const void *first, const void *second, void *user)
{
	const struct sorting *s = user;
	const struct lp_board_row *a = &s->rows[*(const size_t *)first];
	const struct lp_board_row *b = &s->rows[*(const size_t *)second];
	int order = 0;

	if (s->sort == LP_SORT_SUSPICION && a->suspect != b->suspect)
		return a->suspect ? -s->sign : s->sign;
	if (s->sort == LP_SORT_SUSPICION)
		order = by_suspicion(a, b, s);
	else if (s->sort >= LP_SORT_COLUMNS)
		order = by_number(a->values[s->sort - LP_SORT_COLUMNS],
				  b->values[s->sort - LP_SORT_COLUMNS],
				  s->sign);
	if (order == 0)
		order = by_label(a->label, b->label) *
			(s->sort == LP_SORT_NAME ? s->sign : 1);
	return order;
}

size_t lp_board_order(const struct lp_board_table *table,
		      const struct lp_watch_view *view, size_t *order)
{
	struct sorting sorting = { table->rows, view->sort, table->busy,
				   view->reversed ? -1 : 1 };
	size_t n = 0;

	for (size_t i = 0; i < table->n_rows; i++)
		if (view->all || table->rows[i].group || !table->rows[i].idle)
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), compare_rows, &sorting);
	return n;
}

size_t lp_board_chosen(const struct lp_board_table *table,
		       const struct lp_watch_view *view, const size_t *order,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(table->rows[order[i]].label, view->chosen) == 0)
			return i;
	return 0;
}

/* ---- words ---- */

static void count_suspects(const struct lp_board *board, size_t *lasting,
			   size_t *over)
{
	*lasting = *over = 0;
	for (size_t i = 0; i < board->n_suspects; i++)
		++*(board->suspects[i].lasting ? lasting : over);
}

const char *lp_board_verdict(const struct lp_board *board,
			     char text[LP_BOARD_TEXT])
{
	char span[LP_TIME_TEXT];
	size_t lasting, over;

	count_suspects(board, &lasting, &over);
	if (board->first_in_ns)
		snprintf(text, LP_BOARD_TEXT,
			 "First verdict in %s. Meanwhile, see what each does",
			 lp_duration_format(board->first_in_ns, span));
	else if (!board->judged)
		snprintf(text, LP_BOARD_TEXT, "Waiting for samples");
	else if (lasting)
		snprintf(text, LP_BOARD_TEXT, "%zu %s from %s peers now",
			 lasting,
			 lasting == 1 ? "component differs"
				      : "components differ",
			 lasting == 1 ? "its" : "their");
	else if (board->outcome == LP_OUTCOME_UNDECIDED)
		snprintf(text, LP_BOARD_TEXT, "Cannot tell: %s",
			 board->reason ? board->reason : "");
	else
		snprintf(text, LP_BOARD_TEXT,
			 "Nothing differs from its peers now%s",
			 over ? "; below is what did" : "");
	return text;
}

const char *lp_board_number(double v, char text[LP_BOARD_NUMBER])
{
	static const char units[] = "kMGT";
	size_t unit = 0;

	if (isnan(v)) {
		snprintf(text, LP_BOARD_NUMBER, "-");
		return text;
	}
	if (fabs(v) < 99999.5) {
		int digits = fabs(v) < 9.995 ? 2 : fabs(v) < 999.95 ? 1 : 0;

		snprintf(text, LP_BOARD_NUMBER, "%.*f", v == 0 ? 0 : digits, v);
		return text;
	}
	for (v /= 1000; fabs(v) >= 999.95 && units[unit + 1]; unit++)
		v /= 1000;
	snprintf(text, LP_BOARD_NUMBER, "%.1f%c", v, units[unit]);
	return text;
}
