/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names from outside on a terminal: what would colour it, move its cursor or
 * break a table is shown as C writes it ("\n", "\x1b"), as ls and git do.
 */
#ifndef LP_BASE_VISIBLE_H
#define LP_BASE_VISIBLE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Control characters, bytes that are not UTF-8 and characters that turn the
 * direction of writing are escaped, everything else is printed as it is.
 */
void lp_visible_put(FILE *out, const char *text);

/* The same into memory, cut off where it does not fit; returns `to`. */
const char *lp_visible_text(char *to, size_t size, const char *text);

/* A name inside of a call of printf; what is longer is cut off. */
#define LP_VISIBLE_TEXT 1024
#define lp_shown(name)                                                         \
	lp_visible_text((char[LP_VISIBLE_TEXT]){ "" }, LP_VISIBLE_TEXT, name)

#endif
