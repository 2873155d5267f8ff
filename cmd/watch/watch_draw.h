/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The board as a screen, and what keys do to how it is looked at. Neither
 * knows a terminal.
 */
#ifndef LP_CMD_WATCH_DRAW_H
#define LP_CMD_WATCH_DRAW_H

#include "watch_board.h"
#include "watch_grid.h"

/* Smaller ones show the verdict and little more. */
#define LP_WATCH_LEAST_WIDTH 40

/* On a grid that was begun. 0 or -ENOMEM. */
int lp_watch_draw(const struct lp_board *board, struct lp_watch_view *view,
		  struct lp_watch_grid *grid);
/* The pages of it, which begin at line y. */
void lp_watch_draw_one(const struct lp_board *board,
		       const struct lp_watch_view *view,
		       struct lp_watch_grid *grid, size_t y);
void lp_watch_draw_help(struct lp_watch_grid *grid, size_t y);
/* The map of a row, the newest block at its right end. */
void lp_watch_draw_trail(const struct lp_board_row *row,
			 struct lp_watch_grid *grid, size_t y, size_t x,
			 size_t width, bool chosen);
/* "since 12:00:10 (3 min)", "12:00:10 to 12:03:10" */
const char *lp_watch_when(const struct lp_board *board,
			  const struct lp_board_suspect *suspect,
			  char text[LP_BOARD_TEXT]);

enum lp_watch_key {
	LP_KEY_NONE,
	LP_KEY_UP,
	LP_KEY_DOWN,
	LP_KEY_PAGE_UP,
	LP_KEY_PAGE_DOWN,
	LP_KEY_HOME,
	LP_KEY_END,
	LP_KEY_ENTER,
	LP_KEY_BACK,
	LP_KEY_NEXT, /* table */
	LP_KEY_RESIZED,
	LP_KEY_CHARACTERS, /* those from here on are characters and this */
};

/* 0 or -ENOMEM. */
int lp_watch_press(const struct lp_board *board, struct lp_watch_view *view,
		   int key);

#endif
