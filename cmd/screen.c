/* SPDX-License-Identifier: Apache-2.0 */
#include "screen.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Less is no room for a table, and more likely a mistake. */
#define COLUMNS_MIN 20
#define LINES_MIN 8

static bool get_size(struct winsize *size)
{
	return isatty(STDOUT_FILENO) &&
	       ioctl(STDOUT_FILENO, TIOCGWINSZ, size) == 0;
}

size_t lp_screen_columns(void)
{
	const char *text = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	if (!get_size(&size))
		return 0;
	if (text && lp_parse_u64(text, strlen(text), &n) == 0 &&
	    n >= COLUMNS_MIN)
		return (size_t)n;
	return size.ws_col < COLUMNS_MIN ? 0 : size.ws_col;
}

size_t lp_screen_lines(void)
{
	struct winsize size;

	return !get_size(&size) || size.ws_row < LINES_MIN ? 0 : size.ws_row;
}

bool lp_screen_colours(void)
{
	return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

void lp_screen_fold(const char *text, size_t column)
{
	size_t room = lp_screen_columns();

	room = room > column + COLUMNS_MIN ? room - column : 0;
	while (room && strlen(text) > room) {
		size_t cut = room;

		while (cut && text[cut] != ' ')
			cut--;
		if (!cut)
			break;
		printf("%.*s\n%*s", (int)cut, text, (int)column, "");
		text += cut + 1;
	}
	puts(text);
}
