/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_terminal.h"

#include "watch_draw.h"

#include <errno.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

static attr_t attribute_of(enum lp_style style)
{
	static const struct {
		attr_t plain;
		short pair; /* where there are colours; 0: none */
	} looks[LP_STYLES] = {
		[LP_STYLE_PLAIN] = { A_NORMAL, 0 },
		[LP_STYLE_STRONG] = { A_BOLD, 0 },
		[LP_STYLE_FAINT] = { A_NORMAL, 0 },
		[LP_STYLE_BAR] = { A_REVERSE, 0 },
		[LP_STYLE_CHOSEN] = { A_REVERSE, 0 },
		[LP_STYLE_GOOD] = { A_BOLD, 1 },
		[LP_STYLE_DOUBT] = { A_BOLD, 2 },
		[LP_STYLE_BAD] = { A_BOLD, 3 },
	};
	bool coloured = has_colors() && looks[style].pair;

	return looks[style].plain |
	       (coloured ? COLOR_PAIR(looks[style].pair) : 0);
}

static void begin_colours(void)
{
	if (!has_colors())
		return;
	start_color();
	use_default_colors();
	init_pair(1, COLOR_GREEN, -1);
	init_pair(2, COLOR_YELLOW, -1);
	init_pair(3, COLOR_RED, -1);
}

/* A terminal that cannot place its cursor shows nothing but a mess. */
static int check(struct lp_error *err)
{
	const char *term = getenv("TERM");
	int found;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return lp_fail(err, ENOTTY,
			       "standard input and output are no terminal; use "
			       "--once or --json");
	if (!term || !*term)
		return lp_fail(err, EINVAL,
			       "TERM is not set, so the terminal is not known; "
			       "set it, or use --once");
	if (setupterm(term, STDOUT_FILENO, &found) != OK || !cursor_address)
		return lp_fail(err, EINVAL,
			       "a terminal of TERM=%s cannot be used as a "
			       "screen; use --once",
			       term);
	return 0;
}

int lp_terminal_open(struct lp_terminal *terminal, bool colours,
		     struct lp_error *err)
{
	int status = check(err);

	if (status < 0)
		return status;
	terminal->screen = newterm(NULL, stdout, stdin);
	if (!terminal->screen)
		return lp_fail(err, EINVAL, "cannot use the terminal");
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	if (colours)
		begin_colours();
	return 0;
}

void lp_terminal_close(struct lp_terminal *terminal)
{
	if (!terminal->screen)
		return;
	endwin();
	delscreen(terminal->screen);
	terminal->screen = NULL;
}

/* The kernel knows it before ncurses does: signals are read elsewhere. */
void lp_terminal_size(const struct lp_terminal *terminal, size_t *width,
		      size_t *height)
{
	struct winsize size;

	set_term(terminal->screen);

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col &&
	    size.ws_row && is_term_resized(size.ws_row, size.ws_col)) {
		resizeterm(size.ws_row, size.ws_col);
		clearok(stdscr, TRUE);
	}
	*width = (size_t)(COLS > 0 ? COLS : 1);
	*height = (size_t)(LINES > 0 ? LINES : 1);
}

void lp_terminal_show(const struct lp_terminal *terminal,
		      const struct lp_watch_grid *grid)
{
	set_term(terminal->screen);
	erase();
	for (size_t y = 0; y < grid->height; y++)
		for (size_t x = 0; x < grid->width; x++) {
			const struct lp_cell_drawn *c =
				&grid->cells[y * grid->width + x];

			if (c->ch == ' ' && c->style == LP_STYLE_PLAIN)
				continue;
			mvaddch((int)y, (int)x,
				(chtype)(unsigned char)c->ch |
					attribute_of(c->style));
		}
	refresh();
}

int lp_terminal_key(const struct lp_terminal *terminal)
{
	int c;

	set_term(terminal->screen);
	c = getch();
	switch (c) {
	case ERR:
		return LP_KEY_NONE;
	case KEY_UP:
		return LP_KEY_UP;
	case KEY_DOWN:
		return LP_KEY_DOWN;
	case KEY_PPAGE:
		return LP_KEY_PAGE_UP;
	case KEY_NPAGE:
		return LP_KEY_PAGE_DOWN;
	case KEY_HOME:
		return LP_KEY_HOME;
	case KEY_END:
		return LP_KEY_END;
	case KEY_ENTER:
	case '\n':
	case '\r':
		return LP_KEY_ENTER;
	case KEY_LEFT:
	case KEY_BACKSPACE:
	case 27:
	case 127:
		return LP_KEY_BACK;
	case KEY_RIGHT:
		return LP_KEY_ENTER;
	case '\t':
		return LP_KEY_NEXT;
	case 12: /* ^L */
		clearok(stdscr, TRUE);
		return LP_KEY_RESIZED;
	default:
		return c > ' ' - 1 && c < 127 ? LP_KEY_CHARACTERS + c
					      : LP_KEY_RESIZED;
	}
}
