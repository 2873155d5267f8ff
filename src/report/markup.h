/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text and numbers in HTML and SVG. Names come from outside: everything that
 * is not markup of our own goes through here.
 */
#ifndef LP_REPORT_MARKUP_H
#define LP_REPORT_MARKUP_H

#include <stdint.h>
#include <stdio.h>

/*
 * Escaped for element content and for quoted attributes. What is not UTF-8,
 * control characters, and characters that turn the direction of writing become
 * U+FFFD.
 */
void lp_markup_text(FILE *out, const char *text);
/* The same, at most `most` characters, the last an ellipsis if more follow. */
void lp_markup_text_cut(FILE *out, const char *text, size_t most);

/* Three digits for people: "0.0123", "41.2", "1.23k", "-"; NaN gives "–". */
#define LP_PEOPLE_TEXT 32
const char *lp_people_number(double v, char text[LP_PEOPLE_TEXT]);

/* "2026-11-15 20:45:14 UTC", without decimals. */
const char *lp_people_time(int64_t time_ns, char text[LP_PEOPLE_TEXT]);

#endif
