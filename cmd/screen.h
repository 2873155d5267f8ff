/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal that standard output is, if it is one.
 */
#ifndef LP_CMD_SCREEN_H
#define LP_CMD_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* 0: no terminal, or not known. COLUMNS counts, as for ls and ps. */
size_t lp_screen_columns(void);
size_t lp_screen_lines(void);
/* A terminal, and NO_COLOR is not set. */
bool lp_screen_colours(void);

/*
 * Print the text that begins at this column, and end the line: on a terminal
 * folded at blanks, further lines at the same column; otherwise as it is.
 */
void lp_screen_fold(const char *text, size_t column);

#endif
