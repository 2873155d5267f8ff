/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A grid of characters, as a terminal has one: what is drawn goes here, so that
 * drawing needs no terminal.
 */
#ifndef LP_CMD_WATCH_GRID_H
#define LP_CMD_WATCH_GRID_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum lp_style {
	LP_STYLE_PLAIN,
	LP_STYLE_STRONG,
	LP_STYLE_FAINT,
	LP_STYLE_BAR,    /* the first line */
	LP_STYLE_CHOSEN, /* the line that the cursor is on */
	LP_STYLE_GOOD,
	LP_STYLE_DOUBT,
	LP_STYLE_BAD,
	LP_STYLES,
};

struct lp_cell_drawn {
	char ch; /* printable ASCII */
	uint8_t style;
};

/* Zero-initialise. */
struct lp_watch_grid {
	size_t width, height;
	struct lp_cell_drawn *cells; /* [height][width] */
};

/* Blank, of this size. 0, or -ENOMEM: the grid is as it was. */
int lp_watch_grid_begin(struct lp_watch_grid *grid, size_t width,
			size_t height);
void lp_watch_grid_done(struct lp_watch_grid *grid);

/*
 * From column x of row y on, as far as there is room; whatever is no printable
 * ASCII is a question mark. Returns the column behind it.
 */
size_t lp_watch_grid_put(struct lp_watch_grid *grid, size_t y, size_t x,
			 enum lp_style style, const char *text);
/* The same with a format; no text is longer than the grid is wide. */
size_t lp_watch_grid_putf(struct lp_watch_grid *grid, size_t y, size_t x,
			  enum lp_style style, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Ends at the last column before x; what does not fit is cut at its end. */
void lp_watch_grid_put_right(struct lp_watch_grid *grid, size_t y, size_t x,
			     size_t width, enum lp_style style,
			     const char *text);
/* Give a whole row a style. */
void lp_watch_grid_paint(struct lp_watch_grid *grid, size_t y,
			 enum lp_style style);

/* As text, without blanks at the ends of lines and empty last lines. */
void lp_watch_grid_print(const struct lp_watch_grid *grid, FILE *out);

#endif
