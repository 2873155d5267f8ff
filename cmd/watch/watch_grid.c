/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_grid.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WIDEST 1024

int lp_watch_grid_begin(struct lp_watch_grid *grid, size_t width, size_t height)
{
	size_t n = width * height;

	if (width != grid->width || height != grid->height || !grid->cells) {
		struct lp_cell_drawn *cells =
			calloc(n + 1, sizeof(*grid->cells));

		if (!cells)
			return -ENOMEM;
		free(grid->cells);
		*grid = (struct lp_watch_grid){ width, height, cells };
	}
	for (size_t i = 0; i < n; i++)
		grid->cells[i] = (struct lp_cell_drawn){ ' ', LP_STYLE_PLAIN };
	return 0;
}

void lp_watch_grid_done(struct lp_watch_grid *grid)
{
	free(grid->cells);
	*grid = (struct lp_watch_grid){ 0 };
}

/* A character of several bytes is one question mark. */
static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t lp_watch_grid_put(struct lp_watch_grid *grid, size_t y, size_t x,
			 enum lp_style style, const char *text)
{
	if (y >= grid->height)
		return x;
	for (; *text && x < grid->width; text++) {
		char c = *text;

		if (is_continuation(c))
			continue;
		grid->cells[y * grid->width + x++] =
			(struct lp_cell_drawn){ c >= ' ' && c <= '~' ? c : '?',
						(uint8_t)style };
	}
	return x;
}

size_t lp_watch_grid_putf(struct lp_watch_grid *grid, size_t y, size_t x,
			  enum lp_style style, const char *format, ...)
{
	char text[WIDEST];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return lp_watch_grid_put(grid, y, x, style, text);
}

void lp_watch_grid_put_right(struct lp_watch_grid *grid, size_t y, size_t x,
			     size_t width, enum lp_style style,
			     const char *text)
{
	size_t n = strlen(text);
	char cut[WIDEST];

	snprintf(cut, sizeof(cut), "%.*s", (int)width, text);
	lp_watch_grid_put(grid, y, x + (n < width ? width - n : 0), style, cut);
}

void lp_watch_grid_paint(struct lp_watch_grid *grid, size_t y,
			 enum lp_style style)
{
	for (size_t x = 0; y < grid->height && x < grid->width; x++)
		grid->cells[y * grid->width + x].style = (uint8_t)style;
}

static size_t length_of(const struct lp_watch_grid *grid, size_t y)
{
	size_t n = grid->width;

	while (n && grid->cells[y * grid->width + n - 1].ch == ' ')
		n--;
	return n;
}

void lp_watch_grid_print(const struct lp_watch_grid *grid, FILE *out)
{
	size_t height = grid->height;

	while (height && length_of(grid, height - 1) == 0)
		height--;
	for (size_t y = 0; y < height; y++) {
		for (size_t x = 0; x < length_of(grid, y); x++)
			fputc(grid->cells[y * grid->width + x].ch, out);
		fputc('\n', out);
	}
}
